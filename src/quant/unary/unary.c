/* Fills the table of a unary function by its rule, and defines helpers that several rules use
 * (unary.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/unary/unary.h"

#include <math.h>

#include "quant/table16.h"

static qn_unary prepared(const qn_unary_rule *rule, const qn_unary *ends) {
  qn_unary u = {.input = ends->input,
                .output = ends->output,
                .parameter = ends->parameter,
                .beyond = ends->beyond,
                .min = ends->output.min,
                .max = ends->output.max};
  rule->prepare(&u);
  return u;
}

void qn_unary_table(qn_unary_fn *function, const qn_profile *profile, const qn_unary *ends,
                    bool input_unsigned, uint8_t table[256]) {
  const qn_unary_rule *rule = function(input_unsigned ? profile->uint8_as : profile);
  qn_unary u = prepared(rule, ends);
  for (int32_t byte = 0; byte < 256; byte++) {
    int32_t x = input_unsigned ? byte : (int8_t)byte;
    table[byte] = (uint8_t)rule->entry(&u, x);
  }
}

typedef struct sampling {
  const qn_unary_rule *rule;
  const qn_unary *unary;
} sampling;

static double sampled(const void *user, double x, qn_step step) {
  const sampling *s = user;
  (void)step; /* rules compute their samples in float32 */
  return (double)s->rule->sample(s->unary, (float)x);
}

void qn_unary_words(qn_unary_fn *function, const qn_profile *profile, const qn_unary *ends,
                    int16_t table[QN_INT16_VALUES]) {
  const qn_unary_rule *rule = function(profile);
  qn_unary u = prepared(rule, ends);
  int16_t samples[QN_TABLE16_SIZE];
  const sampling s = {rule, &u};
  if (rule->sample)
    qn_table16((qn_affine16){u.input.scale, u.input.zero_point},
               (qn_affine16){u.output.scale, u.output.zero_point}, QN_IN_F32, sampled, &s, samples);
  for (int32_t x = INT16_MIN; x <= INT16_MAX; x++)
    table[x - INT16_MIN] =
        (int16_t)(rule->sample ? qn_table16_lookup(samples, x) : rule->entry(&u, x));
}

void qn_unary_prepare_float(qn_unary *u) { u->scale = 1.0F / (float)u->output.scale; }

int32_t qn_unary_float(const qn_unary *u, int32_t x, float (*function)(float)) {
  float y = function((float)u->input.scale * (float)(x - u->input.zero_point));
  float stored = roundf(y * u->scale) + (float)u->output.zero_point;
  qn_unary_check_held(u, stored);
  /* `stored` is an integer: rounding does not change it, and saturates values beyond int32 */
  return qn_clamp32(qn_round_away_i32((double)stored), u->min, u->max);
}
