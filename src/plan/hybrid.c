/* ml.conv, ml.depthwise_conv and ml.linear on floats with weights of 8 bits: the kernels quantize
 * the input by its own range (docs/arithmetic.md 15). Where no profile is named, or its bits are
 * not insisted on, such ops are computed in float.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/channels.h"
#include "ir/weights.h"
#include "plan/inside.h"

enum { EXACT_SUMS = 1 << 24 }; /* whole numbers below are exact in f32 */

bool qn_plan_is_hybrid(const qn_planner *p, const qn_op *op) {
  const qn_type *weights = op->operands[1].value->type;
  return p->needs_consent && qn_type_quant(weights) &&
         qn_type_is_float(qn_type_element(op->operands[0].value->type), QN_F32) &&
         qn_type_is_float(qn_type_element(op->results[0].type), QN_F32);
}

static const char *problem(const qn_op *op, const qn_channel_layout *layout) {
  const qn_type *type = op->operands[1].value->type;
  const qn_quant_uniform *q = qn_type_quant(type);
  if (!q->is_signed || q->storage->integer.width != 8 || q->scheme == QN_SUB_CHANNEL)
    return "beside floats, weights are signed and of 8 bits, with at most a scale per channel";
  if (!qn_channel_layout_fits(layout)) return "there are no weights, or too many";
  uint32_t channel_dim = qn_weights_channel_dim(qn_op_weights(op), type->shaped.rank);
  if (q->scheme == QN_PER_AXIS && (q->count != layout->channels || q->axis != (int32_t)channel_dim))
    return "the weights' scales are not one per output channel";
  for (uint32_t c = 0; c < q->count; c++)
    if (q->zero_points[c] != 0) return "beside floats, the zero points of weights are 0";
  const qn_value *bias = op->operand_count > 2 ? op->operands[2].value : NULL;
  if (bias && !qn_type_is_float(qn_type_element(bias->type), QN_F32))
    return "beside floats, a bias is of f32";
  return NULL;
}

static bool scales_differ(const qn_quant_uniform *q) {
  for (uint32_t c = 1; c < q->count; c++)
    if (q->scales[c] != q->scales[0]) return true;
  return false;
}

qn_status qn_plan_hybrid(qn_planner *p, const qn_op *op, qn_plan *out) {
  if (!p->profile->hybrid)
    return qn_plan_refuse(p, op, "the profile %s has no kernels of floats beside weights of 8 bits",
                          p->profile->name);
  qn_channel_layout layout = qn_channel_layout_of(op);
  const char *why = problem(op, &layout);
  if (why) return qn_plan_refuse(p, op, "%s", why);
  bool per_channel = scales_differ(qn_type_quant(op->operands[1].value->type));
  qn_form_numbers *n = QN_NEW(p->arena, qn_form_numbers);
  *n = (qn_form_numbers){0};
  if (op->kind == QN_OP_ML_LINEAR) n->asymmetric = qn_op_asymmetric_inputs(op);
  if (op->kind == QN_OP_ML_CONV) n->asymmetric = n->sum_first = per_channel || qn_op_groups(op) > 1;
  if (op->kind == QN_OP_ML_DEPTHWISE_CONV) n->asymmetric = true;
  int64_t step = n->asymmetric ? UINT8_MAX : INT8_MAX;
  n->halves = layout.taps * step >= EXACT_SUMS / -INT8_MIN;
  if (n->halves && layout.taps * step >= EXACT_SUMS / 8)
    return qn_plan_refuse(p, op, "sums of %lld products are beyond what f32 holds exactly",
                          (long long)layout.taps);
  out->numbers = n;
  return qn_plan_form(out);
}
