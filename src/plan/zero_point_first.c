/* Profiles whose kernels add the zero point in float32 before rounding (docs/arithmetic.md 2.10).
 * They do not define results for which the order of addition and rounding matters, so the plan
 * rejects ops that can have such results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/inside.h"
#include "ir/ops/forms.h"

/* Whether such a kernel rounds the bound of a fused activation to another stored value than
 * `stored`. */
static bool has_other_bound(float bound, int32_t stored, const qn_affine8 *y) {
  float sum = bound / (float)y->scale + (float)y->zero_point;
  return isfinite(bound) && rintf(fminf(fmaxf(sum, (float)y->min), (float)y->max)) != (float)stored;
}
static bool has_other_bounds(qn_activation activation, const qn_affine8 *y) {
  float low, high;
  int32_t min, max;
  qn_activation_limits(activation, &low, &high);
  qn_activation_range(activation, *y, &min, &max);
  return has_other_bound(low, min, y) || has_other_bound(high, max, y);
}

/* Whether the result of some stored value is so near to the middle between two stored values that
 * float32 may round it to either side. `is_square`: the function is a square; otherwise it is the
 * identity on positive values. */
static bool has_ties(bool is_square, const qn_affine8 *x, const qn_affine8 *y) {
  static const double NEAR = 0x1p-13;
  for (int32_t q = is_square ? x->min : x->zero_point; q <= x->max; q++) {
    double real = (q - x->zero_point) * x->scale;
    double steps = (is_square ? real * real : real) / y->scale;
    bool is_clamped = steps + y->zero_point > y->max + 1;
    if (!is_clamped && fabs(steps - floor(steps) - 0.5) < NEAR) return true;
  }
  return false;
}

qn_status qn_plan_check_zero_point_first(qn_planner *p, const qn_op *op) {
  qn_plan_tensor x, y;
  if (!p->needs_opt_in || !p->profile->zero_point_first || op->result_count != 1 ||
      !qn_type_quant(op->results[0].type))
    return QN_OK;
  qn_activation activation = qn_op_activation(op);
  bool is_square = op->kind == QN_OP_ML_MUL && op->operands[0].value == op->operands[1].value;
  if (activation == QN_ACT_NONE && !is_square && op->kind != QN_OP_ML_ELU) return QN_OK;
  QN_TRY(qn_plan_tensor_of_width(p, op, &op->results[0], "the result", 8 | 16, &y));
  if (y.width == 16) return QN_OK;
  if (has_other_bounds(activation, &y.affine))
    return qn_plan_refuse(
        p, op,
        "a bound of its activation is halfway between two steps of the scale %g, and "
        "where kernels of %s round it depends on its options",
        y.affine.scale, p->profile->name);
  if (!is_square && op->kind != QN_OP_ML_ELU) return QN_OK;
  QN_TRY(qn_plan_tensor_of(p, op, op->operands[0].value, "operand 0", &x));
  if (!has_ties(is_square, &x.affine, &y.affine)) return QN_OK;
  return qn_plan_refuse(
      p, op,
      "%s of a tensor of scale %g are halfway between two steps of the scale %g, and the "
      "profile %s has no rule for those",
      is_square ? "squares" : "numbers", x.affine.scale, y.affine.scale, p->profile->name);
}
