/* Requantization of integers of any width to another scale, for tensors that are too wide for a
 * table (docs/arithmetic.md 9.4 and 11).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

qn_status qn_plan_rescale_of(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                             const qn_plan_tensor *y, double real, qn_plan *out) {
  QN_TRY(qn_plan_check_ratio(p, op, real));
  out->kind = QN_PLAN_RESCALE;
  out->rescale = (qn_plan_rescale){.input_zero_point = x->affine.zero_point,
                                   .multiplier = qn_multiplier_of(real),
                                   .output = {y->affine.zero_point, y->affine.min, y->affine.max}};
  return QN_OK;
}

qn_value *qn_plan_write_rescale(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  (void)p;
  const qn_plan_rescale *r = &plan->rescale;
  return qn_build_1(b, QN_OP_ML_INTEGER_RESCALE, op->results[0].type,
                    QN_VALUES(op->operands[0].value),
                    QN_ATTRS({"input_zero_point", qn_attr_i64(b->cx, r->input_zero_point)},
                             {"multiplier", qn_attr_i64(b->cx, r->multiplier.mantissa)},
                             {"shift", qn_attr_i64(b->cx, r->multiplier.shift)},
                             {"output_zero_point", qn_attr_i64(b->cx, r->output.zero_point)},
                             {"min", qn_attr_i64(b->cx, r->output.min)},
                             {"max", qn_attr_i64(b->cx, r->output.max)}));
}

const char *qn_plan_read_rescale(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                                 qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_RESCALE};
  qn_plan_rescale *r = &out->rescale;
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_INPUT_ZERO_POINT, &r->input_zero_point));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_MULTIPLIER, QN_A_SHIFT, &r->multiplier));
  return qn_plan_read_output(p, op, &r->output);
}
