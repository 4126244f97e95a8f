/* Numerics profiles: which runtime's bits we give. An attribute of the module, "quern.numerics".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_PROFILE_H
#define QN_QUANT_PROFILE_H

#include <stdbool.h>

#include "base/str.h"

typedef enum qn_profile { QN_PROFILE_LITERT_REF, QN_PROFILE_TFLM, QN_PROFILE_COUNT } qn_profile;
const char *qn_profile_name(qn_profile profile);
const char *qn_profile_summary(qn_profile profile);
bool qn_profile_of_name(qn_str name, qn_profile *out_profile);

#endif
