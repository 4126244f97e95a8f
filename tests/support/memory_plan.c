/* See memory_plan.h. A tensor is a range of bytes that one launch wrote. For every byte of the
 * arena and of the outputs, the check stores the last tensor that wrote it. Branches and loops are
 * checked along several paths: each branch taken, and loops with no, one and several iterations.
 * Each path is checked from the beginning.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/memory_plan.h"

#include <string.h>

#include "base/array.h"
#include "ir/op_attrs.h"
#include "ir/walk.h"

/* The memory of an operand of a launch. */
typedef struct place {
  const qn_value *base; /* argument of @main; NULL: a constant */
  int64_t offset, bytes;
  uint32_t inside; /* of a write: index of the later write that contains it */
} place;

typedef struct plan_check {
  const qn_module *module;
  const qn_op *main;
  qn_arena scratch;
  qn_text *out;
  bool ok;
  bool preparing; /* the launches that run once before the first call; then those of a call */
  QN_ARRAY(place) writes; /* [0]: no writer */
  uint32_t launch;
  uint32_t way, choices; /* the path through branches and loops; its choices so far */
  uint32_t **last;       /* [argument of @main][byte]: index into writes */
  const qn_block *batch; /* body of the loop over a batch that is being checked; NULL: none */
  int64_t iteration;     /* of it */
} plan_check;

static void complain(plan_check *c, const char *format, ...) QN_PRINTF(2, 3);
static void complain(plan_check *c, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_text_format(c->out, "launch %u: ", c->launch);
  qn_text_vformat(c->out, format, arguments);
  qn_text_putc(c->out, '\n');
  va_end(arguments);
  c->ok = false;
}

static const char *role_of(const plan_check *c, const qn_value *arg) {
  const qn_attr *attrs = qn_op_find(c->main, QN_A_ARG_ATTRS);
  if (!attrs || arg->index >= attrs->array.count) return "";
  const qn_attr *dict = attrs->array.items[arg->index];
  for (uint32_t i = 0; i < dict->dict.count; i++)
    if (qn_str_is(dict->dict.items[i].name, "quern.role"))
      return dict->dict.items[i].value->string.data;
  return "";
}

/* The byte offset of a view: a constant, or of a loop over a batch the iteration times a constant.
 */
static bool offset_of(const plan_check *c, const qn_op *view, int64_t *out_offset) {
  const qn_value *offset = qn_op_operand(view, 1);
  const qn_attr *constant = qn_value_constant(offset);
  *out_offset = constant ? constant->integer : 0;
  if (constant || !offset->op || offset->op->kind != QN_OP_ARITH_MULI) return constant != NULL;
  const qn_value *iteration = qn_op_operand(offset->op, 0);
  const qn_attr *bytes = qn_value_constant(qn_op_operand(offset->op, 1));
  if (!bytes || !iteration->block || iteration->block != c->batch) return false;
  *out_offset = c->iteration * bytes->integer;
  return true;
}

static place place_of(plan_check *c, const qn_value *v) {
  place p = {.bytes = qn_type_size(v->type)};
  for (; v->op && v->op->operand_count == 2; v = qn_op_operand(v->op, 0)) { /* views */
    int64_t offset;
    if (!offset_of(c, v->op, &offset)) complain(c, "a view has no known offset");
    p.offset += offset;
    if (offset % qn_type_bytes(qn_type_element(v->type)) != 0)
      complain(c, "a view at %lld is not aligned to its elements", (long long)offset);
  }
  p.base = v->block ? v : NULL;
  if (p.offset < 0 || p.offset + p.bytes > qn_type_size(v->type))
    complain(c, "[%lld, +%lld) is outside of its %lld bytes", (long long)p.offset,
             (long long)p.bytes, (long long)qn_type_size(v->type));
  return p;
}

/* ---- effects of a kernel on its buffers ---- */

enum { READS = 1, WRITES = 2 };

/* Whether a kernel reads or writes a buffer. An op on memory with results reads, an op without
 * results writes, except for a hint; views have memory as result. */
static int effects_of(const qn_value *buffer) {
  int effects = 0;
  for (const qn_use *use = buffer->first_use; use; use = use->next) {
    const qn_op *op = use->owner;
    if (op->kind == QN_OP_QUERN_PREFETCH) continue;
    bool view = op->result_count == 1 && op->results[0].type->kind == QN_TYPE_MEMREF;
    effects |= view ? effects_of(&op->results[0]) : op->result_count ? READS : WRITES;
  }
  return effects;
}

static bool overlap(place a, place b) {
  return a.base && a.base == b.base && a.offset < b.offset + b.bytes &&
         b.offset < a.offset + a.bytes;
}

/* ---- one launch ---- */

static bool is_clobbered(const plan_check *c, uint32_t a, uint32_t b) {
  const place *x = &c->writes.data[a], *y = &c->writes.data[b];
  return overlap(*x, *y) && x->inside != b && y->inside != a &&
         (x->inside == 0 || x->inside != y->inside);
}

/* Reports one error per read. Two tensors that overlap cannot both be intact, unless one is a part
 * of the other. */
static void check_read(plan_check *c, uint32_t operand, place p) {
  const uint32_t *last = c->last[p.base->index];
  if (strcmp(role_of(c, p.base), "input") == 0) return;
  uint32_t seen = 0;
  for (int64_t i = p.offset; i < p.offset + p.bytes; i++) {
    if (last[i] == 0) {
      complain(c, "operand %u reads byte %lld, which nothing has written", operand, (long long)i);
      return;
    }
    if (seen && last[i] != seen && is_clobbered(c, seen, last[i])) {
      complain(c, "operand %u reads byte %lld of a tensor that was overwritten in part", operand,
               (long long)i);
      return;
    }
    seen = last[i];
  }
}

/* Whether `part` is a part of `whole`. A concatenation writes around an operand that is already in
 * place: the operand must be inside the result, and its bytes stay. The interpreter checks the
 * values. */
static bool is_part(place part, place whole) {
  return part.offset >= whole.offset && part.offset + part.bytes <= whole.offset + whole.bytes &&
         part.bytes < whole.bytes;
}

static void check_write(plan_check *c, uint32_t operand, place p, const place *parts,
                        uint32_t part_count) {
  if (!p.base || strcmp(role_of(c, p.base), "input") == 0) {
    complain(c, "operand %u is written, but is an input or a constant", operand);
    return;
  }
  if ((strcmp(role_of(c, p.base), "prepared") == 0) != c->preparing) {
    complain(c, "operand %u is written, and is prepared memory in a call, or other memory before",
             operand);
    return;
  }
  uint32_t number = (uint32_t)c->writes.count, *last = c->last[p.base->index];
  qn_array_push(&c->writes, p);
  for (uint32_t k = 0; k < part_count; k++) {
    if (!overlap(parts[k], p)) continue;
    for (int64_t i = parts[k].offset; i < parts[k].offset + parts[k].bytes; i++)
      c->writes.data[last[i]].inside = number;
  }
  for (int64_t i = p.offset; i < p.offset + p.bytes; i++)
    if (c->writes.data[last[i]].inside != number) last[i] = number;
}

static void check_launch(plan_check *c, const qn_op *op) {
  uint32_t count = op->operand_count - 1;
  const qn_op *kernel = qn_module_lookup(c->module, qn_op_kernel(op));
  place *places = QN_NEW_ARRAY(&c->scratch, count + 1, place);
  int *effects = QN_NEW_ARRAY(&c->scratch, count + 1, int);
  c->launch++;
  for (uint32_t i = 0; i < count; i++) {
    places[i] = place_of(c, qn_op_operand(op, i));
    effects[i] = effects_of(qn_op_body(kernel)->args[i]);
  }
  if (!c->ok) return;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < count; k++)
      if (i != k && (effects[i] & WRITES) && effects[k] && overlap(places[i], places[k]) &&
          !(effects[k] == READS && is_part(places[k], places[i])))
        complain(c, "operand %u is written, and overlaps operand %u", i, k);
  for (uint32_t i = 0; i < count; i++)
    if (effects[i] == READS && places[i].base) check_read(c, i, places[i]);
  place *parts = QN_NEW_ARRAY(&c->scratch, count + 1, place);
  uint32_t part_count = 0;
  for (uint32_t i = 0; i < count; i++)
    if (effects[i] == READS) parts[part_count++] = places[i];
  for (uint32_t i = 0; i < count; i++)
    if (effects[i] & WRITES) check_write(c, i, places[i], parts, part_count);
}

/* ---- @main along one path ---- */

static void check_block(plan_check *c, const qn_block *block);

static void check_element(plan_check *c, const qn_op *op) {
  bool load = op->kind == QN_OP_MEMREF_LOAD;
  place p = place_of(c, qn_op_operand(op, load ? 0 : 1));
  if (!load)
    check_write(c, 1, p, NULL, 0);
  else if (p.base)
    check_read(c, 0, p);
}

/* The first paths are: first branches with two iterations; the other branches with no iteration;
 * one iteration. */
static uint32_t choose(plan_check *c) {
  enum { UNIFORM = 3 };
  if (c->way < UNIFORM) return c->way;
  uint32_t x = (c->way * 7919 + ++c->choices) * UINT32_C(2654435761);
  return (x >> 16) % UNIFORM;
}

/* Whether the bounds of a loop prove that it has an iteration. */
static bool has_rounds(const qn_op *op) {
  if (op->kind != QN_OP_SCF_FOR) return false;
  const qn_attr *lower = qn_value_constant(qn_op_operand(op, 0));
  const qn_attr *upper = qn_value_constant(qn_op_operand(op, 1));
  return lower && upper && lower->integer < upper->integer;
}

/* Whether views depend on the iteration. Only a loop over a batch has such views. */
static bool is_over_batch(const qn_op *op) {
  if (!has_rounds(op)) return false;
  const qn_block *body = qn_op_body(op);
  for (const qn_use *use = body->args[0]->first_use; use; use = use->next) {
    const qn_use *of_product = use->owner->result_count ? use->owner->results[0].first_use : NULL;
    if (of_product && of_product->owner->kind == QN_OP_MEMREF_VIEW) return true;
  }
  return false;
}

/* Every iteration, because each writes other bytes of the outputs. */
static void check_batch(plan_check *c, const qn_op *op) {
  c->batch = qn_op_body(op);
  int64_t lower = qn_value_constant(qn_op_operand(op, 0))->integer;
  int64_t upper = qn_value_constant(qn_op_operand(op, 1))->integer;
  for (c->iteration = lower; c->ok && c->iteration < upper; c->iteration++)
    check_block(c, c->batch);
  c->batch = NULL;
}

static void check_control(plan_check *c, const qn_op *op) {
  if (is_over_batch(op)) {
    check_batch(c, op);
    return;
  }
  static const uint32_t rounds[] = {2, 0, 1};
  uint32_t choice = choose(c), branch = choice % 2;
  if (op->kind == QN_OP_SCF_IF) {
    if (op->regions[branch].first) check_block(c, op->regions[branch].first);
    return;
  }
  uint32_t last = op->region_count - 1; /* with two regions, the first runs once more */
  if (last > 0) check_block(c, op->regions[0].first);
  uint32_t count = rounds[choice] > 0 || !has_rounds(op) ? rounds[choice] : 1;
  for (uint32_t i = 0; i < count; i++) {
    check_block(c, op->regions[last].first);
    if (last > 0) check_block(c, op->regions[0].first);
  }
}

static void check_block(plan_check *c, const qn_block *block) {
  QN_FOR_EACH_OP(op, block) {
    if (!c->ok) return;
    bool launch = qn_op_find(op, QN_A_KERNEL) != NULL;
    if (c->preparing != (launch && qn_op_prepares(op))) continue;
    if (launch) check_launch(c, op);
    if (op->kind == QN_OP_MEMREF_LOAD || op->kind == QN_OP_MEMREF_STORE) check_element(c, op);
    if (qn_op_has(op, QN_CONTROL)) check_control(c, op);
  }
}

/* ---- the end ---- */

static void check_written(plan_check *c, const qn_value *arg, int64_t offset, int64_t bytes,
                          const char *what) {
  if (offset < 0 || offset + bytes > qn_type_size(arg->type)) {
    complain(c, "%s is shown at [%lld, +%lld), outside of its memory", what, (long long)offset,
             (long long)bytes);
    return;
  }
  for (int64_t i = offset; i < offset + bytes; i++) {
    if (c->last[arg->index][i]) continue;
    complain(c, "byte %lld of %s is never written", (long long)i, what);
    return;
  }
}

static int64_t entry(const qn_attr *dict, const char *name) {
  for (uint32_t i = 0; i < dict->dict.count; i++)
    if (qn_str_is(dict->dict.items[i].name, name)) return dict->dict.items[i].value->integer;
  return -1;
}

static void check_end(plan_check *c) {
  const qn_block *body = qn_op_body(c->main);
  uint32_t inputs = 0;
  for (uint32_t i = 0; i < body->arg_count; i++) {
    const char *role = role_of(c, body->args[i]);
    if (strcmp(role, "input") == 0) inputs++;
    if (strcmp(role, "output") == 0)
      check_written(c, body->args[i], 0, qn_type_size(body->args[i]->type), "an output");
  }
  const qn_attr *probes = qn_op_find(c->module->op, QN_A_PROBES);
  for (uint32_t i = 0; probes && i < probes->array.count; i++) {
    const qn_attr *p = probes->array.items[i];
    int64_t output = entry(p, "output");
    const qn_value *arg = body->args[output >= 0 ? inputs + output : body->arg_count - 1];
    int64_t offset = output >= 0 ? 0 : entry(p, "offset");
    check_written(c, arg, offset, entry(p, "bytes"), "a shown tensor");
  }
}

static void check_way(plan_check *c, uint32_t way) {
  const qn_block *body = qn_op_body(c->main);
  c->way = way;
  c->launch = 0;
  c->writes.count = 0;
  qn_array_push(&c->writes, (place){0});
  for (uint32_t i = 0; i < body->arg_count; i++)
    memset(c->last[i], 0, ((size_t)qn_type_size(body->args[i]->type) + 1) * sizeof **c->last);
  c->preparing = true;
  check_block(c, body);
  c->preparing = false;
  check_block(c, body);
  if (c->ok) check_end(c);
}

bool qn_memory_plan_check(const qn_module *loops, qn_text *out) {
  enum { WAYS = 8 };
  plan_check c = {.module = loops, .main = qn_module_main(loops), .out = out, .ok = true};
  qn_arena_init(&c.scratch);
  const qn_block *body = qn_op_body(c.main);
  c.last = QN_NEW_ARRAY(&c.scratch, body->arg_count + 1, uint32_t *);
  for (uint32_t i = 0; i < body->arg_count; i++)
    c.last[i] = QN_NEW_ARRAY(&c.scratch, (size_t)qn_type_size(body->args[i]->type) + 1, uint32_t);
  bool branches = false;
  QN_FOR_EACH_OP(op, body) branches |= qn_op_has(op, QN_CONTROL);
  for (uint32_t way = 0; c.ok && way < (branches ? WAYS : 1); way++) check_way(&c, way);
  qn_array_free(&c.writes);
  qn_arena_deinit(&c.scratch);
  return c.ok;
}
