/* Finds a rounding by its name (rounding.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/rounding.h"

bool qn_rounding_of_name(qn_str name, qn_rounding *out_rounding) {
  uint32_t index;
  if (!qn_str_index(qn_str_of(QN_ROUNDING_WORDS), name, &index)) return false;
  *out_rounding = (qn_rounding)index;
  return true;
}
