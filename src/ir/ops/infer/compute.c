/* Shapes of matrix products, of elementwise ops and of reductions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

static qn_shape shape_of(const qn_type *type) {
  qn_shape shape = {.rank = type->shaped.rank};
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] = type->shaped.dims[i];
  return shape;
}

/* ---- the last dimension times the weights ---- */

static bool infer_linear(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0), *w = qn_ml_in(op, 1);
  if (!qn_infer_rank(cx, op, "the weights", w, 2)) return false;
  uint32_t rank = x->shaped.rank;
  if (rank == 0) return qn_op_complain(cx, op, "the input must have a dimension");
  *out_shape = shape_of(x);
  out_shape->dims[rank - 1] = w->shaped.dims[0];
  return qn_infer_dim(cx, op, "the last dimension of the weights", w->shaped.dims[1],
                      x->shaped.dims[rank - 1]);
}

#define LINEAR_LAYOUT "NC, OI, O -> NC"
const qn_inference qn_inference_ml_linear = {
    .shape = infer_linear, .weights = QN_CHANNELS_FIRST, .layout = LINEAR_LAYOUT};
const qn_inference qn_inference_ml_integer_linear = {
    .shape = infer_linear, .weights = QN_CHANNELS_FIRST, .layout = LINEAR_LAYOUT};

/* ---- numpy's broadcasting ---- */

/* The size of dimension i counted from the last; 1 beyond the first. */
static int64_t dim_from_end(const qn_type *type, uint32_t i) {
  return i < type->shaped.rank ? type->shaped.dims[type->shaped.rank - 1 - i] : 1;
}

static bool infer_pair(qn_ir_context *cx, const qn_op *op, const qn_type *a, const qn_type *b,
                       qn_shape *out_shape) {
  uint32_t rank = a->shaped.rank > b->shaped.rank ? a->shaped.rank : b->shaped.rank;
  *out_shape = (qn_shape){.rank = rank};
  for (uint32_t i = 0; i < rank; i++) {
    int64_t m = dim_from_end(a, i), n = dim_from_end(b, i);
    if (m != n && m != 1 && n != 1)
      return qn_op_complain(cx, op, "%s and %s do not broadcast", qn_type_quoted(cx, a),
                            qn_type_quoted(cx, b));
    out_shape->dims[rank - 1 - i] = m == 1 ? n : m;
  }
  return true;
}

static bool infer_broadcast(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  return infer_pair(cx, op, qn_ml_in(op, 0), qn_ml_in(op, 1), out_shape);
}

static bool infer_select(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (!infer_pair(cx, op, qn_ml_in(op, 1), qn_ml_in(op, 2), out_shape)) return false;
  const qn_type *values =
      qn_type_tensor(cx, qn_type_element(qn_ml_in(op, 1)), out_shape->rank, out_shape->dims);
  return infer_pair(cx, op, qn_ml_in(op, 0), values, out_shape);
}

const qn_inference qn_inference_ml_add = {.shape = infer_broadcast,
                                          .permutes = QN_PERMUTES_BROADCAST};
const qn_inference qn_inference_ml_sub = {.shape = infer_broadcast,
                                          .permutes = QN_PERMUTES_BROADCAST};
const qn_inference qn_inference_ml_mul = {.shape = infer_broadcast,
                                          .permutes = QN_PERMUTES_BROADCAST};
const qn_inference qn_inference_ml_integer_add = {.shape = infer_broadcast};
const qn_inference qn_inference_ml_integer_sub = {.shape = infer_broadcast};
const qn_inference qn_inference_ml_integer_mul = {.shape = infer_broadcast};

const qn_inference qn_inference_ml_select = {.shape = infer_select,
                                             .permutes = QN_PERMUTES_BROADCAST};

/* ---- the operand's shape ---- */

static bool infer_same(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  (void)cx;
  *out_shape = shape_of(qn_ml_in(op, 0));
  return true;
}

const qn_inference qn_inference_ml_softmax = {.shape = infer_same};
#define UNARY(stem, ...) const qn_inference qn_inference_ml_##stem = {.shape = infer_same};
#define BINARY(stem, ...)                                                                          \
  const qn_inference qn_inference_ml_##stem = {.shape = infer_broadcast,                           \
                                               .permutes = QN_PERMUTES_BROADCAST};
#include "ir/ops/ml_elements.def"
#undef UNARY
#undef BINARY
const qn_inference qn_inference_ml_reexpress = {.shape = infer_same};
const qn_inference qn_inference_ml_integer_softmax = {.shape = infer_same};
const qn_inference qn_inference_ml_integer_sigmoid = {.shape = infer_same};
const qn_inference qn_inference_ml_integer_tanh = {.shape = infer_same};
const qn_inference qn_inference_ml_integer_softmax16 = {.shape = infer_same};
const qn_inference qn_inference_ml_integer_rescale = {.shape = infer_same};
const qn_inference qn_inference_ml_lut = {.shape = infer_same};
const qn_inference qn_inference_ml_quantize_float = {.shape = infer_same};
const qn_inference qn_inference_ml_dequantize_float = {.shape = infer_same};

const qn_inference qn_inference_ml_l2_norm = {.shape = infer_same};
const qn_inference qn_inference_ml_log_softmax = {.shape = infer_same};
const qn_inference qn_inference_ml_local_response_norm = {.shape = infer_same};

/* ---- along an axis ---- */

static bool infer_cumsum(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  *out_shape = shape_of(qn_ml_in(op, 0));
  return qn_op_axis(op) < out_shape->rank ||
         qn_op_complain(cx, op, "axis %lld is out of range", (long long)qn_op_axis(op));
}
const qn_inference qn_inference_ml_cumsum = {.shape = infer_cumsum};

static bool infer_top(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  *out_shape = shape_of(qn_ml_in(op, 0));
  uint32_t rank = out_shape->rank;
  if (rank == 0 || qn_op_top(op) > out_shape->dims[rank - 1])
    return qn_op_complain(cx, op, "there are no %lld elements in a row", (long long)qn_op_top(op));
  out_shape->dims[rank - 1] = qn_op_top(op);
  return true;
}
const qn_inference qn_inference_ml_top_indices = {.shape = infer_top};
/* Non-maximum suppression: k results per row of scores. */
static bool infer_suppression(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *boxes = qn_ml_in(op, 0), *scores = qn_ml_in(op, 1);
  if (boxes->shaped.rank != 2 || scores->shaped.rank != 2 || boxes->shaped.dims[1] != 4 ||
      boxes->shaped.dims[0] != scores->shaped.dims[1])
    return qn_op_complain(cx, op, "boxes of %s do not go with scores of %s",
                          qn_type_quoted(cx, boxes), qn_type_quoted(cx, scores));
  *out_shape = shape_of(scores);
  out_shape->dims[1] = qn_op_top(op);
  return true;
}
const qn_inference qn_inference_ml_non_maximum_suppression = {.shape = infer_suppression};
const qn_inference qn_inference_ml_scatter_nd = {.none =
                                                     "the result's type says how much is empty"};

/* ---- reductions ---- */

static bool infer_reduce(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  qn_i64s axes = qn_op_axes(op);
  bool keep = qn_op_keep_dims(op), reduced[QN_ML_MAX_RANK] = {false};
  for (uint32_t i = 0; i < axes.count; i++) {
    int64_t axis = axes.data[i];
    if (axis < 0 || axis >= x->shaped.rank || reduced[axis])
      return qn_op_complain(cx, op, "axis %lld is out of range or repeated", (long long)axis);
    reduced[axis] = true;
  }
  *out_shape = (qn_shape){.rank = 0};
  for (uint32_t i = 0; i < x->shaped.rank; i++)
    if (keep || !reduced[i])
      out_shape->dims[out_shape->rank++] = reduced[i] ? 1 : x->shaped.dims[i];
  return true;
}

const qn_inference qn_inference_ml_reduce_mean = {.shape = infer_reduce,
                                                  .permutes = QN_PERMUTES_REDUCED};
const qn_inference qn_inference_ml_integer_mean = {.shape = infer_reduce};
const qn_inference qn_inference_ml_reduce_sum = {.shape = infer_reduce,
                                                 .permutes = QN_PERMUTES_REDUCED};
const qn_inference qn_inference_ml_reduce_prod = {.shape = infer_reduce,
                                                  .permutes = QN_PERMUTES_REDUCED};
const qn_inference qn_inference_ml_reduce_max = {.shape = infer_reduce,
                                                 .permutes = QN_PERMUTES_REDUCED};
const qn_inference qn_inference_ml_reduce_min = {.shape = infer_reduce,
                                                 .permutes = QN_PERMUTES_REDUCED};

static bool infer_arg(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0);
  int64_t axis = qn_op_axis(op);
  if (axis >= x->shaped.rank)
    return qn_op_complain(cx, op, "axis %lld is out of range", (long long)axis);
  *out_shape = (qn_shape){.rank = 0};
  for (int64_t i = 0; i < x->shaped.rank; i++)
    if (i != axis || qn_op_keep_dims(op))
      out_shape->dims[out_shape->rank++] = i == axis ? 1 : x->shaped.dims[i];
  return true;
}
const qn_inference qn_inference_ml_reduce_argmax = {.shape = infer_arg};
const qn_inference qn_inference_ml_reduce_argmin = {.shape = infer_arg};
