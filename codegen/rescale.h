/* What both back ends find out about quern.rescale.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_RESCALE_H
#define QN_CODEGEN_RESCALE_H

#include "ir/op.h"

/* Whether all that is used of a quotient, to which a zero point may be added, is its maximum with a
 * value that is not less than the zero point. So all negative quotients are alike. */
bool qn_cg_is_rectified(const qn_value *quotient);

#endif
