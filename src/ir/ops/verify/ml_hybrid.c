/* Verifiers of products of bytes whose scales are known at run time only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/ml.h"

static bool has_type(qn_ir_context *cx, const qn_op *op, const char *what, const qn_type *is,
                     const qn_type *expected) {
  if (is == expected) return true;
  return qn_op_complain(cx, op, "%s must be %s, but is %s", what, qn_type_quoted(cx, expected),
                        qn_type_quoted(cx, is));
}

static const qn_type *bytes_type(qn_ir_context *cx) { return qn_type_integer(cx, 8, QN_UNSIGNED); }

bool qn_verify_ml_quantize_rows(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, 0), *f32 = qn_type_float(cx, QN_F32);
  if (qn_type_element(x) != f32) return qn_op_complain(cx, op, "needs an input of f32");
  int64_t rows = qn_op_rows(op);
  if (rows >= x->shaped.rank)
    return qn_op_complain(cx, op, "an input of rank %u has no rows of %lld dimensions",
                          x->shaped.rank, (long long)rows);
  const qn_type *i32 = qn_type_i(cx, 32);
  uint32_t rank = (uint32_t)rows;
  return has_type(cx, op, "the bytes", op->results[0].type,
                  qn_type_with_element(cx, x, bytes_type(cx))) &&
         has_type(cx, op, "the scales", op->results[1].type,
                  qn_type_tensor(cx, f32, rank, x->shaped.dims)) &&
         has_type(cx, op, "the zero points", op->results[2].type,
                  qn_type_tensor(cx, i32, rank, x->shaped.dims));
}

/* Scales and zero points are numbered by the first dimensions of x. */
static bool check_rows(qn_ir_context *cx, const qn_op *op, const qn_type *x) {
  const qn_type *scales = qn_ml_in(op, 1);
  uint32_t rank = scales->shaped.rank;
  if (rank < 1 || rank >= x->shaped.rank)
    return qn_op_complain(cx, op, "scales %s do not number rows of %s", qn_type_quoted(cx, scales),
                          qn_type_quoted(cx, x));
  const qn_type *f32 = qn_type_float(cx, QN_F32);
  return has_type(cx, op, "the scales", scales, qn_type_tensor(cx, f32, rank, x->shaped.dims)) &&
         has_type(cx, op, "the zero points", qn_ml_in(op, 2),
                  qn_type_with_element(cx, scales, qn_type_i(cx, 32)));
}

bool qn_verify_ml_hybrid_linear(qn_ir_context *cx, const qn_op *op) {
  enum { X, SCALES, ZERO_POINTS, WEIGHTS, WEIGHT_SCALES, BIAS };
  if (!qn_ml_tensors(cx, op) || !qn_ml_scalars(cx, op)) return false;
  const qn_type *x = qn_ml_in(op, X), *w = qn_ml_in(op, WEIGHTS);
  const qn_type *f32 = qn_type_float(cx, QN_F32);
  if (qn_type_element(x) != bytes_type(cx))
    return qn_op_complain(cx, op, "needs an input of ui8, but got %s", qn_type_quoted(cx, x));
  if (w->shaped.rank != 2 || !qn_is_i(qn_type_element(w), 8))
    return qn_op_complain(cx, op, "needs i8 weights of rank 2, but got %s", qn_type_quoted(cx, w));
  if (!check_rows(cx, op, x)) return false;
  uint32_t rank = x->shaped.rank;
  int64_t channels = w->shaped.dims[0], depth = w->shaped.dims[1];
  if (x->shaped.dims[rank - 1] != depth)
    return qn_op_complain(cx, op, "%s has no rows for weights %s", qn_type_quoted(cx, x),
                          qn_type_quoted(cx, w));
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t d = 0; d + 1 < rank; d++) dims[d] = x->shaped.dims[d];
  dims[rank - 1] = channels;
  const qn_type *per_channel = qn_type_tensor(cx, f32, 1, &channels);
  return has_type(cx, op, "the weights' scales", qn_ml_in(op, WEIGHT_SCALES), per_channel) &&
         (op->operand_count <= BIAS ||
          has_type(cx, op, "the bias", qn_ml_in(op, BIAS), per_channel)) &&
         has_type(cx, op, "the result", qn_ml_out(op), qn_type_tensor(cx, f32, rank, dims));
}
