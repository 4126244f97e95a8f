/* Numerics profiles: which runtime's bits we give. An attribute of the module, "quern.numerics".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_QUANT_PROFILE_H
#define QN_QUANT_PROFILE_H

#include <stdbool.h>

#include "diag/diag.h"
#include "quant/rounding.h"

typedef enum qn_profile { QN_PROFILE_LITERT_REF, QN_PROFILE_TFLM, QN_PROFILE_COUNT } qn_profile;
const char *qn_profile_name(qn_profile profile);
const char *qn_profile_summary(qn_profile profile);
qn_rounding qn_profile_rounding(qn_profile profile); /* of reals that are quantized */
/* Reports an unknown name at `loc`, QN_NOT_FOUND, with the names there are. */
QN_NODISCARD qn_status qn_profile_find(qn_diag_engine *diag, const qn_loc *loc, qn_str name,
                                       qn_profile *out_profile);

#endif
