/* Operators along one or several axes that are formulas of several ops: LogSoftmax, Hardmax,
 * RMSNormalization, ReduceL1, ReduceL2, ReduceSumSquare, ReduceLogSum, ReduceLogSumExp, the losses
 * of classification, and GatherElements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

/* Reads operand 0 and the axis. Before opset version 13, the operand is viewed as a matrix whose
 * rows consist of all dimensions from the axis on. */
static bool open_rows(qn_graph_op *op, qn_value **out, uint32_t *out_axis) {
  const bool flattens = qn_onnx_opset(op) < 13;
  qn_value *x = qn_onnx_real(op, 0);
  const int64_t stated = qn_onnx_int(op, "axis", flattens ? 1 : -1);
  if (!x || op->failed || !qn_graph_axis(op, stated, qn_onnx_rank(x), out_axis)) return false;
  if (flattens) {
    int64_t dims[2] = {1, 1};
    for (uint32_t i = 0; i < qn_onnx_rank(x); i++) dims[i >= *out_axis] *= qn_onnx_dim(x, i);
    x = qn_onnx_viewed(op, x, 2, dims);
    *out_axis = 1;
  }
  *out = x;
  return x != NULL;
}

static void give_rows(qn_graph_op *op, qn_value *y) {
  const qn_graph_shape *shape = &qn_graph_input(op, 0)->shape;
  qn_onnx_give_real(op, 0, qn_onnx_viewed(op, y, shape->rank, shape->dims));
}

void qn_onnx_import_log_softmax(qn_graph_op *op) {
  qn_value *x;
  uint32_t axis;
  if (open_rows(op, &x, &axis)) give_rows(op, qn_onnx_softmaxed(op, x, axis, true));
}

/* Hardmax: 1 at the first maximum along the axis, 0 elsewhere. */
void qn_onnx_import_hardmax(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  qn_value *x;
  uint32_t axis;
  if (!open_rows(op, &x, &axis)) return;
  x = qn_onnx_as(op, x, qn_onnx_f32(op->graph));
  const qn_type *index = qn_type_i(cx, 64);
  qn_graph_shape shape = qn_graph_shape_of(x);
  const int64_t size = shape.dims[axis];
  shape.dims[axis] = 1;
  const qn_attr *along = qn_attr_i64(cx, axis), *keep = qn_attr_bool(cx, true);
  qn_value *at = qn_graph_part(op, QN_OP_ML_REDUCE_ARGMAX, index, &shape, &x, 1,
                               QN_ATTRS({"axis", along}, {"keep_dims", keep}));
  qn_value *all = qn_onnx_count(op, index, shape.rank, axis, size);
  qn_value *is = qn_onnx_compare(op, QN_OP_ML_EQUAL, all, at);
  give_rows(op, qn_onnx_as(op, is, qn_onnx_f64(op)));
}

void qn_onnx_import_rms_norm(qn_graph_op *op) {
  const double epsilon = (double)qn_onnx_float(op, "epsilon", 1e-5F);
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t axis, count = 0;
  qn_value *x = qn_onnx_real(op, 0), *scale = qn_onnx_real(op, 1);
  if (!x || !scale || !qn_graph_axis(op, qn_onnx_int(op, "axis", -1), qn_onnx_rank(x), &axis))
    return;
  for (uint32_t i = axis; i < qn_onnx_rank(x); i++) axes[count++] = i;
  qn_value *square = qn_onnx_binary(op, QN_OP_ML_MUL, x, x);
  qn_value *mean = qn_onnx_reduced(op, QN_OP_ML_REDUCE_MEAN, square, axes, count, true);
  qn_value *root = qn_onnx_unary(op, QN_OP_ML_SQRT, qn_onnx_with(op, QN_OP_ML_ADD, mean, epsilon));
  qn_value *y = qn_onnx_binary(op, QN_OP_ML_REAL_DIV, x, root);
  qn_onnx_give_real(op, 0, qn_onnx_binary(op, QN_OP_ML_MUL, y, scale));
}

/* ---- reductions ---- */

static bool axes_of(qn_graph_op *op, uint32_t rank, int64_t *axes, uint32_t *count) {
  uint32_t mask = 0;
  *count = 0;
  if (qn_onnx_opset(op) < 18) {
    if (!qn_onnx_ints(op, "axes", QN_GRAPH_MAX_RANK, axes, count)) return false;
  } else if (qn_graph_has_input(op, 1)) {
    qn_graph_tensor *operand = qn_graph_input(op, 1);
    if (!operand || !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, axes, count)) return false;
  }
  if (*count == 0) {
    if (qn_onnx_int(op, "noop_with_empty_axes", 0)) return !op->failed;
    mask = (1u << rank) - 1;
  }
  for (uint32_t i = 0; i < *count; i++) {
    uint32_t axis;
    if (!qn_graph_axis(op, axes[i], rank, &axis)) return false;
    mask |= 1u << axis;
  }
  *count = 0;
  for (uint32_t i = 0; i < rank; i++)
    if (mask >> i & 1) axes[(*count)++] = i;
  return !op->failed;
}

/* log(sum of e^x) over the axes. The maximum is subtracted first, so that e^x does not overflow. */
static qn_value *log_sum_exp(qn_graph_op *op, qn_value *x, const int64_t *axes, uint32_t count,
                             bool keep) {
  qn_value *most = qn_onnx_reduced(op, QN_OP_ML_REDUCE_MAX, x, axes, count, true);
  qn_value *e = qn_onnx_unary(op, QN_OP_ML_EXP, qn_onnx_binary(op, QN_OP_ML_SUB, x, most));
  qn_value *sum = qn_onnx_reduced(op, QN_OP_ML_REDUCE_SUM, e, axes, count, true);
  qn_value *y = qn_onnx_binary(op, QN_OP_ML_ADD, qn_onnx_unary(op, QN_OP_ML_LOG, sum), most);
  if (!y || keep) return y;
  qn_graph_shape shape = {0};
  for (uint32_t i = 0, at = 0; i < qn_onnx_rank(y); i++)
    if (at < count && axes[at] == i)
      at++;
    else
      shape.dims[shape.rank++] = qn_onnx_dim(y, i);
  return qn_graph_view(op, y, &shape);
}

/* ReduceL1, ReduceL2, ReduceSumSquare, ReduceLogSum: a function of each element, the sum over the
 * axes, and a function of the sum. Also ReduceLogSumExp. */
void qn_onnx_import_norm(qn_graph_op *op) {
  static const struct {
    const char *name;
    bool is_absolute, is_square, is_root, is_log;
  } norms[] = {{"ReduceL1", true, false, false, false},
               {"ReduceL2", false, true, true, false},
               {"ReduceSumSquare", false, true, false, false},
               {"ReduceLogSum", false, false, false, true}};
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count;
  const bool keep = qn_onnx_int(op, "keepdims", 1) != 0;
  qn_value *x = qn_onnx_real(op, 0);
  if (!x || op->failed || !axes_of(op, qn_onnx_rank(x), axes, &count)) return;
  if (qn_str_is(op->name, "ReduceLogSumExp")) {
    qn_onnx_give_real(op, 0, log_sum_exp(op, x, axes, count, keep));
    return;
  }
  for (size_t i = 0; i < QN_COUNT(norms); i++) {
    if (!qn_str_is(op->name, norms[i].name)) continue;
    if (norms[i].is_absolute) x = qn_onnx_unary(op, QN_OP_ML_ABS, x);
    if (norms[i].is_square) x = qn_onnx_binary(op, QN_OP_ML_MUL, x, x);
    x = qn_onnx_reduced(op, QN_OP_ML_REDUCE_SUM, x, axes, count, keep);
    if (norms[i].is_root) x = qn_onnx_unary(op, QN_OP_ML_SQRT, x);
    if (norms[i].is_log) x = qn_onnx_unary(op, QN_OP_ML_LOG, x);
    qn_onnx_give_real(op, 0, x);
    return;
  }
}

/* ---- losses ---- */

/* Defines result 0 as the loss: at each position, -x of the class that operand 1 gives, multiplied
 * by the weight of this class (operand 2; 1 if absent). The attribute `reduction` selects the
 * losses themselves, their sum, or their sum divided by the sum of weights. Dimension 1 of x is the
 * class. */
static void give_loss(qn_graph_op *op, qn_value *x) {
  enum { NONE, SUM, MEAN };
  static const char *const reductions[] = {"none", "sum", "mean", NULL};
  qn_graph_tensor *classes = qn_graph_input(op, 1);
  uint32_t reduction;
  if (!qn_onnx_word(op, "reduction", "mean", reductions, &reduction)) return;
  const bool ignores = qn_onnx_attribute(op, "ignore_index", QN_ONNX_ATTR_INT) != NULL;
  const int64_t ignored = qn_onnx_int(op, "ignore_index", 0);
  if (op->failed || !qn_graph_is_index(classes->dtype) || qn_onnx_rank(x) < 2 ||
      classes->shape.rank + 1 != qn_onnx_rank(x)) {
    if (!op->failed) qn_graph_error(op, classes, QN_INVALID, "a class for each place is expected");
    return;
  }
  qn_value *at = qn_onnx_value(op, classes), *weights = NULL;
  if (!at) return;
  const qn_type *index = qn_type_element(at->type);
  int64_t dims[QN_GRAPH_MAX_RANK], all[QN_GRAPH_MAX_RANK];
  const uint32_t rank = qn_onnx_rank(x);
  for (uint32_t i = 0, k = 0; i < rank; i++) {
    dims[i] = i == 1 ? 1 : classes->shape.dims[k];
    k += i != 1;
    if (i != 1 && dims[i] != qn_onnx_dim(x, i)) {
      qn_graph_error(op, classes, QN_INVALID, "its shape does not fit to the scores");
      return;
    }
  }
  qn_value *places = qn_onnx_viewed(op, at, rank, dims);
  qn_value *counted = qn_onnx_count(op, index, rank, 1, qn_onnx_dim(x, 1));
  qn_value *is = qn_onnx_compare(op, QN_OP_ML_EQUAL, counted, places);
  if (ignores) {
    qn_value *is_ignored =
        qn_onnx_compare(op, QN_OP_ML_EQUAL, places, qn_onnx_whole(op, index, ignored));
    is_ignored = qn_onnx_unary(op, QN_OP_ML_LOGICAL_NOT, is_ignored);
    is = is_ignored ? qn_onnx_binary(op, QN_OP_ML_LOGICAL_AND, is, is_ignored) : NULL;
  }
  qn_value *zero = qn_onnx_double(op, 0), *one = qn_onnx_double(op, 1), *weight = one;
  if (qn_graph_has_input(op, 2)) weight = qn_onnx_along(op, qn_onnx_real(op, 2), rank, 1);
  qn_value *loss = qn_onnx_binary(op, QN_OP_ML_MUL, qn_onnx_unary(op, QN_OP_ML_NEG, x), weight);
  loss = qn_onnx_choose(op, is, loss, zero);
  loss = qn_onnx_reduced_along(op, QN_OP_ML_REDUCE_SUM, loss, 1);
  for (uint32_t i = 0; i + 1 < rank; i++) all[i] = i;
  loss = qn_onnx_viewed(op, loss, rank - 1, classes->shape.dims);
  if (reduction != NONE)
    loss = qn_onnx_reduced(op, QN_OP_ML_REDUCE_SUM, loss, all, rank - 1, false);
  if (reduction == MEAN) {
    for (uint32_t i = 0; i < rank; i++) all[i] = i;
    weights = qn_onnx_choose(op, is, weight, zero);
    weights = qn_onnx_reduced(op, QN_OP_ML_REDUCE_SUM, weights, all, rank, false);
    loss = qn_onnx_binary(op, QN_OP_ML_REAL_DIV, loss, weights);
  }
  qn_onnx_give_real(op, 0, loss);
}

void qn_onnx_import_nll_loss(qn_graph_op *op) {
  qn_value *x = qn_onnx_real(op, 0);
  if (x) give_loss(op, x);
}

void qn_onnx_import_cross_entropy(qn_graph_op *op) {
  qn_value *x = qn_onnx_real(op, 0);
  if (!x || qn_onnx_rank(x) < 2) return;
  x = qn_onnx_softmaxed(op, x, 1, true);
  if (!x) return;
  give_loss(op, x);
  if (!op->failed) qn_onnx_give_real(op, 1, x);
}

/* ---- GatherElements ---- */

qn_value *qn_onnx_flat_along(qn_graph_op *op, const qn_graph_shape *shape, qn_value *at,
                             uint32_t axis) {
  if (!at) return NULL;
  const qn_type *index = qn_type_element(at->type);
  const uint32_t rank = shape->rank;
  int64_t stride = 1;
  qn_value *sum = NULL;
  for (uint32_t d = rank; d-- > 0; stride *= shape->dims[d]) {
    qn_value *along = d == axis ? at : qn_onnx_count(op, index, rank, d, qn_onnx_dim(at, d));
    along = qn_onnx_binary(op, QN_OP_ML_MUL, along, qn_onnx_whole(op, index, stride));
    sum = sum ? qn_onnx_binary(op, QN_OP_ML_ADD, sum, along) : along;
    if (!sum) return NULL;
  }
  return sum;
}

qn_value *qn_onnx_taken_along(qn_graph_op *op, qn_value *x, qn_value *at, uint32_t axis) {
  if (!x || !at) return NULL;
  const qn_graph_shape shape = qn_graph_shape_of(x);
  const int64_t flat[] = {qn_graph_elements(&shape)};
  at = qn_onnx_flat_along(op, &shape, at, axis);
  return qn_onnx_gathered(op, qn_onnx_viewed(op, x, 1, flat), at, 0, 0);
}

/* The element of each place whose index along the axis is another: as flat indices. */
void qn_onnx_import_gather_elements(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *indices = qn_graph_input(op, 1);
  uint32_t axis;
  if (op->failed || !qn_graph_axis(op, qn_onnx_int(op, "axis", 0), x->shape.rank, &axis)) return;
  bool fits = qn_graph_is_index(indices->dtype) && indices->shape.rank == x->shape.rank;
  for (uint32_t i = 0; fits && i < x->shape.rank; i++)
    fits = i == axis || indices->shape.dims[i] <= x->shape.dims[i];
  qn_value *v = qn_onnx_value(op, x), *at = qn_onnx_value(op, indices);
  if (!v || !at) return;
  if (!fits || qn_graph_elements(&x->shape) > INT32_MAX) {
    qn_graph_error(op, indices, QN_INVALID,
                   "indices of the operand's rank, and not larger, are "
                   "expected");
    return;
  }
  v = qn_onnx_taken_along(op, v, qn_onnx_from_start(op, at, x->shape.dims[axis]), axis);
  qn_onnx_give(op, 0, x->dtype, v);
}
