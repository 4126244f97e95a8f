/* The names of the roundings of runtime/fixed.h, as attributes and options spell them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_ROUNDING_H
#define QN_QUANT_ROUNDING_H

#include "base/str.h"
#include "runtime/fixed.h"

#define QN_ROUNDING_WORDS "even,away,toward-zero,floor" /* in the order of qn_rounding */
bool qn_rounding_of_name(qn_str name, qn_rounding *out_rounding);

#endif
