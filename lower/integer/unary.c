/* Functions of one 8-bit value become a table of all 256 results (spec "tflite numerics" 8 and 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

/* `real`: the multiplier that the function applies to its input, checked before the table is made.
 */
static qn_status lower_unary(qn_integer *in, qn_op *op, qn_unary unary, const qn_quant8 *x,
                             const qn_quant8 *y, double real) {
  qn_multiplier unused;
  if (!qn_integer_multiplier(in, op, real, &unused)) return QN_INVALID;
  uint8_t table[256];
  qn_unary_table(unary, in->profile, x->affine, x->is_unsigned, y->affine, table);
  qn_builder b = qn_builder_before(in->module, op);
  qn_integer_replace(in, op,
                     qn_integer_lut(&b, qn_op_operand(op, 0), table, qn_op_result(op, 0)->type));
  return QN_OK;
}

/* tflite-micro has fixed-point int8 functions with the output quantization built in. */
static qn_status lower_sigmoidal(qn_integer *in, qn_op *op, qn_unary unary, double scale,
                                 int32_t zero_point) {
  qn_quant8 x, y;
  if (!qn_integer_unary_quant8(in, op, &x, &y)) return QN_UNSUPPORTED;
  bool fixed = in->profile->sigmoidal == QN_SIGMOIDAL_FIXED && !x.is_unsigned;
  if (fixed && (y.affine.scale != scale || y.affine.zero_point != zero_point))
    return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                    "the profile %s defines '%.*s' only for output scale %g and zero point %d",
                    in->profile->name, QN_STR_ARG(op->name), scale, zero_point);
  return lower_unary(in, op, unary, &x, &y, x.affine.scale);
}

qn_status qn_integer_ml_sigmoid(qn_integer *in, qn_op *op) {
  return lower_sigmoidal(in, op, QN_UNARY_SIGMOID, 0x1p-8, -128);
}

qn_status qn_integer_ml_tanh(qn_integer *in, qn_op *op) {
  return lower_sigmoidal(in, op, QN_UNARY_TANH, 0x1p-7, 0);
}

static qn_status lower_relu(qn_integer *in, qn_op *op, qn_unary unary) {
  qn_quant8 x, y;
  if (!qn_integer_unary_quant8(in, op, &x, &y)) return QN_UNSUPPORTED;
  return lower_unary(in, op, unary, &x, &y, qn_real_relu(x.affine.scale, y.affine.scale));
}

qn_status qn_integer_ml_relu(qn_integer *in, qn_op *op) {
  return lower_relu(in, op, QN_UNARY_RELU);
}

qn_status qn_integer_ml_relu6(qn_integer *in, qn_op *op) {
  return lower_relu(in, op, QN_UNARY_RELU6);
}

qn_status qn_integer_ml_requantize(qn_integer *in, qn_op *op) {
  qn_quant8 x, y;
  if (!qn_integer_quant8(in, op, qn_op_operand(op, 0), "the input", &x) ||
      !qn_integer_quant8(in, op, qn_op_result(op, 0), "the result", &y))
    return QN_UNSUPPORTED;
  return lower_unary(in, op, QN_UNARY_REQUANTIZE, &x, &y,
                     qn_real_requantize(x.affine.scale, y.affine.scale));
}
