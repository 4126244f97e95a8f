/* ml.softmax over the last axis (spec "tflite numerics" 7.1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "lower/integer/integer.h"

/* The largest exponential adds 2^19 to a sum that is kept in 32 bits. With more than SAFE_ROW terms
 * near it the final shift exceeds 31 bits, where the reference kernels stop and ours give 0. Which
 * rows do that is known at run time only: all others have the reference's integers. */
enum { SAFE_ROW = 511 };

static void remark_row(qn_integer *in, const qn_op *op) {
  const qn_type *type = qn_op_operand(op, 0)->type;
  int64_t row = type->shaped.rank > 0 ? type->shaped.dims[type->shaped.rank - 1] : 1;
  if (row > SAFE_ROW)
    qn_remark(&in->cx->diag, op->loc,
              "rows of %lld elements: the reference kernel is not defined when more than %d "
              "elements are near the largest",
              (long long)row, SAFE_ROW);
}

qn_status qn_integer_ml_softmax(qn_integer *in, qn_op *op) {
  qn_quant8 x, y;
  if (!qn_integer_unary_quant8(in, op, &x, &y)) return QN_UNSUPPORTED;
  remark_row(in, op);
  int64_t lowest, highest;
  qn_storage_range(8, !y.is_unsigned, &lowest, &highest);
  if (y.affine.scale != 0x1p-8 || y.affine.zero_point != lowest)
    return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                    "'%.*s' has no integer form: the result must have scale 1/256 and zero point "
                    "%lld",
                    QN_STR_ARG(op->name), (long long)lowest);
  double beta = qn_op_beta(op);
  double real = beta * x.affine.scale * 0x1p26;
  if (!isfinite(real) || real <= 1.0)
    return qn_error(&in->cx->diag, op->loc, QN_INVALID,
                    "softmax with beta %g and input scale %g is outside of the fixed-point range",
                    beta, x.affine.scale);
  qn_softmax_params params = qn_softmax_params_of(beta, x.affine.scale);
  qn_builder b = qn_builder_before(in->module, op);
  qn_value *result = qn_build_1(&b, QN_OP_ML_INTEGER_SOFTMAX, qn_op_result(op, 0)->type,
                                QN_VALUES(qn_op_operand(op, 0)),
                                QN_ATTRS({"multiplier", qn_integer_i64(in, params.input.mantissa)},
                                         {"shift", qn_integer_i64(in, params.input.shift)},
                                         {"diff_min", qn_integer_i64(in, params.diff_min)},
                                         {"output_zero_point", qn_integer_i64(in, lowest)}));
  qn_integer_replace(in, op, result);
  return QN_OK;
}
