/* The interpreter's driver: values, blocks, calls. What an op does is in the other files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/eval.h"

#include <string.h>

#include "base/checked.h"
#include "eval/eval_op.h"

/* ---- values ---- */

static bool has_storage(const qn_type *type) {
  return type->kind == QN_TYPE_TENSOR || type->kind == QN_TYPE_VECTOR;
}

static void give_storage(qn_eval *ev, qn_rt_value *slot, const qn_type *type) {
  if (slot->type == type && slot->data) return;
  slot->type = type;
  int64_t elements = qn_type_elements(type), bytes = 0;
  if (elements < 0) return;
  QN_ASSERT(qn_checked_mul(elements, qn_type_bytes(qn_type_element(type)), &bytes));
  slot->data = qn_arena_alloc(ev->arena, bytes > 0 ? (size_t)bytes : 1);
  slot->size = bytes;
}

qn_rt_value *qn_eval_result(qn_eval *ev, const qn_op *op, uint32_t i) {
  qn_rt_value *slot = &ev->values[op->results[i].id];
  const qn_type *type = op->results[i].type;
  if (has_storage(type)) give_storage(ev, slot, type);
  else slot->type = type;
  return slot;
}

void qn_eval_assign(qn_eval *ev, const qn_value *to, const qn_rt_value *from) {
  qn_rt_value *slot = &ev->values[to->id];
  if (!has_storage(to->type) || !qn_type_is_static(to->type)) {
    *slot = *from;
    return;
  }
  give_storage(ev, slot, to->type);
  QN_ASSERT(slot->size == from->size);
  memmove(slot->data, from->data, (size_t)from->size);
}

int64_t qn_rt_count(const qn_rt_value *value) {
  if (!qn_type_is_shaped(value->type)) return 1;
  uint32_t bytes = qn_type_bytes(qn_type_element(value->type));
  return bytes ? value->size / bytes : 0;
}

static int64_t read_int(const uint8_t *p, uint32_t bytes, bool is_unsigned) {
  switch (bytes) {
  case 1: return is_unsigned ? (int64_t)*p : (int64_t)(int8_t)*p;
  case 2: {
    uint16_t x;
    memcpy(&x, p, sizeof x);
    return is_unsigned ? (int64_t)x : (int64_t)(int16_t)x;
  }
  case 4: {
    uint32_t x;
    memcpy(&x, p, sizeof x);
    return is_unsigned ? (int64_t)x : (int64_t)(int32_t)x;
  }
  default: {
    int64_t x;
    memcpy(&x, p, sizeof x);
    return x;
  }
  }
}

int64_t qn_rt_int(const qn_rt_value *value, int64_t i) {
  if (!qn_type_is_shaped(value->type)) return value->i;
  const qn_type *element = qn_type_element(value->type);
  uint32_t bytes = qn_type_bytes(element);
  return read_int(value->data + i * bytes, bytes, qn_type_is_unsigned(element));
}

void qn_rt_set_int(qn_rt_value *value, int64_t i, int64_t x) {
  if (!qn_type_is_shaped(value->type)) {
    value->i = x;
    return;
  }
  uint32_t bytes = qn_type_bytes(qn_type_element(value->type));
  memcpy(value->data + i * bytes, &x, bytes); /* little endian */
}

double qn_rt_float(const qn_rt_value *value, int64_t i) {
  if (!qn_type_is_shaped(value->type)) return value->f;
  if (qn_type_bytes(qn_type_element(value->type)) == sizeof(float)) {
    float x;
    memcpy(&x, value->data + i * (int64_t)sizeof x, sizeof x);
    return x;
  }
  double x;
  memcpy(&x, value->data + i * (int64_t)sizeof x, sizeof x);
  return x;
}

void qn_rt_set_float(qn_rt_value *value, int64_t i, double x) {
  if (!qn_type_is_shaped(value->type)) {
    value->f = qn_type_is_float(value->type, QN_F32) ? (double)(float)x : x;
  } else if (qn_type_bytes(qn_type_element(value->type)) == sizeof(float)) {
    float narrow = (float)x;
    memcpy(value->data + i * (int64_t)sizeof narrow, &narrow, sizeof narrow);
  } else {
    memcpy(value->data + i * (int64_t)sizeof x, &x, sizeof x);
  }
}

const uint8_t *qn_rt_bytes(const qn_rt_value *value, uint8_t scratch[8]) {
  if (qn_type_is_shaped(value->type)) return value->data;
  if (value->type->kind != QN_TYPE_FLOAT) {
    memcpy(scratch, &value->i, sizeof value->i);
  } else if (value->type->float_kind == QN_F32) {
    float narrow = (float)value->f;
    memcpy(scratch, &narrow, sizeof narrow);
  } else {
    memcpy(scratch, &value->f, sizeof value->f);
  }
  return scratch;
}

void qn_rt_set_scalar(qn_rt_value *value, const uint8_t *bytes) {
  if (value->type->kind == QN_TYPE_FLOAT) {
    if (value->type->float_kind == QN_F32) {
      float narrow;
      memcpy(&narrow, bytes, sizeof narrow);
      value->f = narrow;
    } else {
      memcpy(&value->f, bytes, sizeof value->f);
    }
  } else {
    value->i = read_int(bytes, qn_type_bytes(value->type), qn_type_is_unsigned(value->type));
  }
}

/* ---- control ---- */

qn_status qn_eval_fail(qn_eval *ev, const qn_op *op, const char *format, ...) {
  qn_text text = {0};
  va_list arguments;
  va_start(arguments, format);
  qn_text_vformat(&text, format, arguments);
  va_end(arguments);
  qn_status status = qn_error(&ev->cx->diag, op->loc, QN_INVALID, "'%.*s' op %s",
                              QN_STR_ARG(op->name), text.data);
  qn_text_deinit(&text);
  return status;
}

const qn_op *qn_eval_symbol(qn_eval *ev, qn_str name) { return qn_str_map_get(&ev->symbols, name); }

static void observe_results(qn_eval *ev, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    ev->options->observe(ev->options->user, op, i, &ev->values[op->results[i].id]);
}

qn_status qn_eval_block(qn_eval *ev, const qn_block *block) {
  bool observed = ev->options->observe && block->region->owner == ev->entry;
  for (const qn_op *op = block->first; op; op = op->next) {
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

qn_status qn_eval_enter(qn_eval *ev, const qn_op *func, const qn_rt_value *const *args,
                        uint32_t arg_count) {
  const qn_block *body = qn_op_body(func);
  if (!body || !body->last) return qn_eval_fail(ev, func, "has no body to execute");
  if (body->next) return qn_eval_fail(ev, func, "has several blocks, which can't be interpreted");
  if (arg_count != body->arg_count)
    return qn_eval_fail(ev, func, "takes %u arguments, got %u", body->arg_count, arg_count);
  if (qn_map_get(&ev->active, func)) return qn_eval_fail(ev, func, "is called recursively");
  for (uint32_t i = 0; i < arg_count; i++) qn_eval_assign(ev, body->args[i], args[i]);
  qn_map_set(&ev->active, func, (void *)(uintptr_t)func);
  qn_status status = qn_eval_block(ev, body);
  qn_map_set(&ev->active, func, NULL);
  return status;
}

static void collect_symbols(qn_eval *ev) {
  for (const qn_op *op = qn_op_body(ev->module->op)->first; op; op = op->next)
    if (qn_op_has(op, QN_SYMBOL))
      qn_str_map_set(&ev->symbols, qn_op_string(op, "sym_name", ""), (void *)(uintptr_t)op);
}

qn_status qn_eval_call(const qn_module *module, const qn_op *func, const qn_rt_value *args,
                       uint32_t arg_count, qn_rt_value *out_results, qn_arena *arena,
                       const qn_eval_options *options) {
  static const qn_eval_options no_options = {0};
  qn_eval ev = {.module = module,
                .cx = module->cx,
                .arena = arena,
                .options = options ? options : &no_options,
                .entry = func};
  ev.values = QN_NEW_ARRAY(arena, module->value_count + 1, qn_rt_value);
  collect_symbols(&ev);
  const qn_rt_value **views = QN_NEW_ARRAY(arena, arg_count + 1, const qn_rt_value *);
  for (uint32_t i = 0; i < arg_count; i++) views[i] = &args[i];
  qn_status status = qn_eval_enter(&ev, func, views, arg_count);
  if (status == QN_OK) {
    const qn_op *last = qn_op_body(func)->last;
    for (uint32_t i = 0; i < last->operand_count; i++)
      out_results[i] = *qn_eval_operand(&ev, last, i);
  }
  qn_map_deinit(&ev.globals);
  qn_map_deinit(&ev.active);
  qn_str_map_deinit(&ev.symbols);
  return status;
}
