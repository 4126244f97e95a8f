/* ml.l2_norm and ml.log_softmax on 8 bits, in fixed point. The kernels have a fixed quantization of
 * the result (docs/arithmetic.md 16).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

/* Reads operand and result; the result must have the scale and zero point that the profile's
 * kernels assume. */
static qn_status row_numbers(qn_planner *p, const qn_op *op, double scale, int32_t signed_zero,
                             qn_plan_tensor *x, qn_form_numbers **out) {
  qn_plan_tensor y;
  if (!qn_type_quant(op->results[0].type))
    return qn_plan_refuse(p, op, "the profile %s has no arithmetic for these types",
                          p->profile->name);
  QN_TRY(qn_plan_pair_of_one_sign(p, op, x, &y));
  int32_t zero_point = y.is_unsigned ? signed_zero - INT8_MIN : signed_zero;
  if (y.affine.scale != scale || y.affine.zero_point != zero_point)
    return qn_plan_refuse(p, op, "the result must have scale %g and zero point %d", scale,
                          zero_point);
  *out = QN_NEW(p->arena, qn_form_numbers);
  **out = (qn_form_numbers){.a_zero_point = x->affine.zero_point,
                            .zero_point = zero_point,
                            .min = y.affine.min,
                            .max = y.affine.max};
  return QN_OK;
}

static qn_status plan_l2_norm(qn_planner *p, const qn_op *op, qn_plan *out) {
  /* fraction bits of the result, by which unsigned differences are shifted left first */
  enum { BITS = 7 };
  qn_plan_tensor x;
  qn_form_numbers *n = NULL;
  QN_TRY(row_numbers(p, op, 0x1p-7, 0, &x, &n));
  n->left_shift = x.is_unsigned ? BITS : 0;
  out->numbers = n;
  return qn_plan_form(out);
}

static qn_status plan_log_softmax(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x;
  qn_form_numbers *n = NULL;
  if (!p->profile->log_softmax8 && qn_type_quant(op->results[0].type))
    return qn_plan_refuse(p, op, "the profile %s has no rule for 8 bits", p->profile->name);
  QN_TRY(row_numbers(p, op, 0x1p-4, INT8_MAX, &x, &n));
  qn_softmax_params s = qn_softmax_params_of(1.0, x.affine.scale);
  if (s.input.shift < 0)
    return qn_plan_refuse_numbers(p,
                                  "'%.*s' with input scale %g is outside of the fixed-point range",
                                  QN_STR_ARG(op->name), x.affine.scale);
  n->a = s.input;
  n->b = qn_multiplier_of((double)(INT64_C(1) << (31 - s.input.shift)) / s.input.mantissa);
  n->least = s.diff_min;
  out->numbers = n;
  return qn_plan_form(out);
}

const qn_plan_record qn_plan_ml_l2_norm = {.plan = plan_l2_norm};
const qn_plan_record qn_plan_ml_log_softmax = {.plan = plan_log_softmax};
