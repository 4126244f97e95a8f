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

const qn_inference qn_inference_ml_linear = {.shape = infer_linear};
const qn_inference qn_inference_ml_integer_linear = {.shape = infer_linear};

/* ---- numpy's broadcasting ---- */

/* Size of a dimension counted from the last; 1 beyond the first. */
static int64_t dim_from_end(const qn_type *type, uint32_t i) {
  return i < type->shaped.rank ? type->shaped.dims[type->shaped.rank - 1 - i] : 1;
}

static bool infer_broadcast(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *a = qn_ml_in(op, 0), *b = qn_ml_in(op, 1);
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

const qn_inference qn_inference_ml_add = {.shape = infer_broadcast};
const qn_inference qn_inference_ml_sub = {.shape = infer_broadcast};
const qn_inference qn_inference_ml_mul = {.shape = infer_broadcast};
const qn_inference qn_inference_ml_integer_add = {.shape = infer_broadcast};
const qn_inference qn_inference_ml_integer_sub = {.shape = infer_broadcast};
const qn_inference qn_inference_ml_integer_mul = {.shape = infer_broadcast};

/* ---- the operand's shape ---- */

static bool infer_same(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  (void)cx;
  *out_shape = shape_of(qn_ml_in(op, 0));
  return true;
}

const qn_inference qn_inference_ml_softmax = {.shape = infer_same};
const qn_inference qn_inference_ml_sigmoid = {.shape = infer_same};
const qn_inference qn_inference_ml_tanh = {.shape = infer_same};
const qn_inference qn_inference_ml_relu = {.shape = infer_same};
const qn_inference qn_inference_ml_relu6 = {.shape = infer_same};
const qn_inference qn_inference_ml_hard_swish = {.shape = infer_same};
const qn_inference qn_inference_ml_requantize = {.shape = infer_same};
const qn_inference qn_inference_ml_reexpress = {.shape = infer_same};
const qn_inference qn_inference_ml_integer_softmax = {.shape = infer_same};
const qn_inference qn_inference_ml_lut = {.shape = infer_same};
const qn_inference qn_inference_ml_quantize_float = {.shape = infer_same};
const qn_inference qn_inference_ml_dequantize_float = {.shape = infer_same};

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

const qn_inference qn_inference_ml_reduce_mean = {.shape = infer_reduce};
const qn_inference qn_inference_ml_integer_mean = {.shape = infer_reduce};
