/* Helpers of signal.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/signal/signal.h"
#include "ir/ops/forms.h"

/* ---- options and operands ---- */

bool qn_signal_option(qn_graph_op *op, const char *name, int64_t least, int64_t most,
                      int64_t *out_value) {
  qn_flexmap map;
  qn_bytes options;
  if (!qn_tflite_custom_options(op, &options)) return false;
  if (!qn_flexmap_open(options, &map) || !qn_flexmap_int(&map, name, out_value))
    return qn_graph_error(op, NULL, QN_INVALID, "its option %s is missing, or no number", name);
  if (*out_value >= least && *out_value <= most) return true;
  return qn_graph_error(op, NULL, QN_UNSUPPORTED,
                        "its option %s is %lld; %lld to %lld are supported", name,
                        (long long)*out_value, (long long)least, (long long)most);
}

qn_graph_tensor *qn_signal_input(qn_graph_op *op, uint32_t i, uint8_t dtype, bool any_rank) {
  qn_graph_tensor *x = qn_graph_input(op, i);
  if (!x || op->failed) return NULL;
  bool ranked = any_rank ? x->shape.rank >= 1 : x->shape.rank == 1;
  if (x->dtype == dtype && ranked && qn_graph_elements(&x->shape) > 0) return x;
  qn_graph_error(op, x, QN_UNSUPPORTED, "it is %s of rank %u where %s of rank %s is expected",
                 qn_graph_dtype_name(x->dtype), x->shape.rank, qn_graph_dtype_name(dtype),
                 any_rank ? "1 and more, with elements," : "1, with elements,");
  return NULL;
}

static const qn_type *i64(const qn_graph_op *op) { return qn_type_i(op->graph->cx, 64); }

static qn_value *cast(qn_graph_op *op, qn_value *x, const qn_type *element) {
  if (!x || qn_type_element(x->type) == element) return x;
  const qn_graph_shape shape = qn_graph_shape_of(x);
  return qn_graph_part(op, QN_OP_ML_CAST, element, &shape, &x, 1, NULL);
}

qn_value *qn_signal_wide(qn_graph_op *op, qn_graph_tensor *tensor) {
  qn_value *x = tensor ? qn_graph_value(op, tensor) : NULL;
  if (!x) return NULL;
  const qn_quant_uniform *q = qn_type_quant(x->type);
  const qn_graph_shape shape = qn_graph_shape_of(x);
  if (q) x = qn_graph_part(op, QN_OP_QUANT_SCAST, q->storage, &shape, &x, 1, NULL);
  x = cast(op, x, i64(op));
  if (tensor->dtype == QN_GRAPH_UINT16)
    return qn_signal_with(op, QN_OP_ML_BITWISE_AND, x, UINT16_MAX);
  return tensor->dtype == QN_GRAPH_UINT32 ? qn_signal_low_32(op, x) : x;
}

const int64_t *qn_signal_numbers(qn_graph_op *op, uint32_t i, int64_t *out_count) {
  qn_graph_tensor *x = qn_signal_input(op, i, QN_GRAPH_INT16, false);
  if (!x) return NULL;
  *out_count = qn_graph_elements(&x->shape);
  if (x->data.size != 2 * (size_t)*out_count) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "it is not a constant");
    return NULL;
  }
  if (!qn_graph_spend(op, *out_count)) return NULL;
  int64_t *numbers = QN_NEW_ARRAY(&op->graph->arena, (size_t)*out_count, int64_t);
  for (int64_t k = 0; k < *out_count; k++) {
    const uint8_t *at = x->data.data + 2 * k;
    numbers[k] = (int16_t)(uint16_t)(at[0] | at[1] << 8);
  }
  return numbers;
}

void qn_signal_define(qn_graph_op *op, uint32_t i, uint8_t dtype, const qn_graph_shape *shape,
                      qn_value *value) {
  qn_graph_tensor *y = qn_graph_output(op, i);
  if (!y || op->failed || !value) return;
  if (y->dtype != dtype) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "it is %s where %s is expected",
                   qn_graph_dtype_name(y->dtype), qn_graph_dtype_name(dtype));
    return;
  }
  value = cast(op, value, qn_type_i(op->graph->cx, qn_graph_dtype_bits(dtype)));
  const qn_type *element = qn_graph_element_type(op->graph, op, y);
  if (!element) return;
  value = qn_graph_part(op, QN_OP_ML_RESHAPE, qn_type_element(value->type), shape, &value, 1, NULL);
  if (qn_type_element(value->type) != element)
    value = qn_graph_part(op, QN_OP_QUANT_SCAST, element, shape, &value, 1, NULL);
  qn_graph_define(op, y, shape, value);
}

qn_graph_variable *qn_signal_state(qn_graph_op *op, const char *part, const qn_type *type) {
  qn_graph *graph = op->graph;
  if ((op->frame && op->frame->outer) || graph->conditional) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "it keeps a state, and is in a subgraph");
    return NULL;
  }
  return qn_graph_add_variable(
      op, NULL,
      (qn_graph_variable){.container = qn_str_of("operators"),
                          .name = qn_arena_format(&graph->cx->arena, "%u.%s", op->index, part),
                          .type = type});
}

/* ---- arithmetic ---- */

qn_value *qn_signal_constants(qn_graph_op *op, const int64_t *values, const qn_graph_shape *shape) {
  size_t size = (size_t)qn_graph_elements(shape) * sizeof *values;
  const qn_attr *value = qn_attr_dense(op->graph->cx, qn_graph_shaped(op->graph, i64(op), shape),
                                       (qn_bytes){(const uint8_t *)values, size}, false);
  return qn_graph_part(op, QN_OP_ML_CONST, i64(op), shape, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_signal_constant(qn_graph_op *op, int64_t value) {
  const qn_graph_shape one = {1, {1}};
  return qn_signal_constants(op, &value, &one);
}

/* The broadcast shape, by numpy's rule; requires compatible shapes. */
static qn_graph_shape broadcast(qn_graph_shape a, qn_graph_shape b) {
  qn_graph_shape longer = a.rank >= b.rank ? a : b, shorter = a.rank >= b.rank ? b : a;
  uint32_t lead = longer.rank - shorter.rank;
  for (uint32_t i = 0; i < shorter.rank; i++)
    if (longer.dims[lead + i] == 1) longer.dims[lead + i] = shorter.dims[i];
  return longer;
}

static qn_value *two_as(qn_graph_op *op, qn_op_kind kind, const qn_type *element, qn_value *a,
                        qn_value *b) {
  if (!a || !b) return NULL;
  const qn_graph_shape left = qn_graph_shape_of(a), shape = broadcast(left, qn_graph_shape_of(b));
  return qn_graph_part(op, kind, element, &shape, (qn_value *[]){a, b}, 2, NULL);
}
qn_value *qn_signal_two(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b) {
  return two_as(op, kind, i64(op), a, b);
}
qn_value *qn_signal_with(qn_graph_op *op, qn_op_kind kind, qn_value *a, int64_t b) {
  return a ? qn_signal_two(op, kind, a, qn_signal_constant(op, b)) : NULL;
}

qn_value *qn_signal_is(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b) {
  return cast(op, two_as(op, kind, qn_type_i(op->graph->cx, 1), a, b), i64(op));
}

qn_value *qn_signal_pick(qn_graph_op *op, qn_op_kind kind, qn_value *a, qn_value *b, qn_value *yes,
                         qn_value *no) {
  qn_value *holds = two_as(op, kind, qn_type_i(op->graph->cx, 1), a, b);
  if (!holds || !yes || !no) return NULL;
  const qn_graph_shape first = qn_graph_shape_of(holds), second = qn_graph_shape_of(yes),
                       third = qn_graph_shape_of(no);
  const qn_graph_shape shape = broadcast(broadcast(first, second), third);
  return qn_graph_part(op, QN_OP_ML_SELECT, i64(op), &shape, (qn_value *[]){holds, yes, no}, 3,
                       NULL);
}

qn_value *qn_signal_shift(qn_graph_op *op, qn_value *x, int64_t n) {
  if (n == 0) return x;
  x = qn_signal_with(op, QN_OP_ML_SHIFT, x, n);
  if (n > 0) return x;
  return qn_signal_with(op, QN_OP_ML_BITWISE_AND, x, (int64_t)(UINT64_MAX >> -n));
}

qn_value *qn_signal_low_32(qn_graph_op *op, qn_value *x) {
  return qn_signal_with(op, QN_OP_ML_BITWISE_AND, x, UINT32_MAX);
}

qn_value *qn_signal_clamp(qn_graph_op *op, qn_value *x, int64_t low, int64_t high) {
  x = qn_signal_with(op, QN_OP_ML_MAXIMUM, x, low);
  return qn_signal_with(op, QN_OP_ML_MINIMUM, x, high);
}

qn_value *qn_signal_wrap(qn_graph_op *op, qn_value *x, uint32_t width) {
  return cast(op, cast(op, x, qn_type_i(op->graph->cx, width)), i64(op));
}

qn_value *qn_signal_bits(qn_graph_op *op, qn_value *x, int64_t most) {
  int64_t powers[32];
  if (!x) return NULL;
  for (int64_t i = 0; i < most; i++) powers[i] = INT64_C(1) << i;
  const qn_graph_shape row = {2, {1, most}};
  qn_value *column = qn_signal_view(op, x, x->type->shaped.dims[0], 1);
  qn_value *limits = qn_signal_constants(op, powers, &row);
  return qn_signal_reduce(op, QN_OP_ML_REDUCE_SUM,
                          qn_signal_is(op, QN_OP_ML_GREATER_EQUAL, column, limits));
}

qn_value *qn_signal_reduce(qn_graph_op *op, qn_op_kind kind, qn_value *x) {
  if (!x) return NULL;
  const int64_t last = 1;
  const qn_graph_shape shape = {1, {x->type->shaped.dims[0]}};
  return qn_graph_part(op, kind, i64(op), &shape, &x, 1,
                       QN_ATTRS({"axes", qn_attr_i64s(op->graph->cx, &last, 1)},
                                {"keep_dims", qn_attr_bool(op->graph->cx, false)}));
}

qn_value *qn_signal_gather(qn_graph_op *op, qn_value *x, qn_value *indices) {
  if (!x || !indices) return NULL;
  const qn_graph_shape shape = qn_graph_shape_of(indices);
  return qn_graph_part(op, QN_OP_ML_GATHER, i64(op), &shape, (qn_value *[]){x, indices}, 2,
                       QN_ATTRS({"axis", qn_attr_i64(op->graph->cx, 0)}));
}

qn_value *qn_signal_view(qn_graph_op *op, qn_value *x, int64_t rows, int64_t columns) {
  const qn_graph_shape shape = {2, {rows, columns}};
  return x ? qn_graph_view(op, x, &shape) : NULL;
}

qn_value *qn_signal_cut(qn_graph_op *op, qn_value *x, uint32_t axis, int64_t begin, int64_t end) {
  if (!x) return NULL;
  qn_ir_context *cx = op->graph->cx;
  qn_graph_shape shape = qn_graph_shape_of(x);
  int64_t from[QN_GRAPH_MAX_RANK] = {0}, to[QN_GRAPH_MAX_RANK], step[QN_GRAPH_MAX_RANK];
  for (uint32_t i = 0; i < shape.rank; i++) to[i] = shape.dims[i], step[i] = 1;
  from[axis] = begin;
  to[axis] = end;
  shape.dims[axis] = end - begin;
  return qn_graph_part(op, QN_OP_ML_SLICE_BY_INDEX, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"begin", qn_attr_i64s(cx, from, shape.rank)},
                                {"end", qn_attr_i64s(cx, to, shape.rank)},
                                {"stride", qn_attr_i64s(cx, step, shape.rank)}));
}

qn_value *qn_signal_join(qn_graph_op *op, qn_value *const *parts, uint32_t count, uint32_t axis) {
  if (!parts[0]) return NULL;
  qn_graph_shape shape = qn_graph_shape_of(parts[0]);
  for (uint32_t i = 1; i < count; i++) shape.dims[axis] += parts[i]->type->shaped.dims[axis];
  return qn_graph_part(op, QN_OP_ML_CONCAT, qn_type_element(parts[0]->type), &shape, parts, count,
                       QN_ATTRS({"axis", qn_attr_i64(op->graph->cx, axis)}));
}
