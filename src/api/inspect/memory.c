/* The arena over time. A buffer of @main is a slice of the arena that several tensors use
 * consecutively. A tensor lives from the first launch that writes it to the last launch that reads
 * it before the next tensor is written there. A kernel writes those of its arguments that it stores
 * to.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "api/executable.h"
#include "api/inspect/inspect.h"
#include "base/array.h"
#include "codegen/interface.h"
#include "ir/entry/port.h"
#include "ir/walk.h"

typedef struct life {
  int64_t offset, bytes;
  int64_t first, last; /* indices of the first and last launch */
  const char *name;    /* name of the layer that wrote it */
  bool read;           /* it has been read, so the next write starts another tensor */
} life;

typedef struct mapper {
  const qn_value *memory; /* the argument of @main that is the arena */
  qn_arena *arena;
  const qn_step_info *steps;
  qn_str_map kernels; /* name -> func.func */
  qn_map current;     /* buffer -> index of its current lifetime + 1 */
  QN_ARRAY(life) lives;
  int64_t *live_bytes; /* [launch] live bytes */
} mapper;

static bool constant_index(const qn_value *value, int64_t *out) {
  const qn_attr *attr = qn_value_constant(value);
  if (!attr || attr->kind != QN_ATTR_INTEGER) return false;
  *out = attr->integer;
  return true;
}

/* Stores the offset of a buffer in the arena. Returns false if the buffer is not in the arena. */
static bool place_of(const mapper *m, const qn_value *buffer, int64_t *out_offset) {
  const qn_op *view = buffer->op;
  return view && view->kind == QN_OP_MEMREF_VIEW && qn_op_operand(view, 0) == m->memory &&
         constant_index(qn_op_operand(view, 1), out_offset);
}

/* Whether a use in a kernel is a store: an op that reads a buffer and has no result. */
static bool is_store(const qn_use *use) {
  const qn_op *op = use->owner;
  return op->result_count == 0 && !qn_op_has(op, QN_TERMINATOR);
}

static void uses_of(const qn_op *func, uint32_t argument, bool *out_read, bool *out_written) {
  *out_read = *out_written = false;
  const qn_block *body = func ? qn_op_body(func) : NULL;
  if (!body || argument >= body->arg_count) return;
  for (const qn_use *use = body->args[argument]->first_use; use; use = use->next)
    *(is_store(use) ? out_written : out_read) = true;
}

static bool fills_border(const char *kernel) { return strncmp(kernel, "border_", 7) == 0; }

/* Size of a buffer; 0 if it is not static. */
static int64_t static_bytes(const qn_value *buffer) {
  int64_t bytes = qn_memref_bytes(buffer->type);
  return bytes > 0 ? bytes : 0;
}

static void touch(mapper *m, const qn_value *buffer, int64_t offset, int64_t step, bool read,
                  bool written) {
  uintptr_t number = (uintptr_t)qn_map_get(&m->current, buffer);
  life *known = number ? &m->lives.data[number - 1] : NULL;
  if (!known || (written && !read && known->read)) {
    int64_t bytes = static_bytes(buffer);
    life fresh = {offset, bytes, step, step, m->steps[step].name, false};
    qn_array_push(&m->lives, fresh);
    qn_map_set(&m->current, buffer, (void *)(uintptr_t)m->lives.count);
    known = &m->lives.data[m->lives.count - 1];
  }
  known->last = step;
  if (written && !known->read && !fills_border(m->steps[step].kernel))
    known->name = m->steps[step].name;
  known->read = known->read || read;
}

static void visit(mapper *m, const qn_op *launch, int64_t step) {
  const qn_op *func = qn_str_map_get(&m->kernels, qn_op_kernel(launch));
  for (uint32_t i = 0; i + 1 < launch->operand_count; i++) {
    const qn_value *buffer = qn_op_operand(launch, i);
    int64_t offset;
    bool read, written;
    if (!place_of(m, buffer, &offset)) continue;
    uses_of(func, i, &read, &written);
    touch(m, buffer, offset, step, read, written);
  }
}

/* ---- live bytes at each launch: overlapping parts of a buffer count once ---- */

static int by_offset(const void *a, const void *b) {
  int64_t x = (*(const life *const *)a)->offset, y = (*(const life *const *)b)->offset;
  return (x > y) - (x < y);
}

static int64_t covered(const life **live, size_t count) {
  int64_t bytes = 0, end = 0;
  qsort(live, count, sizeof(const life *), by_offset);
  for (size_t i = 0; i < count; i++) {
    int64_t begin = live[i]->offset > end ? live[i]->offset : end;
    int64_t stop = live[i]->offset + live[i]->bytes;
    if (stop <= begin) continue;
    bytes += stop - begin;
    end = stop;
  }
  return bytes;
}

/* Sums up the live bytes at each launch. Lifetimes are sorted by their begin. */
static void count_live(mapper *m, int64_t steps) {
  const life **live = QN_NEW_ARRAY(m->arena, m->lives.count + 1, const life *);
  m->live_bytes = QN_NEW_ARRAY(m->arena, (size_t)steps + 1, int64_t);
  size_t count = 0, next = 0;
  for (int64_t step = 0; step < steps; step++) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
      if (live[i]->last >= step) live[kept++] = live[i];
    for (; next < m->lives.count && m->lives.data[next].first <= step; next++)
      live[kept++] = &m->lives.data[next];
    count = kept;
    m->live_bytes[step] = covered(live, count);
  }
}

/* ---- results ---- */

/* The name of a launch without the op's name, which follows line and column for models from text.
 */
static qn_str key_of(const char *name) {
  qn_str key = qn_str_of(name);
  for (size_t i = 0; i < key.size && key.data[0] >= '0' && key.data[0] <= '9'; i++)
    if (key.data[i] == ' ') key.size = i;
  return key;
}

/* Code that several operators launch counts for the first. */
static void add_kernel(const mapper *m, int64_t k, const qn_codegen_report *object,
                       qn_str_map *counted, qn_layer_facts *facts) {
  const char *name = m->steps[k].kernel;
  const qn_codegen_function *f = qn_inspect_function(object, name);
  if (!f) return;
  if ((int64_t)f->stack_bytes > facts->stack_bytes) facts->stack_bytes = (int64_t)f->stack_bytes;
  void **known = qn_str_map_at(counted, qn_str_of(name));
  if (!*known) facts->code_bytes += (int64_t)f->code_bytes;
  *known = facts;
}

static void sum_up(const mapper *m, int64_t steps, const qn_codegen_report *object,
                   qn_str_map *layers) {
  qn_str_map counted = {0};
  for (int64_t k = 0; k < steps; k++) {
    void **slot = qn_str_map_at(layers, key_of(m->steps[k].name));
    if (!*slot) *slot = QN_NEW(m->arena, qn_layer_facts);
    qn_layer_facts *facts = *slot;
    facts->rom_bytes += (int64_t)m->steps[k].constant_bytes;
    if (m->live_bytes[k] > facts->ram_bytes) facts->ram_bytes = m->live_bytes[k];
    if (object) add_kernel(m, k, object, &counted, facts);
  }
  qn_str_map_deinit(&counted);
}

static json_t *name_json(qn_json *pool, const char *name) {
  return qn_inspect_text(pool, name, strlen(name));
}

static json_t *result_of(qn_json *pool, const mapper *m, int64_t steps) {
  json_t *rows = qn_json_keep(pool, json_array()), *buffers = qn_json_keep(pool, json_array());
  for (int64_t k = 0; k < steps; k++)
    qn_json_append(rows, json_pack("{s:O, s:s, s:I}", "location", name_json(pool, m->steps[k].name),
                                   "kernel", m->steps[k].kernel, "live_bytes",
                                   (json_int_t)m->live_bytes[k]));
  for (size_t i = 0; i < m->lives.count; i++) {
    const life *l = &m->lives.data[i];
    qn_json_append(buffers,
                   json_pack("{s:I, s:I, s:I, s:I, s:O}", "offset", (json_int_t)l->offset, "bytes",
                             (json_int_t)l->bytes, "first", (json_int_t)l->first, "last",
                             (json_int_t)l->last, "location", name_json(pool, l->name)));
  }
  return qn_json_keep(pool, json_pack("{s:O, s:O}", "steps", rows, "buffers", buffers));
}

/* Whether argument `i` of a verified @main has the role. */
static bool has_role(const qn_module *loops, uint32_t i, qn_role role) {
  qn_port port;
  return qn_port_read(loops->cx, qn_module_main(loops), QN_SIDE_ARGUMENTS, i, &port) == QN_OK &&
         port.role == role;
}

/* The argument that has the role; NULL if there is none. */
static const qn_value *argument_of(const qn_module *loops, qn_role role) {
  const qn_block *body = qn_op_body(qn_module_main(loops));
  for (uint32_t i = 0; i < body->arg_count; i++)
    if (has_role(loops, i, role)) return body->args[i];
  return NULL;
}

int64_t qn_inspect_prepared(const qn_module *loops, const qn_target *target) {
  const qn_value *memory = argument_of(loops, QN_ROLE_PREPARED);
  return memory ? (int64_t)qn_prepared_bytes(target, (uint64_t)qn_type_size(memory->type)) : 0;
}

int64_t qn_inspect_states(const qn_module *loops, const qn_target *target) {
  const qn_block *body = qn_op_body(qn_module_main(loops));
  int64_t bytes = 0, line = target->line_bytes;
  for (uint32_t i = 0; i < body->arg_count; i++)
    if (has_role(loops, i, QN_ROLE_STATE))
      bytes += (qn_type_size(body->args[i]->type) + line - 1) / line * line;
  return bytes;
}

/* Follows the launches of @main. */
static int64_t map_launches(mapper *m, const qn_module *loops) {
  int64_t steps = 0;
  QN_FOR_EACH_OP(op, qn_op_body(loops->op))
  if (op->kind == QN_OP_FUNC) qn_str_map_set(&m->kernels, qn_op_sym_name(op), op);
  QN_FOR_EACH_NESTED_OP(op, qn_module_main(loops))
  if (qn_op_is_step(op)) visit(m, op, steps++);
  count_live(m, steps);
  return steps;
}

static void end_mapping(mapper *m) {
  qn_str_map_deinit(&m->kernels);
  qn_map_deinit(&m->current);
  qn_array_free(&m->lives);
}

/* The launch with the most live bytes; NULL if there is none. */
static const qn_op *fullest(const mapper *m, const qn_module *loops, int64_t *out_bytes) {
  const qn_op *found = NULL;
  int64_t step = 0;
  *out_bytes = 0;
  QN_FOR_EACH_NESTED_OP(op, qn_module_main(loops)) {
    if (!qn_op_is_step(op)) continue;
    if (m->live_bytes[step] > *out_bytes) {
      found = op;
      *out_bytes = m->live_bytes[step];
    }
    step++;
  }
  return found;
}

size_t qn_arena_launches(const qn_module *loops, qn_arena *arena, qn_launch_bytes **out_launches) {
  mapper m = {.memory = argument_of(loops, QN_ROLE_ARENA),
              .arena = arena,
              .steps = qn_steps_read(loops, arena)};
  size_t count = (size_t)map_launches(&m, loops), step = 0;
  *out_launches = QN_NEW_ARRAY(arena, count + 1, qn_launch_bytes);
  QN_FOR_EACH_NESTED_OP(op, qn_module_main(loops)) {
    if (!qn_op_is_step(op)) continue;
    (*out_launches)[step] = (qn_launch_bytes){op->loc, m.live_bytes[step]};
    step++;
  }
  end_mapping(&m);
  return count;
}

qn_status qn_arena_check(const qn_module *loops, size_t limit) {
  int64_t bytes = qn_op_arena_bytes(loops->op), live;
  if ((uint64_t)bytes <= limit) return QN_OK;
  qn_arena arena;
  qn_arena_init(&arena);
  mapper m = {.memory = argument_of(loops, QN_ROLE_ARENA),
              .arena = &arena,
              .steps = qn_steps_read(loops, &arena)};
  map_launches(&m, loops);
  const qn_op *launch = fullest(&m, loops, &live);
  qn_status status =
      qn_error(&loops->cx->diag, launch ? launch->loc : loops->op->loc, QN_LIMIT,
               "the arena takes %lld bytes, %lld more than its limit, also with the best bands of "
               "rows that were found: here %lld bytes are live at once; a smaller batch or a "
               "smaller input need less",
               (long long)bytes, (long long)bytes - (long long)limit, (long long)live);
  end_mapping(&m);
  qn_arena_deinit(&arena);
  return status;
}

json_t *qn_inspect_memory(qn_json *pool, const qn_module *loops, qn_arena *arena,
                          const qn_codegen_report *object, qn_str_map *layers,
                          int64_t *out_rom_bytes) {
  mapper m = {.memory = argument_of(loops, QN_ROLE_ARENA),
              .arena = arena,
              .steps = qn_steps_read(loops, arena)};
  int64_t steps = map_launches(&m, loops), rom = 0;
  QN_FOR_EACH_NESTED_OP(op, qn_module_main(loops))
  if (op->kind == QN_OP_MEMREF_GET_GLOBAL) rom += static_bytes(&op->results[0]);
  sum_up(&m, steps, object, layers);
  json_t *result = result_of(pool, &m, steps);
  end_mapping(&m);
  *out_rom_bytes = rom;
  return result;
}
