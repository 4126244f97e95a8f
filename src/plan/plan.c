/* Table of plan entries, and the decision about ops without a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/plan.h"

#include <math.h>

#include "ir/ops/forms.h"
#include "ir/types/reexpress.h"
#include "ir/weights.h"
#include "plan/channels.h"
#include "plan/inside.h"

#define OP(stem, ...) extern const qn_plan_record qn_plan_##stem;
#include "ir/ops/ml.def"
#include "ir/ops/quant.def"
#undef OP
static const qn_plan_record *const records[QN_OP_COUNT] = {
#define OP(stem, kind, ...) [QN_OP_##kind] = &qn_plan_##stem,
#include "ir/ops/ml.def"
#include "ir/ops/quant.def"
#undef OP
};

const qn_plan_record *qn_plan_record_of(qn_op_kind kind) { return records[kind]; }

qn_status qn_planner_of(const qn_module *module, qn_arena *arena, const qn_loc *loc,
                        qn_planner *out_planner) {
  qn_module_numerics numerics;
  QN_TRY(qn_module_numerics_of(module, loc, &numerics));
  *out_planner = (qn_planner){.cx = module->cx,
                              .arena = arena,
                              .profile = numerics.profile,
                              .rounding = numerics.rounding,
                              .is_named = numerics.is_named,
                              .needs_opt_in = numerics.is_named && !numerics.may_fall_back};
  return QN_OK;
}

/* Runtimes reject a fused activation whose bound, in steps of the result, is beyond 32 bits. */
static qn_status check_fused_bounds(qn_planner *p, const qn_op *op) {
  float low, high;
  qn_plan_tensor y;
  qn_activation_limits(qn_op_activation(op), &low, &high);
  float bound = fmaxf(isinf(low) ? 0 : -low, isinf(high) ? 0 : high);
  if (!p->needs_opt_in || bound == 0 || op->result_count != 1 ||
      !qn_type_quant(op->results[0].type))
    return QN_OK;
  QN_TRY(qn_plan_tensor_of_width(p, op, &op->results[0], "the result", 8 | 16, &y));
  if (qn_plan_bound_fits(bound, &y)) return QN_OK;
  return qn_plan_refuse(p, op,
                        "the bound %g of its activation is %g steps of the scale %g, which 32 bits "
                        "do not hold",
                        bound, bound / y.affine.scale, y.affine.scale);
}

qn_status qn_plan_of(qn_planner *p, const qn_op *op, qn_plan *out_plan, qn_str *out_reason) {
  const qn_plan_record *record = p->record = records[op->kind];
  *out_plan = (qn_plan){0};
  qn_status status = QN_UNSUPPORTED;
  if (record && record->plan) {
    const bool unit = p->profile->units != QN_UNITS_NONE && qn_plan_is_quantized(op);
    status = unit ? qn_plan_unit(p, op, out_plan) : record->plan(p, op, out_plan);
    if (status == QN_OK && !unit) status = check_fused_bounds(p, op);
    if (status == QN_OK) status = qn_plan_check_zero_point_first(p, op);
  } else
    (void)qn_plan_refuse(p, op, "it %s", record ? record->none : "is none of the model stage");
  *out_reason = p->reason;
  return status;
}

qn_value *qn_plan_write(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  if (plan->kind == QN_PLAN_TABLE)
    return qn_plan_lut(b, op->operands[0].value, plan->table, op->results[0].type);
  if (plan->kind == QN_PLAN_FORM) return qn_plan_write_form(b, op, plan);
  p->record = records[op->kind];
  return p->record->write(p, b, op, plan);
}

const qn_attr *qn_plan_int8_weights(qn_planner *p, const qn_op *op, const qn_type **out_type) {
  const qn_plan_record *record = qn_plan_record_of(op->kind);
  if (!record || !qn_op_has_weights(op)) return NULL;
  const qn_value *weights = op->operands[1].value;
  const qn_attr *value = qn_value_constant(weights);
  qn_channel_layout layout = qn_channel_layout_of(op);
  if (!value || !qn_type_quant(weights->type) || !qn_channel_layout_fits(&layout)) return NULL;
  uint32_t channel_dim = qn_weights_channel_dim(qn_op_weights(op), weights->type->shaped.rank);
  return qn_weights_as_int8(p->cx, p->arena, value, weights->type, channel_dim,
                            op->operand_count > 2, out_type);
}

/* ---- ops without a plan ---- */

bool qn_plan_is_quantized(const qn_op *op) {
  bool quantized = false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    quantized |= qn_type_quant(op->operands[i].value->type) != NULL;
  for (uint32_t i = 0; i < op->result_count; i++)
    quantized |= qn_type_quant(op->results[i].type) != NULL;
  return quantized;
}

bool qn_plan_may_fall_back(const qn_planner *p, const qn_op *op, qn_str reason,
                           qn_str *out_message) {
  if (!p->needs_opt_in || !qn_plan_is_quantized(op)) return true;
  *out_message = qn_arena_format(p->arena,
                                 "%.*s; in float it would not have the bits of %s: --fall-back "
                                 "allows that",
                                 QN_STR_ARG(reason), p->profile->name);
  return false;
}
