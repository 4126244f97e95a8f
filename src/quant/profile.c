/* The table of numerics profiles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/profile.h"

#define PROFILE(stem, name, quantize, linear_product, conv_requant, grouped_requant,               \
                depthwise_requant, depthwise_u8_requant, linear_requant, linear16_real,            \
                narrow_sums16, transpose_conv8, mul_ratio, mul_requant, adds, mean, sub_ratio,     \
                softmax16, tables16, sum_above_one, sigmoidal, relu6, elu, leaky, rescale, recode, \
                gates, sums, stored_numbers, hybrid, dequantize, curves16, bilinear, bilinear_u8,  \
                all_weights, other_weights, conv_zero_points, kept_states, uint8_as, summary)      \
  const qn_profile qn_profile_##stem = {name,                                                      \
                                        quantize,                                                  \
                                        linear_product,                                            \
                                        conv_requant,                                              \
                                        grouped_requant,                                           \
                                        depthwise_requant,                                         \
                                        depthwise_u8_requant,                                      \
                                        linear_requant,                                            \
                                        linear16_real,                                             \
                                        narrow_sums16,                                             \
                                        transpose_conv8,                                           \
                                        mul_ratio,                                                 \
                                        mul_requant,                                               \
                                        adds,                                                      \
                                        mean,                                                      \
                                        sub_ratio,                                                 \
                                        softmax16,                                                 \
                                        tables16,                                                  \
                                        sum_above_one,                                             \
                                        sigmoidal,                                                 \
                                        relu6,                                                     \
                                        elu,                                                       \
                                        leaky,                                                     \
                                        rescale,                                                   \
                                        recode,                                                    \
                                        gates,                                                     \
                                        sums,                                                      \
                                        stored_numbers,                                            \
                                        hybrid,                                                    \
                                        dequantize,                                                \
                                        curves16,                                                  \
                                        bilinear,                                                  \
                                        bilinear_u8,                                               \
                                        all_weights,                                               \
                                        other_weights,                                             \
                                        conv_zero_points,                                          \
                                        kept_states,                                               \
                                        &qn_profile_##uint8_as,                                    \
                                        summary};
#include "quant/profiles.def"
#undef PROFILE

static const qn_profile *const profiles[] = {
#define PROFILE(stem, ...) &qn_profile_##stem,
#include "quant/profiles.def"
#undef PROFILE
};

const qn_profile *qn_profile_at(uint32_t i) { return i < QN_COUNT(profiles) ? profiles[i] : NULL; }

qn_status qn_profile_find(qn_diag_engine *diag, const qn_loc *loc, qn_str name,
                          const qn_profile **out_profile) {
  qn_text known = {0};
  for (size_t i = 0; i < QN_COUNT(profiles); i++) {
    qn_text_format(&known, " %s", profiles[i]->name);
    if (!qn_str_is(name, profiles[i]->name)) continue;
    qn_text_deinit(&known);
    *out_profile = profiles[i];
    return QN_OK;
  }
  qn_status status =
      qn_error(diag, loc, QN_NOT_FOUND, "unknown numerics profile '%.*s'; profiles:%s",
               QN_STR_ARG(name), known.data);
  qn_text_deinit(&known);
  return status;
}
