/* CumSum, CumProd, LpNormalization, MeanVarianceNormalization and SwiGLU: formulas along axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

enum { MOST_FACTORS = 4096 };

static qn_value *reversed(qn_graph_op *op, qn_value *x, uint32_t axis) {
  const int64_t axes[] = {axis};
  if (!x) return NULL;
  const qn_graph_shape shape = qn_graph_shape_of(x);
  return qn_graph_part(op, QN_OP_ML_REVERSE, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"axes", qn_attr_i64s(op->graph->cx, axes, 1)}));
}

static qn_value *sums(qn_graph_op *op, qn_value *x, uint32_t axis, bool exclusive) {
  qn_ir_context *cx = op->graph->cx;
  const qn_graph_shape shape = qn_graph_shape_of(x);
  const qn_attr *along = qn_attr_i64(cx, axis), *excludes = qn_attr_bool(cx, exclusive);
  return qn_graph_part(op, QN_OP_ML_CUMSUM, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"axis", along}, {"exclusive", excludes}));
}

/* One op per element of the axis. */
static qn_value *products(qn_graph_op *op, qn_value *x, uint32_t axis, bool exclusive) {
  const int64_t count = qn_onnx_dim(x, axis);
  const qn_type *element = qn_type_element(x->type);
  if (count > MOST_FACTORS) {
    qn_graph_error(op, NULL, QN_LIMIT, "products of %lld factors", (long long)count);
    return NULL;
  }
  qn_graph_shape shape = qn_graph_shape_of(x);
  qn_value **parts = QN_NEW_ARRAY(&op->graph->arena, (size_t)count, qn_value *);
  shape.dims[axis] = 1;
  qn_value *one = element->kind == QN_TYPE_FLOAT ? qn_onnx_as(op, qn_onnx_double(op, 1), element)
                                                 : qn_onnx_whole(op, element, 1);
  qn_value *y = qn_onnx_filled(op, one, &shape);
  for (int64_t i = 0; i < count; i++) {
    if (exclusive) parts[i] = y;
    y = qn_onnx_binary(op, QN_OP_ML_MUL, y, qn_onnx_cut(op, x, axis, i, i + 1));
    if (!exclusive) parts[i] = y;
    if (!y) return NULL;
  }
  return qn_onnx_joined(op, parts, (uint32_t)count, axis);
}

void qn_onnx_import_cumulate(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *operand = qn_graph_input(op, 1);
  const bool exclusive = qn_onnx_int(op, "exclusive", 0) != 0;
  const bool backward = qn_onnx_int(op, "reverse", 0) != 0;
  int64_t stated;
  uint32_t axis;
  if (op->failed || !qn_graph_scalar(op, operand, &stated) ||
      !qn_graph_axis(op, stated, x->shape.rank, &axis) || !qn_graph_has_elements(op, x) ||
      !qn_onnx_is_ordered(op, x))
    return;
  const bool is_whole = qn_onnx_is_whole(x->dtype);
  qn_value *v = is_whole ? qn_onnx_as_i64(op, qn_onnx_value(op, x), x->dtype) : qn_onnx_real(op, 0);
  if (backward) v = reversed(op, v, axis);
  if (!v) return;
  v = op->row->kind == QN_OP_ML_ADD ? sums(op, v, axis, exclusive)
                                    : products(op, v, axis, exclusive);
  if (backward) v = reversed(op, v, axis);
  qn_onnx_give(op, 0, x->dtype, is_whole ? qn_onnx_from_i64(op, v, x->dtype) : v);
}

/* x over its norm; 0 where that is 0. */
void qn_onnx_import_lp_norm(qn_graph_op *op) {
  const int64_t p = qn_onnx_int(op, "p", 2);
  qn_value *x = qn_onnx_real(op, 0);
  uint32_t axis;
  if (!x || op->failed || !qn_graph_axis(op, qn_onnx_int(op, "axis", -1), qn_onnx_rank(x), &axis))
    return;
  if (p != 1 && p != 2) {
    qn_graph_error(op, NULL, QN_INVALID, "'p' is %lld, not 1 or 2", (long long)p);
    return;
  }
  qn_value *each =
      p == 1 ? qn_onnx_unary(op, QN_OP_ML_ABS, x) : qn_onnx_binary(op, QN_OP_ML_MUL, x, x);
  qn_value *norm = qn_onnx_reduced_along(op, QN_OP_ML_REDUCE_SUM, each, axis);
  if (p == 2) norm = qn_onnx_unary(op, QN_OP_ML_SQRT, norm);
  qn_value *zero = qn_onnx_double(op, 0);
  qn_value *is_zero = norm ? qn_onnx_compare(op, QN_OP_ML_EQUAL, norm, zero) : NULL;
  qn_value *y = qn_onnx_binary(op, QN_OP_ML_REAL_DIV, x, norm);
  qn_onnx_give_real(op, 0, qn_onnx_choose(op, is_zero, zero, y));
}

/* (x - mean) / (standard deviation + 1e-9) */
void qn_onnx_import_mvn(qn_graph_op *op) {
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count, mask = 0;
  qn_value *x = qn_onnx_real(op, 0);
  if (!x || !qn_onnx_ints(op, "axes", QN_GRAPH_MAX_RANK, axes, &count)) return;
  if (count == 0) axes[0] = 0, axes[1] = 2, axes[2] = 3, count = 3;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t axis;
    if (!qn_graph_axis(op, axes[i], qn_onnx_rank(x), &axis)) return;
    mask |= 1u << axis;
  }
  count = 0;
  for (uint32_t i = 0; i < qn_onnx_rank(x); i++)
    if (mask >> i & 1) axes[count++] = i;
  qn_value *mean = qn_onnx_reduced(op, QN_OP_ML_REDUCE_MEAN, x, axes, count, true);
  qn_value *rest = qn_onnx_binary(op, QN_OP_ML_SUB, x, mean);
  qn_value *square = qn_onnx_binary(op, QN_OP_ML_MUL, rest, rest);
  qn_value *deviation = qn_onnx_reduced(op, QN_OP_ML_REDUCE_MEAN, square, axes, count, true);
  deviation = qn_onnx_unary(op, QN_OP_ML_SQRT, deviation);
  deviation = qn_onnx_with(op, QN_OP_ML_ADD, deviation, 1e-9);
  qn_onnx_give_real(op, 0, qn_onnx_binary(op, QN_OP_ML_REAL_DIV, rest, deviation));
}

/* a * logistic(alpha * a) * b */
void qn_onnx_import_swiglu(qn_graph_op *op) {
  const double alpha = (double)qn_onnx_float(op, "alpha", 1);
  qn_value *a = qn_onnx_real(op, 0), *b = qn_onnx_real(op, 1);
  if (!a || !b || op->failed) return;
  if (!qn_graph_has_shape_of(op, qn_graph_input(op, 1), qn_graph_input(op, 0), QN_INVALID)) return;
  qn_value *gate = qn_onnx_with(op, QN_OP_ML_MUL, a, alpha);
  gate = qn_onnx_unary(op, QN_OP_ML_SIGMOID, gate);
  gate = qn_onnx_binary(op, QN_OP_ML_MUL, a, gate);
  qn_onnx_give_real(op, 0, qn_onnx_binary(op, QN_OP_ML_MUL, gate, b));
}
