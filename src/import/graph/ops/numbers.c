/* Operators on numbers of any type: functions of one, two and three tensors, comparisons,
 * argmin and argmax. Planning an op reports whether the runtime has a kernel for it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/ops/ops.h"
#include "ir/ops/forms.h"

/* Checks that a and b have equal quantization, or one plain type. */
static bool numbers(qn_graph_op *op, const qn_graph_tensor *a, const qn_graph_tensor *b) {
  return qn_graph_is_quantized(a) ? qn_graph_matching(op, a, b, false) : qn_graph_movable(op, a, b);
}

static void build_on(qn_graph_op *op, qn_graph_tensor *x, qn_graph_attrs *attrs) {
  qn_value *value = qn_graph_value(op, x);
  qn_graph_shape shape = x->shape;
  if (value) qn_graph_build(op, op->row->kind, &value, 1, attrs, &shape);
}

static void import_with(qn_graph_op *op, const char *name, const qn_attr *value) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  qn_graph_attrs attrs = {0};
  if (op->failed || !numbers(op, x, y)) return;
  qn_graph_attr(&attrs, name, value);
  build_on(op, x, &attrs);
}

void qn_graph_import_elementwise(qn_graph_op *op) { import_with(op, "", NULL); }

void qn_graph_leaky_relu(qn_graph_op *op, double alpha) {
  qn_ir_context *cx = op->graph->cx;
  if (!isfinite(alpha)) {
    qn_graph_error(op, NULL, QN_INVALID, "alpha is %g; it must be finite", alpha);
    return;
  }
  import_with(op, "alpha", qn_attr_float(cx, alpha, qn_type_float(cx, QN_F64)));
}

void qn_graph_gelu(qn_graph_op *op, bool approximate) {
  const char *mode = approximate ? "tanh_approximation" : "exact";
  import_with(op, "mode", qn_attr_string(op->graph->cx, qn_str_of(mode)));
}

void qn_graph_local_response(qn_graph_op *op, int64_t radius, double offset, double alpha,
                             double beta) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  const struct {
    const char *name;
    double value;
  } numbers_of[] = {{"offset", offset}, {"alpha", alpha}, {"beta", beta}};
  qn_graph_attrs attrs = {0};
  if (op->failed || !qn_graph_check_dtype(op, x, QN_GRAPH_FLOAT32) ||
      !qn_graph_check_dtype(op, y, x->dtype))
    return;
  if (radius < 0 || x->shape.rank != 4) {
    qn_graph_error(op, x, QN_INVALID, "a radius of %lld, or rank %u where 4 is expected",
                   (long long)radius, x->shape.rank);
    return;
  }
  if (x->shape.dims[3] > QN_ML_LONGEST_ROW) {
    qn_graph_error(op, x, QN_LIMIT, "%lld channels are more than the limit of %d",
                   (long long)x->shape.dims[3], QN_ML_LONGEST_ROW);
    return;
  }
  qn_graph_attr(&attrs, "radius", qn_attr_i64(cx, radius));
  for (size_t i = 0; i < QN_COUNT(numbers_of); i++) {
    double value = numbers_of[i].value;
    if (!isfinite(value)) {
      qn_graph_error(op, NULL, QN_INVALID, "%s is %g; it must be finite", numbers_of[i].name,
                     value);
      return;
    }
    qn_graph_attr(&attrs, numbers_of[i].name, qn_attr_float(cx, value, qn_type_float(cx, QN_F64)));
  }
  build_on(op, x, &attrs);
}

/* ---- several operands ---- */

static void build_broadcast(qn_graph_op *op, qn_graph_tensor *const *x, uint32_t count) {
  qn_value *operands[3];
  qn_graph_shape shape = x[count - 1]->shape;
  for (uint32_t i = count - 1; i-- > 0;) {
    qn_graph_tensor so_far = {.shape = shape};
    if (!qn_graph_broadcast(op, x[i], &so_far, &shape)) return;
  }
  for (uint32_t i = 0; i < count; i++) operands[i] = qn_graph_value(op, x[i]);
  qn_graph_attrs attrs = {0};
  if (!op->failed) qn_graph_build(op, op->row->kind, operands, count, &attrs, &shape);
}

/* Checks operand 1, for PRELU the slopes: 8 bits if the activations have 16 bits, else the type of
 * operand 0. */
static bool slopes(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *slope) {
  qn_graph_q8 q8;
  bool wide = op->row->kind == QN_OP_ML_PRELU && x->dtype == QN_GRAPH_INT16 &&
              qn_graph_is_quantized(x) && slope->dtype == QN_GRAPH_INT8;
  return wide ? qn_graph_activation(op, slope, &q8) : numbers(op, x, slope);
}

void qn_graph_import_pair(qn_graph_op *op) {
  qn_graph_tensor *x[] = {qn_graph_input(op, 0), qn_graph_input(op, 1)},
                  *y = qn_graph_output(op, 0);
  if (op->failed || !slopes(op, x[0], x[1]) || !numbers(op, x[0], y)) return;
  build_broadcast(op, x, 2);
}

/* Logical ops with one or two booleans. */
void qn_graph_import_logical(qn_graph_op *op) {
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed || !qn_graph_check_dtype(op, x, QN_GRAPH_BOOL)) return;
  if (op->inputs.count == 1)
    qn_graph_import_elementwise(op);
  else
    qn_graph_import_pair(op);
}

/* f32 operands of equal shape only: the runtime's kernel does not broadcast. */
void qn_graph_import_atan2(qn_graph_op *op) {
  const qn_graph_tensor *y = qn_graph_input(op, 0), *x = qn_graph_input(op, 1);
  if (op->failed || !qn_graph_check_dtype(op, y, QN_GRAPH_FLOAT32)) return;
  if (qn_graph_has_shape_of(op, x, y, QN_UNSUPPORTED)) qn_graph_import_pair(op);
}

void qn_graph_import_comparison(qn_graph_op *op) {
  qn_graph_tensor *x[] = {qn_graph_input(op, 0), qn_graph_input(op, 1)},
                  *y = qn_graph_output(op, 0);
  if (op->failed || !numbers(op, x[0], x[1]) || !qn_graph_check_dtype(op, y, QN_GRAPH_BOOL)) return;
  build_broadcast(op, x, 2);
}

/* Imports SELECT and SELECT_V2. `by_entry`: the condition may also be a vector with one boolean per
 * index of the first dimension. */
static void import_select(qn_graph_op *op, bool by_entry) {
  qn_graph_tensor *x[] = {qn_graph_input(op, 0), qn_graph_input(op, 1), qn_graph_input(op, 2)},
                  *y = qn_graph_output(op, 0), column;
  if (op->failed || !qn_graph_check_dtype(op, x[0], QN_GRAPH_BOOL) ||
      !qn_graph_movable(op, x[1], x[2]) || !qn_graph_movable(op, x[1], y))
    return;
  if (by_entry && x[0]->shape.rank == 1 && x[1]->shape.rank > 1 &&
      qn_graph_same_shape(&x[1]->shape, &x[2]->shape) && x[0]->shape.dims[0] != 1) {
    if (x[0]->shape.dims[0] != x[1]->shape.dims[0]) {
      qn_graph_error(op, x[0], QN_INVALID, "it must have a condition for each of %lld entries",
                     (long long)x[1]->shape.dims[0]);
      return;
    }
    qn_value *conditions = qn_graph_value(op, x[0]);
    if (!conditions) return;
    column = *x[0]; /* one condition per index of the first dimension */
    column.shape = (qn_graph_shape){.rank = x[1]->shape.rank, .dims = {x[0]->shape.dims[0]}};
    for (uint32_t i = 1; i < column.shape.rank; i++) column.shape.dims[i] = 1;
    column.value = qn_graph_view(op, conditions, &column.shape);
    x[0] = &column;
  }
  build_broadcast(op, x, 3);
}

void qn_graph_import_select(qn_graph_op *op) { import_select(op, false); }
void qn_graph_import_select_entries(qn_graph_op *op) { import_select(op, true); }

/* ---- ARG_MAX and ARG_MIN, and ADD_N ---- */

void qn_graph_import_arg(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *operand = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  int64_t stated;
  uint32_t count, axis;
  if (op->failed || !qn_graph_ints(op, operand, 1, &stated, &count) ||
      !qn_graph_axis(op, count ? stated : 0, x->shape.rank, &axis))
    return;
  if (y->dtype != QN_GRAPH_INT32 && y->dtype != QN_GRAPH_INT64) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "it is %s where int32 or int64 is expected",
                   qn_graph_dtype_name(y->dtype));
    return;
  }
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axis", qn_attr_i64(cx, axis));
  qn_graph_attr(&attrs, "keep_dims", qn_attr_bool(cx, false));
  qn_graph_shape shape = {0};
  for (uint32_t i = 0; i < x->shape.rank; i++)
    if (i != axis) shape.dims[shape.rank++] = x->shape.dims[i];
  qn_graph_build(op, op->row->kind, &value, 1, &attrs, &shape);
}

/* Sums operands one after the other. 8-bit sums are rejected, because the kernel rescales them by a
 * different rule. */
void qn_graph_import_add_n(qn_graph_op *op) {
  qn_graph_tensor *first = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed || !qn_graph_movable(op, first, y)) return;
  if (first->dtype != QN_GRAPH_FLOAT32 && first->dtype != QN_GRAPH_INT32) {
    qn_graph_error(op, first, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(first->dtype));
    return;
  }
  qn_value *sum = qn_graph_value(op, first);
  uint32_t count = op->inputs.count;
  for (uint32_t i = 1; sum && i < count; i++) {
    qn_graph_tensor *x = qn_graph_input(op, i);
    if (!x || !qn_graph_movable(op, first, x)) return;
    if (!qn_graph_has_shape_of(op, x, first, QN_INVALID)) return;
    qn_value *operands[] = {sum, qn_graph_value(op, x)};
    if (!operands[1]) return;
    qn_graph_attrs attrs = {0};
    const qn_type *element = qn_type_element(sum->type);
    const qn_attr *activation = qn_graph_unfused(op->graph, first->dtype);
    qn_graph_attr(&attrs, "activation", activation);
    if (i + 1 == count)
      qn_graph_build(op, QN_OP_ML_ADD, operands, 2, &attrs, &first->shape);
    else
      sum = qn_graph_part(op, QN_OP_ML_ADD, element, &first->shape, operands, 2,
                          QN_ATTRS({"activation", activation}));
  }
  qn_graph_attrs attrs = {0};
  if (sum && count == 1) qn_graph_build(op, QN_OP_ML_RESHAPE, &sum, 1, &attrs, &first->shape);
}
