/* The table of numerics profiles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/profile.h"

static const struct {
  const char *name, *summary;
  qn_rounding rounding;
} profiles[QN_PROFILE_COUNT] = {
    [QN_PROFILE_LITERT_REF] = {"litert-ref", "LiteRT with its reference op resolver", QN_ROUND_AWAY},
    [QN_PROFILE_TFLM] = {"tflm", "TensorFlow Lite Micro with its reference kernels", QN_ROUND_AWAY},
};

const char *qn_profile_name(qn_profile profile) { return profiles[profile].name; }

const char *qn_profile_summary(qn_profile profile) { return profiles[profile].summary; }

qn_rounding qn_profile_rounding(qn_profile profile) { return profiles[profile].rounding; }

qn_status qn_profile_find(qn_diag_engine *diag, const qn_loc *loc, qn_str name,
                          qn_profile *out_profile) {
  qn_text known = {0};
  for (int i = 0; i < QN_PROFILE_COUNT; i++) {
    qn_text_format(&known, " %s", profiles[i].name);
    if (!qn_str_is(name, profiles[i].name)) continue;
    qn_text_deinit(&known);
    *out_profile = (qn_profile)i;
    return QN_OK;
  }
  qn_status status =
      qn_error(diag, loc, QN_NOT_FOUND, "unknown numerics profile '%.*s'; profiles:%s",
               QN_STR_ARG(name), known.data);
  qn_text_deinit(&known);
  return status;
}
