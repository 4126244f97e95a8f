/* remove-redundant-ops: of equal ops on the same values the first stays.
 *
 *   %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>}
 *   %1 = "ml.transpose"(%x) {perm = array<i64: 1, 0>}     ->   uses of %1 become %0
 *
 * It is upstream's name for cse, which also finds equal ops on constants, ops with several results
 * and, in nested regions, ops equal to one outside. Ops in two branches stay.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/pass.h"

const qn_pass qn_pass_remove_redundant_ops = {
    .name = "remove-redundant-ops",
    .summary = "cse, by the name that graphs' passes have",
    .anchor = QN_ON_ANY,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .pipeline = "cse",
};
