/* Driver of the interpreter: values, blocks, calls. The evaluators of ops are in the other files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/eval.h"

#include <string.h>

#include "base/checked.h"
#include "base/guard.h"
#include "eval/eval_op.h"
#include "ir/verify/check.h"
#include "ir/types/float_format.h"

/* ---- values ---- */

static bool has_storage(const qn_type *type) {
  return type->kind == QN_TYPE_TENSOR || type->kind == QN_TYPE_VECTOR;
}

/* Bytes of a static type whose size is known to be representable. */
static int64_t bytes_of(const qn_type *type) {
  int64_t bytes = qn_type_size(type);
  QN_ASSERT(bytes >= 0);
  return bytes;
}

static void give_storage(qn_eval *ev, qn_rt_value *slot, const qn_type *type) {
  if (slot->type == type && slot->capacity) return;
  slot->type = type;
  if (!qn_type_is_static(type)) return;
  slot->size = bytes_of(type);
  if (slot->data && slot->capacity >= slot->size) return;
  slot->capacity = slot->size > 0 ? slot->size : 1;
  slot->data = qn_arena_alloc(ev->arena, (size_t)slot->capacity);
}

qn_rt_value *qn_eval_open_result(qn_eval *ev, const qn_op *op, uint32_t i) {
  qn_rt_value *slot = &ev->values[op->results[i].id];
  const qn_type *type = op->results[i].type;
  if (has_storage(type))
    give_storage(ev, slot, type);
  else
    slot->type = type;
  return slot;
}

void qn_eval_assign(qn_eval *ev, const qn_value *to, const qn_rt_value *from) {
  qn_rt_value *slot = &ev->values[to->id];
  if (!has_storage(from->type)) {
    *slot = *from;
    return;
  }
  give_storage(ev, slot, from->type);
  QN_ASSERT(slot->size == from->size);
  if (from->size > 0 && slot->data != from->data) qn_rt_copy(slot->data, from->data, from->size);
}

/* ---- results of dynamic shape ---- */

bool qn_type_may_be(const qn_type *type, const qn_type *declared) {
  if (type == declared) return true;
  if (!has_storage(type) || type->kind != declared->kind || !qn_type_is_static(type) ||
      type->shaped.element != declared->shaped.element) {
    return false;
  }
  if (!declared->shaped.ranked) return true;
  if (type->shaped.rank != declared->shaped.rank) return false;
  for (uint32_t d = 0; d < type->shaped.rank; d++) {
    int64_t size = declared->shaped.dims[d];
    if (size != QN_DYNAMIC && size != type->shaped.dims[d]) return false;
  }
  return true;
}

enum { MAX_TENSOR_BYTES = INT32_MAX };
static const int64_t max_dynamic_bytes = INT64_C(1) << 33;

qn_status qn_eval_result_as(qn_eval *ev, const qn_op *op, uint32_t i, const qn_type *type,
                            qn_rt_value **out_slot) {
  qn_rt_value *slot = &ev->values[op->results[i].id];
  const qn_type *declared = op->results[i].type;
  *out_slot = slot;
  if (!qn_type_may_be(type, declared)) {
    return qn_eval_fail(ev, op, "result #%u has type %s, which is not a %s", i,
                        qn_type_quoted(ev->cx, type), qn_type_quoted(ev->cx, declared));
  }
  if (!has_storage(type)) {
    slot->type = type;
    return QN_OK;
  }
  int64_t elements = qn_type_elements(type), bytes = 0;
  bool fits =
      elements >= 0 && qn_checked_mul(elements, qn_type_bytes(type->shaped.element), &bytes);
  if (!fits || bytes > MAX_TENSOR_BYTES) {
    return qn_error(&ev->cx->diag, op->loc, QN_LIMIT, "'%.*s' op result #%u has more than %d bytes",
                    QN_STR_ARG(op->name), i, MAX_TENSOR_BYTES);
  }
  if (bytes > slot->capacity) ev->dynamic_bytes += bytes;
  if (ev->dynamic_bytes > max_dynamic_bytes) {
    return qn_error(
        &ev->cx->diag, op->loc, QN_LIMIT,
        "'%.*s' op needs more memory than the interpreter gives to tensors of dynamic shape",
        QN_STR_ARG(op->name));
  }
  give_storage(ev, slot, type);
  return QN_OK;
}

static bool same_dims(const qn_type *a, const qn_type *b) {
  if (a->shaped.rank != b->shaped.rank) return false;
  for (uint32_t d = 0; d < a->shaped.rank; d++)
    if (a->shaped.dims[d] != b->shaped.dims[d]) return false;
  return true;
}

qn_status qn_eval_tensor_like_operands(qn_eval *ev, const qn_op *op, qn_rt_value **out_slot) {
  const qn_type *declared = op->results[0].type, *shape = NULL;
  if (qn_type_is_static(declared)) {
    *out_slot = qn_eval_result(ev, op, 0);
    return QN_OK;
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_type *type = qn_eval_operand(ev, op, i)->type;
    if (!qn_type_is_shaped(type)) continue;
    if (!shape) shape = type;
    if (same_dims(shape, type)) continue;
    return qn_eval_fail(ev, op, "operands have the types %s and %s", qn_type_quoted(ev->cx, shape),
                        qn_type_quoted(ev->cx, type));
  }
  if (!shape) return qn_eval_fail(ev, op, "has a result of unknown shape");
  const qn_type *type = qn_type_with_element(ev->cx, shape, declared->shaped.element);
  return qn_eval_result_as(ev, op, 0, type, out_slot);
}

/* ---- elements ---- */

int64_t qn_rt_int(const qn_rt_value *value, int64_t i) {
  if (!qn_type_is_shaped(value->type)) return value->i;
  const qn_type *element = qn_type_element(value->type);
  return qn_read_int(value->data, i, qn_type_bytes(element), qn_type_is_unsigned(element));
}

void qn_rt_set_int(qn_rt_value *value, int64_t i, int64_t x) {
  if (!qn_type_is_shaped(value->type)) {
    value->i = x;
    return;
  }
  qn_write_int(value->data, i, qn_type_bytes(qn_type_element(value->type)), x);
}

double qn_rt_float(const qn_rt_value *value, int64_t i) {
  if (!qn_type_is_shaped(value->type)) return value->f;
  const qn_type *element = qn_type_element(value->type);
  return qn_float_load(element->float_kind, value->data + i * qn_type_bytes(element));
}

void qn_rt_set_float(qn_rt_value *value, int64_t i, double x) {
  const qn_type *element = qn_type_element(value->type);
  if (!qn_type_is_shaped(value->type))
    value->f = qn_float_round(element->float_kind, x);
  else
    qn_float_store(element->float_kind, x, value->data + i * qn_type_bytes(element));
}

const uint8_t *qn_rt_scalar_bytes(const qn_rt_value *value, uint8_t scratch[QN_SCALAR_BYTES]) {
  memset(scratch, 0, QN_SCALAR_BYTES);
  if (value->type->kind == QN_TYPE_FLOAT)
    qn_float_store(value->type->float_kind, value->f, scratch);
  else
    memcpy(scratch, &value->i, sizeof value->i);
  return scratch;
}

void qn_rt_set_scalar(qn_rt_value *value, const uint8_t *bytes) {
  const qn_type *type = value->type;
  if (type->kind == QN_TYPE_FLOAT)
    value->f = qn_float_load(type->float_kind, bytes);
  else
    value->i = qn_read_int(bytes, 0, qn_type_bytes(type), qn_type_is_unsigned(type));
}

#define FILL(T)                                                                                    \
  {                                                                                                \
    T x;                                                                                           \
    memcpy(&x, pattern, sizeof x);                                                                 \
    for (int64_t k = 0; k < size / (int64_t)sizeof x; k++)                                         \
      memcpy(to + k * (int64_t)sizeof x, &x, sizeof x);                                            \
    return;                                                                                        \
  }

void qn_rt_fill(uint8_t *to, int64_t size, const uint8_t *pattern, int64_t period) {
  switch (period) { /* constant sizes, which need no call */
  case 1:
    FILL(uint8_t)
  case 2:
    FILL(uint16_t)
  case 4:
    FILL(uint32_t)
  case 8:
    FILL(uint64_t)
  default:
    for (int64_t at = 0; at + period <= size; at += period)
      memcpy(to + at, pattern, (size_t)period);
  }
}
#undef FILL

/* ---- control ---- */

qn_status qn_eval_fail(qn_eval *ev, const qn_op *op, const char *format, ...) {
  qn_text text = {0};
  va_list arguments;
  va_start(arguments, format);
  qn_text_vformat(&text, format, arguments);
  va_end(arguments);
  qn_status status =
      qn_error(&ev->cx->diag, op->loc, QN_INVALID, "'%.*s' op %s", QN_STR_ARG(op->name), text.data);
  qn_text_deinit(&text);
  return status;
}

qn_status qn_eval_undefined(qn_eval *ev, const qn_op *op, const char *what) {
  const qn_eval_options *options = ev->options;
  if (!options->is_meant || options->is_meant(options->user, op))
    return qn_eval_fail(ev, op, "%s", what);
  qn_rt_value *out;
  QN_TRY(qn_eval_result_like_operands(ev, op, &out));
  if (qn_type_is_shaped(out->type))
    memset(out->data, 0, (size_t)out->size);
  else
    out->i = 0, out->f = 0;
  return QN_OK;
}

const qn_op *qn_eval_symbol(qn_eval *ev, qn_str name) { return qn_str_map_get(&ev->symbols, name); }

static void observe_results(qn_eval *ev, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    ev->options->observe(ev->options->user, op, i, &ev->values[op->results[i].id]);
}

static qn_status run_ops(qn_eval *ev, const qn_block *block) {
  bool observed = ev->options->observe && block->region->owner == ev->entry;
  for (const qn_op *op = block->first; op; op = op->next) {
    if (ev->timed) qn_guard_check_time();
    if (ev->options->max_steps > 0 && ++ev->steps > ev->options->max_steps)
      return qn_error(&ev->cx->diag, op->loc, QN_LIMIT, "interpreter stopped after %lld operations",
                      (long long)ev->options->max_steps);
    if (op->kind == QN_OP_UNREGISTERED)
      return qn_error(&ev->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' op has no evaluator",
                      QN_STR_ARG(op->name));
    QN_TRY(qn_eval_table[op->kind](ev, op));
    if (observed) observe_results(ev, op);
  }
  return QN_OK;
}

qn_status qn_eval_block(qn_eval *ev, const qn_block *block) {
  enum { MAX_DEPTH = 1024 }; /* maximum depth, limited by the stack */
  if (ev->depth >= MAX_DEPTH)
    return qn_error(&ev->cx->diag, block->region->owner->loc, QN_LIMIT,
                    "regions and calls are nested more than %d deep", MAX_DEPTH);
  ev->depth++;
  qn_status status = run_ops(ev, block);
  ev->depth--;
  return status;
}

/* Whether the block computes the value only to assign it, and again in each iteration, so that the
 * value's storage is free afterwards. */
static bool moves(const qn_block *block, const qn_value *value) {
  return value->op && value->op->block == block && qn_value_has_one_use(value);
}
/* Assigns such a value: the storages of both change places. */
static void move(qn_eval *ev, const qn_value *to, const qn_value *from) {
  qn_rt_value *slot = &ev->values[to->id], *source = &ev->values[from->id];
  bool own = slot->capacity > 0 && source->capacity > 0;
  if (!own || slot->type != source->type) {
    qn_eval_assign(ev, to, source);
    return;
  }
  QN_ASSERT(slot->size == source->size);
  uint8_t *data = slot->data;
  int64_t capacity = slot->capacity;
  slot->data = source->data, slot->capacity = source->capacity;
  source->data = data, source->capacity = capacity;
}

/* Whether a value to be assigned is an argument of the same block at another position. Then it must
 * be staged, because an earlier assignment would overwrite it before it is read. */
static bool rotates(const qn_block *block, uint32_t first_arg, const qn_op *from,
                    uint32_t first_operand, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const qn_value *value = qn_op_operand(from, first_operand + i);
    if (value->block == block && value != block->args[first_arg + i]) return true;
  }
  return false;
}

void qn_eval_assign_args(qn_eval *ev, const qn_block *block, uint32_t first_arg, const qn_op *from,
                         uint32_t first_operand, uint32_t count) {
  qn_value *const *args = block->args + first_arg;
  if (!rotates(block, first_arg, from, first_operand, count)) {
    for (uint32_t i = 0; i < count; i++) {
      const qn_value *value = qn_op_operand(from, first_operand + i);
      if (moves(block, value))
        move(ev, args[i], value);
      else
        qn_eval_assign(ev, args[i], &ev->values[value->id]);
    }
    return;
  }
  qn_arena staging; /* a separate arena, because argument storage allocated meanwhile must stay */
  qn_arena_init(&staging);
  qn_rt_value *staged = QN_NEW_ARRAY(&staging, count, qn_rt_value);
  for (uint32_t i = 0; i < count; i++) {
    staged[i] = *qn_eval_operand(ev, from, first_operand + i);
    if (has_storage(staged[i].type) && staged[i].size > 0)
      staged[i].data = qn_arena_copy(&staging, staged[i].data, (size_t)staged[i].size);
  }
  for (uint32_t i = 0; i < count; i++) qn_eval_assign(ev, args[i], &staged[i]);
  qn_arena_deinit(&staging);
}

/* Runs block after block until a terminator has no successor. */
static qn_status run_blocks(qn_eval *ev, const qn_block *block, const qn_op **out_last) {
  for (;;) {
    QN_TRY(qn_eval_block(ev, block));
    const qn_op *last = block->last;
    *out_last = last;
    if (last->successor_count == 0) return QN_OK;
    uint32_t first = qn_op_successor_operand(last, ev->taken);
    block = last->successors[ev->taken];
    qn_eval_assign_args(ev, block, 0, last, first, block->arg_count);
    if (!block->last) return qn_eval_fail(ev, last, "branches to an empty block");
  }
}

qn_status qn_eval_bind(qn_eval *ev, const qn_op *func, const qn_rt_value *const *args,
                       uint32_t arg_count) {
  const qn_block *body = qn_op_body(func);
  if (!body || !body->last) return qn_eval_fail(ev, func, "has no body to execute");
  if (arg_count != body->arg_count)
    return qn_eval_fail(ev, func, "takes %u arguments, got %u", body->arg_count, arg_count);
  for (uint32_t i = 0; i < arg_count; i++) {
    if (qn_type_may_be(args[i]->type, body->args[i]->type)) continue;
    return qn_eval_fail(ev, func, "takes %s as argument #%u, got %s",
                        qn_type_quoted(ev->cx, body->args[i]->type), i,
                        qn_type_quoted(ev->cx, args[i]->type));
  }
  if (qn_map_get(&ev->active, func)) return qn_eval_fail(ev, func, "is called recursively");
  for (uint32_t i = 0; i < arg_count; i++) qn_eval_assign(ev, body->args[i], args[i]);
  return QN_OK;
}

qn_status qn_eval_enter(qn_eval *ev, const qn_op *func, const qn_rt_value *const *args,
                        uint32_t arg_count, const qn_op **out_return) {
  QN_TRY(qn_eval_bind(ev, func, args, arg_count));
  qn_map_set(&ev->active, func, (void *)(uintptr_t)func);
  qn_status status = run_blocks(ev, qn_op_body(func), out_return);
  qn_map_set(&ev->active, func, NULL);
  return status;
}

static void collect_symbols(qn_eval *ev) {
  for (const qn_op *op = qn_op_body(ev->module->op)->first; op; op = op->next)
    if (qn_op_has(op, QN_SYMBOL))
      qn_str_map_set(&ev->symbols, qn_op_sym_name(op), (void *)(uintptr_t)op);
}

void qn_eval_open(qn_eval *ev, const qn_module *module, const qn_op *entry, qn_arena *arena,
                  const qn_eval_options *options) {
  static const qn_eval_options no_options = {0};
  const qn_guard *guard = qn_guard_current();
  *ev = (qn_eval){.module = module,
                  .cx = module->cx,
                  .arena = arena,
                  .options = options ? options : &no_options,
                  .entry = entry,
                  .timed = guard && guard->account && guard->account->timed,
                  .index_bits = (uint32_t)qn_op_index_bits(module->op)};
  ev->values = QN_NEW_ARRAY(arena, module->value_count + 1, qn_rt_value);
  collect_symbols(ev);
}

void qn_eval_close(qn_eval *ev) {
  qn_map_deinit(&ev->globals);
  qn_map_deinit(&ev->active);
  qn_str_map_deinit(&ev->symbols);
}

qn_status qn_eval_call(const qn_module *module, const qn_op *func, const qn_rt_value *args,
                       uint32_t arg_count, qn_rt_value *out_results, qn_arena *arena,
                       const qn_eval_options *options) {
  qn_eval ev;
  qn_eval_open(&ev, module, func, arena, options);
  const qn_rt_value **views = QN_NEW_ARRAY(arena, arg_count + 1, const qn_rt_value *);
  for (uint32_t i = 0; i < arg_count; i++) views[i] = &args[i];
  const qn_op *last = NULL;
  qn_status status = qn_eval_enter(&ev, func, views, arg_count, &last);
  if (status == QN_OK) {
    for (uint32_t i = 0; i < last->operand_count; i++)
      out_results[i] = *qn_eval_operand(&ev, last, i);
  }
  qn_eval_close(&ev);
  return status;
}
