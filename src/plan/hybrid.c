/* ml.conv, ml.depthwise_conv and ml.linear on floats with weights of 8 bits: the kernels quantize
 * the input by its own range (docs/arithmetic.md 15). If the module names no profile, or permits
 * the float fallback, such ops are computed in float.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/weights.h"
#include "plan/channels.h"
#include "plan/inside.h"

enum { EXACT_SUMS = 1 << 24 }; /* integers below 2^24 are exact in f32 */

bool qn_plan_is_hybrid(const qn_planner *p, const qn_op *op) {
  const qn_type *weights = op->operands[1].value->type;
  return p->needs_opt_in && qn_type_quant(weights) &&
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

/* ---- defects of the kernels, which must not affect results ---- */

/* Kernels sum the weights of a channel in LANES 16-bit lanes: each lane adds two weights of every
 * block of 16, then one of a remaining block of 8. With at most NARROW_TAPS weights no lane can
 * overflow. */
enum { LANES = 8, NARROW_TAPS = LANES * (INT16_MAX / -INT8_MIN) };
static bool sum_wraps(const qn_attr *payload, const qn_channel_layout *layout, int64_t channel) {
  int64_t sums[LANES] = {0}, pairs = layout->taps & ~(2 * LANES - 1),
          all = layout->taps & ~(LANES - 1);
  for (int64_t t = 0; t < all; t++)
    sums[t < pairs ? t / 2 % LANES : t % LANES] +=
        qn_dense_int(payload, qn_channel_index(layout, channel, t));
  for (int i = 0; i < LANES; i++)
    if (sums[i] < INT16_MIN || sums[i] > INT16_MAX) return true;
  return false;
}

/* Whether both parts of sum(q * w) - z * sum(w) are exact in f32. */
static bool is_inexact(const qn_attr *payload, const qn_channel_layout *layout, int64_t channel) {
  int64_t sum = 0;
  for (int64_t t = 0; t < layout->taps; t++) {
    int64_t w = qn_dense_int(payload, qn_channel_index(layout, channel, t));
    sum += w < 0 ? -w : w;
  }
  return sum > EXACT_SUMS / -INT8_MIN;
}

typedef bool shows_fn(const qn_attr *payload, const qn_channel_layout *layout, int64_t channel);
static bool shows(const qn_op *op, const qn_channel_layout *layout, shows_fn *in_channel,
                  int64_t harmless_taps) {
  const qn_attr *payload = qn_value_constant(op->operands[1].value);
  if (layout->taps <= harmless_taps) return false;
  for (int64_t c = 0; payload && c < layout->channels; c++)
    if (in_channel(payload, layout, c)) return true;
  return !payload;
}

static const char *kernel_error(const qn_op *op, const qn_channel_layout *layout,
                                const qn_hybrid_numbers *n, qn_hybrid_rule rule) {
  bool linear = op->kind == QN_OP_ML_LINEAR;
  bool vectors = op->kind == QN_OP_ML_CONV && rule != QN_HYBRID_REFERENCE && qn_op_groups(op) == 1;
  if (n->dynamic || !n->asymmetric) return NULL;
  if ((linear || vectors) && shows(op, layout, sum_wraps, NARROW_TAPS))
    return "the kernels' sums of a channel's weights wrap at 16 bits, or may";
  if (linear && qn_op_linear_kernel(op) == QN_LINEAR_BATCH_MATMUL &&
      shows(op, layout, is_inexact, EXACT_SUMS / (INT8_MIN * INT8_MIN)))
    return "the kernels subtract what zero points add in float32, which does not hold the sums";
  return NULL;
}

/* ---- selection of the kernel's rule ---- */

/* Whether the convolution is a matrix product of pixels (1x1). */
static bool has_pixels(const qn_op *op) {
  const qn_type *x = op->operands[0].value->type, *w = op->operands[1].value->type;
  qn_i64s strides = qn_op_strides(op), pad = qn_op_pad(op);
  bool moves = false;
  for (uint32_t i = 0; i < strides.count; i++) moves |= strides.data[i] != 1;
  for (uint32_t i = 0; i < pad.count; i++) moves |= pad.data[i] != 0;
  return !moves && qn_op_groups(op) == 1 && w->shaped.dims[1] == 1 && w->shaped.dims[2] == 1 &&
         (x->shaped.dims[3] != 1 || w->shaped.dims[0] != 1);
}

static void linear_rule(const qn_op *op, qn_hybrid_rule rule, qn_hybrid_numbers *n) {
  n->dynamic = rule == QN_HYBRID_DYNAMIC && qn_op_linear_kernel(op) != QN_LINEAR_CELL;
  n->asymmetric = n->dynamic || qn_op_asymmetric_inputs(op);
  n->skips = !n->dynamic;
  n->order = n->dynamic ? QN_HYBRID_FUSED : QN_HYBRID_SCALES;
}

static void conv_rule(const qn_op *op, qn_hybrid_rule rule, qn_hybrid_numbers *n) {
  bool per_channel = qn_type_quant(op->operands[1].value->type)->count > 1;
  n->dynamic = rule == QN_HYBRID_DYNAMIC;
  n->asymmetric = n->dynamic || per_channel;
  n->pixels = n->dynamic && has_pixels(op);
  bool by_channel = per_channel && (rule == QN_HYBRID_REFERENCE || qn_op_groups(op) > 1);
  n->order = n->dynamic ? QN_HYBRID_FUSED : by_channel ? QN_HYBRID_CHANNELS : QN_HYBRID_SCALES;
}

static void depthwise_rule(qn_hybrid_rule rule, qn_hybrid_numbers *n) {
  n->asymmetric = true;
  n->order = rule == QN_HYBRID_REFERENCE ? QN_HYBRID_SCALES : QN_HYBRID_FOURS;
}

/* Whether the convolution lacks the per-channel scales that kernels require. */
static bool lacks_scales(const qn_op *op, const qn_channel_layout *layout,
                         const qn_hybrid_numbers *n) {
  bool depthwise = qn_op_weights(op) == QN_CHANNELS_LAST;
  bool each = depthwise || (qn_op_groups(op) > 1 && !n->dynamic);
  return each && qn_type_quant(op->operands[1].value->type)->count != layout->channels;
}

qn_status qn_plan_hybrid(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_hybrid_rule rule = p->profile->hybrid;
  if (rule == QN_HYBRID_NONE)
    return qn_plan_refuse(p, op, "the profile %s has no kernels of floats beside weights of 8 bits",
                          p->profile->name);
  qn_channel_layout layout = qn_channel_layout_of(op);
  const char *why = problem(op, &layout);
  if (why) return qn_plan_refuse(p, op, "%s", why);
  qn_form_numbers *numbers = QN_NEW(p->arena, qn_form_numbers);
  *numbers = (qn_form_numbers){0};
  qn_hybrid_numbers *n = &numbers->hybrid;
  if (op->kind == QN_OP_ML_LINEAR) linear_rule(op, rule, n);
  if (op->kind == QN_OP_ML_CONV) conv_rule(op, rule, n);
  if (op->kind == QN_OP_ML_DEPTHWISE_CONV) depthwise_rule(rule, n);
  if (lacks_scales(op, &layout, n))
    return qn_plan_refuse(p, op, "the kernels take it only with a scale per channel");
  why = kernel_error(op, &layout, n, rule);
  if (why) return qn_plan_refuse(p, op, "%s", why);
  int64_t step = n->asymmetric ? UINT8_MAX : INT8_MAX;
  n->halves = layout.taps * step >= EXACT_SUMS / -INT8_MIN;
  if (n->halves && layout.taps * step >= EXACT_SUMS / 8)
    return qn_plan_refuse(p, op, "sums of %lld products are beyond what f32 holds exactly",
                          (long long)layout.taps);
  out->numbers = numbers;
  return qn_plan_form(out);
}
