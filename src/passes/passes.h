/* The table of passes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_PASSES_H
#define QN_PASSES_PASSES_H

#include "pass/pass.h"

#define PASS(stem) extern const qn_pass qn_pass_##stem;
#include "passes/passes.def"
#undef PASS

/* In the order of passes.def; ended by NULL. */
extern const qn_pass *const qn_passes[];

#endif
