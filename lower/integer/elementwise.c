/* ml.add, ml.sub, ml.mul on two 8-bit tensors (spec "tflite numerics" 5.1 to 5.3).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

typedef struct binary {
  qn_quant8 a, b, y;
  int32_t min, max;
} binary;

static bool binary_of(qn_integer *in, const qn_op *op, binary *out) {
  if (!qn_integer_quant8(in, op, qn_op_operand(op, 0), "operand 0", &out->a) ||
      !qn_integer_quant8(in, op, qn_op_operand(op, 1), "operand 1", &out->b) ||
      !qn_integer_quant8(in, op, qn_op_result(op, 0), "the result", &out->y) ||
      !qn_integer_same_sign(in, op, &out->a, &out->b) ||
      !qn_integer_same_sign(in, op, &out->a, &out->y))
    return false;
  qn_activation_range(qn_op_activation(op), out->y.affine, &out->min, &out->max);
  return true;
}

static qn_status lower_sum(qn_integer *in, qn_op *op, qn_op_kind kind) {
  binary s;
  if (!binary_of(in, op, &s)) return QN_UNSUPPORTED;
  double a = s.a.affine.scale, b = s.b.affine.scale, y = s.y.affine.scale;
  qn_multiplier unused;
  if (!qn_integer_multiplier(in, op, 2.0 * (a > b ? a : b) / y, &unused)) return QN_INVALID;
  bool subtract = kind == QN_OP_ML_INTEGER_SUB;
  qn_add_multipliers m = qn_multipliers_add(in->profile, a, b, y, subtract);
  if (!in->profile->sum_above_one && m.output.shift > 0)
    qn_warning(&in->cx->diag, op->loc,
               "the profile %s defines '%.*s' only for an output multiplier below 1",
               in->profile->name, QN_STR_ARG(op->name));
  qn_builder at = qn_builder_before(in->module, op);
  qn_value *result = qn_build_1(
      &at, kind, qn_op_result(op, 0)->type, QN_VALUES(qn_op_operand(op, 0), qn_op_operand(op, 1)),
      QN_ATTRS({"a_zero_point", qn_integer_i64(in, s.a.affine.zero_point)},
               {"b_zero_point", qn_integer_i64(in, s.b.affine.zero_point)},
               {"left_shift", qn_integer_i64(in, m.left_shift)},
               {"a_multiplier", qn_integer_i64(in, m.a.mantissa)},
               {"a_shift", qn_integer_i64(in, m.a.shift)},
               {"b_multiplier", qn_integer_i64(in, m.b.mantissa)},
               {"b_shift", qn_integer_i64(in, m.b.shift)},
               {"multiplier", qn_integer_i64(in, m.output.mantissa)},
               {"shift", qn_integer_i64(in, m.output.shift)},
               {"output_zero_point", qn_integer_i64(in, s.y.affine.zero_point)},
               {"min", qn_integer_i64(in, s.min)}, {"max", qn_integer_i64(in, s.max)}));
  qn_integer_replace(in, op, result);
  return QN_OK;
}

qn_status qn_integer_ml_add(qn_integer *in, qn_op *op) {
  return lower_sum(in, op, QN_OP_ML_INTEGER_ADD);
}

qn_status qn_integer_ml_sub(qn_integer *in, qn_op *op) {
  return lower_sum(in, op, QN_OP_ML_INTEGER_SUB);
}

qn_status qn_integer_ml_mul(qn_integer *in, qn_op *op) {
  binary p;
  if (!binary_of(in, op, &p)) return QN_UNSUPPORTED;
  qn_multiplier m;
  double real = qn_real_mul(in->profile, p.a.affine.scale, p.b.affine.scale, p.y.affine.scale);
  if (!qn_integer_multiplier(in, op, real, &m)) return QN_INVALID;
  qn_builder at = qn_builder_before(in->module, op);
  qn_value *result =
      qn_build_1(&at, QN_OP_ML_INTEGER_MUL, qn_op_result(op, 0)->type,
                 QN_VALUES(qn_op_operand(op, 0), qn_op_operand(op, 1)),
                 QN_ATTRS({"a_zero_point", qn_integer_i64(in, p.a.affine.zero_point)},
                          {"b_zero_point", qn_integer_i64(in, p.b.affine.zero_point)},
                          {"multiplier", qn_integer_i64(in, m.mantissa)},
                          {"shift", qn_integer_i64(in, m.shift)},
                          {"output_zero_point", qn_integer_i64(in, p.y.affine.zero_point)},
                          {"min", qn_integer_i64(in, p.min)}, {"max", qn_integer_i64(in, p.max)}));
  qn_integer_replace(in, op, result);
  return QN_OK;
}
