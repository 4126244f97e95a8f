/* The table of passes, expanded from passes.def.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/passes.h"

const qn_pass *const qn_passes[] = {
#define PASS(stem) &qn_pass_##stem,
#include "passes/passes.def"
#undef PASS
    NULL,
};
