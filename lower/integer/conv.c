/* ml.conv, ml.depthwise_conv and ml.linear: one accumulator, multiplier and shift per output
 * channel (spec "tflite numerics" 4).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

/* Builds the integer form with the attributes that all three share; geometry is copied by name. */
static qn_status lower_matrix(qn_integer *in, qn_op *op, qn_op_kind kind,
                              const char *const *geometry) {
  qn_builder b = qn_builder_before(in->module, op);
  qn_channels ch;
  if (!qn_integer_channels(in, op, &b, &ch)) return QN_UNSUPPORTED;
  qn_value *y = qn_build_1(
      &b, kind, qn_op_result(op, 0)->type,
      QN_VALUES(qn_op_operand(op, 0), qn_op_operand(op, 1), ch.bias, ch.multiplier, ch.shift),
      QN_ATTRS({"input_zero_point", qn_integer_i64(in, ch.x.affine.zero_point)},
               {"weight_zero_point", qn_integer_i64(in, ch.weight_zero_point)},
               {"output_zero_point", qn_integer_i64(in, ch.y.affine.zero_point)},
               {"rounding", qn_attr_string(in->cx, qn_str_of(ch.rounding))},
               {"min", qn_integer_i64(in, ch.min)}, {"max", qn_integer_i64(in, ch.max)}));
  for (; *geometry; geometry++)
    qn_op_set_attr(in->module, y->op, *geometry, qn_op_attr(op, *geometry));
  qn_integer_replace(in, op, y);
  return QN_OK;
}

qn_status qn_integer_ml_conv(qn_integer *in, qn_op *op) {
  static const char *const geometry[] = {"strides", "pad", "dilations", "groups", NULL};
  return lower_matrix(in, op, QN_OP_ML_INTEGER_CONV, geometry);
}

qn_status qn_integer_ml_depthwise_conv(qn_integer *in, qn_op *op) {
  static const char *const geometry[] = {"strides", "pad", "dilations", NULL};
  return lower_matrix(in, op, QN_OP_ML_INTEGER_DEPTHWISE_CONV, geometry);
}

qn_status qn_integer_ml_linear(qn_integer *in, qn_op *op) {
  static const char *const geometry[] = {NULL};
  return lower_matrix(in, op, QN_OP_ML_INTEGER_LINEAR, geometry);
}
