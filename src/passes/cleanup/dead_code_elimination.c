/* dead-code-elimination: removes pure ops whose results have no uses, and then the ops that only
 * they used.
 *
 *   %c = "ml.const"() ...
 *   %0 = "ml.add"(%x, %c)       ->   nothing, when nothing reads %0
 *
 * Operands of a terminator count as used.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/rewrite.h"

static qn_status run(qn_pass_context *pc) {
  return qn_rewrite_greedily(pc, pc->root, NULL, 0, &(qn_greedy_options){.remove_dead = true});
}

const qn_pass qn_pass_dead_code_elimination = {
    .name = "dead-code-elimination",
    .summary = "remove pure ops whose results nothing uses",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
