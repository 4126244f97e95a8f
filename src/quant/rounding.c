/* The table of names of roundings.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/rounding.h"

#include "base/check.h"

static const char *const names[] = {
    [QN_ROUND_EVEN] = "even",
    [QN_ROUND_AWAY] = "away",
    [QN_ROUND_TOWARD_ZERO] = "toward-zero",
    [QN_ROUND_FLOOR] = "floor",
};

const char *qn_rounding_name(qn_rounding rounding) { return names[rounding]; }

bool qn_rounding_of_name(qn_str name, qn_rounding *out_rounding) {
  for (size_t i = 0; i < QN_COUNT(names); i++) {
    if (!qn_str_is(name, names[i])) continue;
    *out_rounding = (qn_rounding)i;
    return true;
  }
  return false;
}
