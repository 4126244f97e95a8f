/* ml.avg_pool, ml.max_pool and ml.reduce_mean (spec "tflite numerics" 6).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

static qn_status lower_pool(qn_integer *in, qn_op *op, qn_op_kind kind) {
  qn_quant8 x, y;
  int32_t min, max;
  if (!qn_integer_unary_quant8(in, op, &x, &y)) return QN_UNSUPPORTED;
  qn_activation_range(qn_op_activation(op), y.affine, &min, &max);
  if (!qn_quant8_equal(&x, &y))
    return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                    "'%.*s' has no integer form: input and result have different quantization",
                    QN_STR_ARG(op->name));
  qn_builder b = qn_builder_before(in->module, op);
  qn_value *result =
      qn_build_1(&b, kind, qn_op_result(op, 0)->type, QN_VALUES(qn_op_operand(op, 0)),
                 QN_ATTRS({"kernel_sizes", qn_op_find(op, QN_A_KERNEL_SIZES)},
                          {"strides", qn_op_find(op, QN_A_STRIDES)}, {"pad", qn_op_find(op, QN_A_PAD)},
                          {"min", qn_integer_i64(in, min)}, {"max", qn_integer_i64(in, max)}));
  const char *rounding = x.is_unsigned ? "half_up" : "half_away";
  if (kind == QN_OP_ML_INTEGER_AVG_POOL)
    qn_op_set_attr(in->module, result->op, "rounding", qn_attr_string(in->cx, qn_str_of(rounding)));
  qn_integer_replace(in, op, result);
  return QN_OK;
}

qn_status qn_integer_ml_avg_pool(qn_integer *in, qn_op *op) {
  return lower_pool(in, op, QN_OP_ML_INTEGER_AVG_POOL);
}

qn_status qn_integer_ml_max_pool(qn_integer *in, qn_op *op) {
  return lower_pool(in, op, QN_OP_ML_INTEGER_MAX_POOL);
}

/* Elements that go into one result; 0 when there are none. */
static int64_t reduced_count(const qn_op *op) {
  int64_t in_count = qn_type_elements(qn_op_operand(op, 0)->type);
  int64_t out_count = qn_type_elements(qn_op_result(op, 0)->type);
  return out_count > 0 ? in_count / out_count : 0;
}

qn_status qn_integer_ml_reduce_mean(qn_integer *in, qn_op *op) {
  qn_quant8 x, y;
  if (!qn_integer_unary_quant8(in, op, &x, &y)) return QN_UNSUPPORTED;
  int64_t count = reduced_count(op);
  if (count <= 0)
    return qn_error(&in->cx->diag, op->loc, QN_INVALID, "the mean of no elements is not defined");
  qn_multiplier m;
  double ratio = qn_real_requantize(x.affine.scale, y.affine.scale);
  if (!qn_integer_multiplier(in, op, ratio, &m)) return QN_INVALID;
  m = qn_multiplier_mean(x.affine.scale, y.affine.scale, count);
  if (count > INT32_MAX / 255)
    qn_warning(&in->cx->diag, op->loc,
               "the sum of %lld elements may be anywhere in [%lld, %lld] and wrap at 32 bits",
               (long long)count, -255 * (long long)count, 255 * (long long)count);
  qn_builder b = qn_builder_before(in->module, op);
  qn_value *result = qn_build_1(
      &b, QN_OP_ML_INTEGER_MEAN, qn_op_result(op, 0)->type, QN_VALUES(qn_op_operand(op, 0)),
      QN_ATTRS({"axes", qn_op_find(op, QN_A_AXES)}, {"keep_dims", qn_op_find(op, QN_A_KEEP_DIMS)},
               {"input_zero_point", qn_integer_i64(in, x.affine.zero_point)},
               {"multiplier", qn_integer_i64(in, m.mantissa)},
               {"shift", qn_integer_i64(in, m.shift)},
               {"output_zero_point", qn_integer_i64(in, y.affine.zero_point)},
               {"min", qn_integer_i64(in, y.affine.min)},
               {"max", qn_integer_i64(in, y.affine.max)}));
  qn_integer_replace(in, op, result);
  return QN_OK;
}
