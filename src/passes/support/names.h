/* Renames the inputs and outputs of a model so that names on one side stay distinct.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_NAMES_H
#define QN_PASSES_SUPPORT_NAMES_H

#include "passes/support/border.h"

/* Returns the new name; returns `name` if it may stay. */
typedef qn_str qn_rename_fn(qn_pass_context *pc, qn_str name);
/* Renames arguments and results of the main function by `rename`. If a new name is in use on the
 * same side, it gets the suffix "_" and a number from `first` on. Names that stay take precedence
 * over those that change, and earlier ports over later ones. Names that stay may be equal, unless
 * `all` names must differ. */
QN_NODISCARD qn_status qn_rename_border(qn_pass_context *pc, qn_rename_fn *rename, bool all,
                                        uint32_t first);

#endif
