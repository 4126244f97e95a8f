/* remove-redundant-ops: merges equal ops on the same operands; the first stays.
 *
 *   %0 = "ml.transpose"(%x) {perm = array<i64: 1, 0>}
 *   %1 = "ml.transpose"(%x) {perm = array<i64: 1, 0>}     ->   uses of %1 become %0
 *
 * This is cse under upstream's name. It also merges equal ops on constants, ops with several
 * results, and ops of nested regions that equal one outside. Equal ops in two branches stay.
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
