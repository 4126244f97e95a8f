/* Attributes of a loops module:
 *   module   quern.arena_bytes, quern.target, quern.probes (keep_tensors), beside what it had
 *   @main    arg_attrs: dictionaries of quern.role = "input" | "output" | "arena", quern.name,
 *            quern.dtype, quern.shape, quern.scale (0: not quantized), quern.zero_point,
 *            quern.index (tensor number of the model, -1 unknown)
 *   probe    {index, offset, bytes, output}: in the arena at offset, or (offset -1) output number
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/interface.h"

#include "ir/walk.h"
#include "lower/loops/buffers.h"
#include "lower/loops/check.h"
#include "lower/loops/plan.h"

static const qn_type *buffer_type(qn_loops *lo, const qn_type *tensor) {
  return qn_type_buf(lo->cx, qn_buffers_element(lo->cx, tensor->shaped.element),
                     qn_type_elements(tensor));
}

qn_op *qn_interface_create_main(qn_loops *lo, const qn_op *func) {
  const qn_block *body = qn_op_body(func);
  const qn_op *ret = body->last;
  uint32_t count = body->arg_count + ret->operand_count + 1, n = 0;
  const qn_type **inputs = QN_NEW_ARRAY(lo->scratch, count, const qn_type *);
  for (uint32_t i = 0; i < body->arg_count; i++) inputs[n++] = buffer_type(lo, body->args[i]->type);
  for (uint32_t i = 0; i < ret->operand_count; i++)
    inputs[n++] = buffer_type(lo, qn_op_operand(ret, i)->type);
  inputs[n++] = qn_type_buf(lo->cx, qn_type_i(lo->cx, 8), 0);
  qn_builder b = qn_builder_at_end(lo->module, qn_op_body(lo->module->op), func->loc);
  return qn_build_func(&b, qn_op_sym_name(func), qn_type_function(lo->cx, inputs, n, NULL, 0),
                       NULL);
}

/* ---- argument attributes ---- */

static const qn_attr *dict_get(const qn_attr *dict, const char *name) {
  for (uint32_t i = 0; dict && dict->kind == QN_ATTR_DICT && i < dict->dict.count; i++)
    if (qn_str_is(dict->dict.items[i].name, name)) return dict->dict.items[i].value;
  return NULL;
}

/* Dictionary i of "arg_attrs" or "res_attrs", or NULL. */
static const qn_attr *nth_dict(const qn_attr *list, uint32_t i) {
  return list && list->kind == QN_ATTR_ARRAY && i < list->array.count ? list->array.items[i] : NULL;
}

static qn_named_attr named(qn_loops *lo, const char *name, const qn_attr *value) {
  return (qn_named_attr){qn_intern(lo->cx, qn_str_of(name)), value};
}

static const qn_attr *string(qn_loops *lo, const char *text) {
  return qn_attr_string(lo->cx, qn_str_of(text));
}

static const qn_attr *of_kind(const qn_attr *attr, qn_attr_kind kind, const qn_attr *fallback) {
  return attr && attr->kind == kind ? attr : fallback;
}

static const qn_attr *describe(qn_loops *lo, const qn_type *tensor, const qn_attr *known,
                               const char *role, uint32_t number) {
  const qn_type *f64 = qn_type_float(lo->cx, QN_F64);
  qn_str name = qn_arena_format(lo->scratch, "%s%u", role, number);
  qn_named_attr items[] = {
      named(lo, "quern.role", string(lo, role)),
      named(lo, "quern.name",
            of_kind(dict_get(known, "quern.name"), QN_ATTR_STRING, qn_attr_string(lo->cx, name))),
      named(lo, "quern.dtype", string(lo, qn_loops_dtype(tensor->shaped.element))),
      named(lo, "quern.shape", qn_attr_i64s(lo->cx, tensor->shaped.dims, tensor->shaped.rank)),
      named(
          lo, "quern.scale",
          of_kind(dict_get(known, "quern.scale"), QN_ATTR_FLOAT, qn_attr_float(lo->cx, 0.0, f64))),
      named(lo, "quern.zero_point",
            of_kind(dict_get(known, "quern.zero_point"), QN_ATTR_INTEGER, qn_attr_i64(lo->cx, 0))),
      named(lo, "quern.index",
            of_kind(dict_get(known, "quern.index"), QN_ATTR_INTEGER, qn_attr_i64(lo->cx, -1)))};
  return qn_attr_dict(lo->cx, items, QN_COUNT(items));
}

static const qn_attr *arg_attrs(qn_loops *lo, const qn_op *func) {
  const qn_block *body = qn_op_body(func);
  const qn_op *ret = body->last;
  uint32_t n = 0;
  const qn_attr **dicts =
      QN_NEW_ARRAY(lo->scratch, body->arg_count + ret->operand_count + 1, const qn_attr *);
  for (uint32_t i = 0; i < body->arg_count; i++)
    dicts[n++] = describe(lo, body->args[i]->type, nth_dict(qn_op_arg_attrs(func), i), "input", i);
  for (uint32_t i = 0; i < ret->operand_count; i++)
    dicts[n++] =
        describe(lo, qn_op_operand(ret, i)->type, nth_dict(qn_op_res_attrs(func), i), "output", i);
  qn_named_attr role = named(lo, "quern.role", string(lo, "arena"));
  dicts[n++] = qn_attr_dict(lo->cx, &role, 1);
  return qn_attr_array(lo->cx, dicts, n);
}

/* ---- probes ---- */

static const qn_attr *probe(qn_loops *lo, int64_t tensor, const qn_value *v,
                            const int64_t *offsets) {
  qn_place place = qn_plan_place(lo->plan, v);
  const qn_storage *s = &lo->plan->storages.data[place.storage];
  bool in_arena = s->home == QN_HOME_ARENA;
  qn_named_attr items[] = {
      named(lo, "index", qn_attr_i64(lo->cx, tensor)),
      named(lo, "offset",
            qn_attr_i64(lo->cx, in_arena ? offsets[place.storage] + place.offset : -1)),
      named(lo, "bytes", qn_attr_i64(lo->cx, qn_tensor_bytes(v->type))),
      named(lo, "output", qn_attr_i64(lo->cx, in_arena ? -1 : (int64_t)s->index))};
  return qn_attr_dict(lo->cx, items, QN_COUNT(items));
}

/* Every tensor that an op of the model wrote, in order of execution. */
static const qn_attr *probes(qn_loops *lo, const qn_op *func, const int64_t *offsets) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(func)) count += op->result_count;
  const qn_attr **list = QN_NEW_ARRAY(lo->scratch, count, const qn_attr *);
  count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(func)) {
    qn_i64s tensors = qn_op_tensors(op);
    for (uint32_t i = 0; i < op->result_count && i < tensors.count && !qn_op_has(op, QN_CONSTANT);
         i++)
      if (tensors.data[i] >= 0)
        list[count++] = probe(lo, tensors.data[i], &op->results[i], offsets);
  }
  return qn_attr_array(lo->cx, list, count);
}

void qn_interface_finish(qn_loops *lo, const qn_op *func, qn_op *main_func, int64_t arena_bytes,
                         const int64_t *storage_offsets) {
  qn_module *m = lo->module;
  const qn_block *body = qn_op_body(main_func);
  const qn_type **inputs = QN_NEW_ARRAY(lo->scratch, body->arg_count, const qn_type *);
  qn_value_set_type(body->args[body->arg_count - 1],
                    qn_type_buf(lo->cx, qn_type_i(lo->cx, 8), arena_bytes));
  for (uint32_t i = 0; i < body->arg_count; i++) inputs[i] = body->args[i]->type;
  const qn_type *type = qn_type_function(lo->cx, inputs, body->arg_count, NULL, 0);
  qn_op_set_attr(m, main_func, "function_type", qn_attr_type(lo->cx, type));
  qn_op_set_attr(m, main_func, "arg_attrs", arg_attrs(lo, func));
  qn_op_set_attr(m, m->op, "quern.arena_bytes", qn_attr_i64(lo->cx, arena_bytes));
  qn_op_set_attr(m, m->op, "quern.target", string(lo, lo->target->name));
  if (lo->keep_tensors) qn_op_set_attr(m, m->op, "quern.probes", probes(lo, func, storage_offsets));
}
