/* Which parameter an argument of a call is for.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_ARGUMENTS_H
#define QN_API_ARGUMENTS_H

#include <quern/interpret.h>

#include "api/api.h"

/* The arguments in the order of the parameters of a function with a body: named ones at their
 * place, the others at those that are left. QN_INVALID, with the names of the parameters in the
 * message, when there are too many or too few, or one has an unknown name. */
QN_NODISCARD qn_status qn_arguments_order(const qn_model *model, const qn_op *func,
                                          const qn_argument *arguments, uint32_t count,
                                          qn_arena *arena, const qn_argument ***out_ordered);

#endif
