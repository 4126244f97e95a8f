/* Assigns the arguments of a call to parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_ARGUMENTS_H
#define QN_API_ARGUMENTS_H

#include <quern/interpret.h>

#include "api/api.h"

/* Orders the arguments like the parameters of `func`, which has a body. Named arguments are
 * assigned first; the others get the remaining parameters in order. QN_INVALID if there are too
 * many or too few arguments, or a name is unknown; the message lists the names of the parameters.
 */
QN_NODISCARD qn_status qn_arguments_order(const qn_model *model, const qn_op *func,
                                          const qn_argument *arguments, uint32_t count,
                                          qn_arena *arena, const qn_argument ***out_ordered);

#endif
