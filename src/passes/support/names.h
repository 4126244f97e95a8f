/* Renames the inputs and outputs of a model so that names on one side stay distinct.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_NAMES_H
#define QN_PASSES_SUPPORT_NAMES_H

#include "passes/support/border.h"

/* Returns the new name; returns `name` if it may stay. */
typedef qn_str qn_rename_fn(qn_pass_context *pc, qn_str name);
/* Gives the main function's arguments and results the names that the function makes of theirs.
 * Where one of the same side has or gets it, "_" and a number follow, from `first` on: names that
 * stay come before those that change, then the first comes first. Names that stay may be equal to
 * each other, unless `all` have to differ. */
QN_NODISCARD qn_status qn_rename_border(qn_pass_context *pc, qn_rename_fn *rename, bool all,
                                        uint32_t first);

#endif
