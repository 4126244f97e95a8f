/* The table of numerics profiles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/profile.h"

static const struct { const char *name, *summary; } profiles[QN_PROFILE_COUNT] = {
    [QN_PROFILE_LITERT_REF] = {"litert-ref", "LiteRT with its reference op resolver"},
    [QN_PROFILE_TFLM] = {"tflm", "TensorFlow Lite Micro with its reference kernels"},
};

const char *qn_profile_name(qn_profile profile) { return profiles[profile].name; }

const char *qn_profile_summary(qn_profile profile) { return profiles[profile].summary; }

bool qn_profile_of_name(qn_str name, qn_profile *out_profile) {
  for (int i = 0; i < QN_PROFILE_COUNT; i++) {
    if (!qn_str_is(name, profiles[i].name)) continue;
    *out_profile = (qn_profile)i;
    return true;
  }
  return false;
}
