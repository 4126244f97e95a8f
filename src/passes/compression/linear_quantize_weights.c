/* linear-quantize-weights: stores constant float weights in 8 bits.
 *
 *   %w = "ml.const"() {value = dense<...> : tensor<2x3xf32>}
 *   %0 = "ml.linear"(%x, %w, %b)
 *     ->
 *   %q = "ml.const"() {value = dense<...> : tensor<2x3xi8>}
 *          : () -> tensor<2x3x!quant.uniform<i8<-127:127>:f32:0, {...}>>
 *   %w = quant.dcast %q
 *   %0 = "ml.linear"(%x, %w, %b)
 *
 * mode=linear_symmetric maps [-m, m], where m is the largest magnitude, to -127 to 127; mode=linear
 * maps the range of the weights, extended to contain 0, to -128 to 127. There is a scale per output
 * channel, or, with granularity=per_tensor, one for all. Values are rounded to the nearest step,
 * ties to even; a channel of zeros has the scale 1. Applies to convolutions and linear of f32 with
 * finite weights and more than weight_threshold elements; a step must not be subnormal. Other
 * readers of the weights keep the floats.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: approximate, by half a step per weight.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "ir/weights.h"
#include "passes/compression/weights.h"
#include "passes/support/stored.h"

typedef struct choice {
  bool symmetric, per_channel;
  int64_t threshold;
} choice;

/* The quantization of a channel: range of its weights, and the step. */
typedef struct steps {
  double low, high, scale;
  int64_t zero_point;
} steps;

/* The order of elements: `inner` consecutive elements of channel 0, then of channel 1, and so on
 * through all channels, repeated. */
typedef struct channels {
  int64_t count, inner, elements;
} channels;
static int64_t channel_of(const channels *c, int64_t i) { return i / c->inner % c->count; }

static channels channels_of(const qn_op *op, const qn_value *weights, bool per_channel) {
  channels c = {.count = 1, .inner = 1, .elements = qn_type_elements(weights->type)};
  uint32_t axis = qn_weights_channel_dim(qn_op_weights(op), qn_rank(weights));
  for (uint32_t i = axis + 1; i < qn_rank(weights); i++) c.inner *= qn_dim(weights, i);
  if (per_channel) c.count = qn_dim(weights, axis);
  QN_ASSERT(c.elements == 0 || c.elements % (c.count * c.inner) == 0);
  return c;
}

static bool measure(const channels *c, const qn_value *weights, steps *all) {
  for (int64_t i = 0; i < c->elements; i++) {
    steps *s = &all[channel_of(c, i)];
    double w = qn_literal_real(weights, i);
    if (!isfinite(w)) return false;
    /* starts with 0, because the range must contain it */
    s->low = fmin(s->low, w), s->high = fmax(s->high, w);
  }
  return true;
}

static double limit(double x, double low, double high) { return fmin(fmax(x, low), high); }

static bool choose(steps *s, bool symmetric) {
  QN_ASSERT(s->low <= 0 && s->high >= 0);
  double span = symmetric ? 2 * fmax(-s->low, s->high) : s->high - s->low;
  double steps_of_span = symmetric ? 254 : 255;
  s->scale = span == 0 ? 1 : (double)(float)(span / steps_of_span);
  if (!symmetric && span > 0)
    s->zero_point = (int64_t)limit(nearbyint((-128 * s->high - 127 * s->low) / span), -128, 127);
  return s->scale >= (double)FLT_MIN;
}

static const qn_type *stored_type(qn_rewriter *rw, const qn_op *op, const qn_value *weights,
                                  const channels *c, const steps *all, const choice *how) {
  double *scales = QN_NEW_ARRAY(rw->pc->scratch, c->count, double);
  int64_t *zero_points = QN_NEW_ARRAY(rw->pc->scratch, c->count, int64_t);
  for (int64_t i = 0; i < c->count; i++)
    scales[i] = all[i].scale, zero_points[i] = all[i].zero_point;
  qn_quant_uniform q = {.scheme = how->per_channel ? QN_PER_AXIS : QN_PER_LAYER,
                        .is_signed = true,
                        .storage = qn_type_i(rw->cx, 8),
                        .expressed = qn_type_element(weights->type),
                        .min = how->symmetric ? -127 : -128,
                        .max = 127,
                        .axis =
                            (int32_t)qn_weights_channel_dim(qn_op_weights(op), qn_rank(weights)),
                        .count = (uint32_t)c->count,
                        .scales = scales,
                        .zero_points = zero_points};
  return qn_type_with_element(rw->cx, weights->type, qn_type_uniform(rw->cx, &q));
}

static qn_value *compressed(qn_rewriter *rw, const qn_op *op, const qn_value *weights) {
  const choice *how = rw->state;
  channels c = channels_of(op, weights, how->per_channel);
  steps *all = QN_NEW_ARRAY(rw->pc->scratch, c.count, steps);
  memset(all, 0, (size_t)c.count * sizeof *all);
  if (c.elements <= how->threshold || !measure(&c, weights, all)) return NULL;
  for (int64_t i = 0; i < c.count; i++)
    if (!choose(&all[i], how->symmetric)) return NULL;
  uint8_t *bytes = QN_NEW_ARRAY(rw->pc->scratch, c.elements, uint8_t);
  for (int64_t i = 0; i < c.elements; i++) {
    const steps *s = &all[channel_of(&c, i)];
    double q = nearbyint(qn_literal_real(weights, i) / s->scale) + (double)s->zero_point;
    bytes[i] = (uint8_t)(int8_t)limit(q, how->symmetric ? -127 : -128, 127);
  }
  const qn_type *type = stored_type(rw, op, weights, &c, all, how);
  qn_value *stored = qn_build_stored(rw, type, bytes, c.elements);
  return qn_build_unary(&rw->builder, QN_OP_QUANT_DCAST, stored, weights->type);
}

static qn_value *of_compressed(qn_rewriter *rw, const qn_matched *m) {
  const qn_value *weights = m->value[QN_WEIGHTS];
  if (!qn_type_is_float(qn_type_element(weights->type), QN_F32)) return NULL;
  return qn_with_weights(rw, m, compressed(rw, m->op[QN_WEIGHTS_OP], weights));
}

static const qn_graph_rule rule = {.rows = QN_WEIGHTS_ROWS, .rewrite = of_compressed};
static const qn_pattern patterns[] = QN_WEIGHTS_PATTERNS(rule);

static const qn_option_spec options[] = {
    {"mode", QN_OPTION_CHOICE, "linear_symmetric|linear", "whether the stored 0 is the real one"},
    {"granularity", QN_OPTION_CHOICE, "per_channel|per_tensor", "what has a scale of its own"},
    {"weight_threshold", QN_OPTION_I64, "0", "weights of no more elements stay"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  choice how = {.symmetric = strcmp(qn_pass_string(pc, "mode"), "linear_symmetric") == 0,
                .per_channel = strcmp(qn_pass_string(pc, "granularity"), "per_channel") == 0,
                .threshold = qn_pass_i64(pc, "weight_threshold")};
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &how});
}

const qn_pass qn_pass_linear_quantize_weights = {
    .name = "linear-quantize-weights",
    .summary = "store constant weights of floats in 8 bits",
    .anchor = QN_ON_FUNC,
    .numerics = QN_APPROXIMATE,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
