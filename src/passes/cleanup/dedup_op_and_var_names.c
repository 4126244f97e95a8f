/* dedup-op-and-var-names: arguments of the model have different names, and so do results.
 *
 *   func.func @main(%a: ... {quern.name = "x"}, %b: ... {quern.name = "x"})
 *   ->
 *   func.func @main(%a: ... {quern.name = "x"}, %b: ... {quern.name = "x_1"})
 *
 * The first of a name keeps it; the others get "_" and the first number from 1 on that no other
 * has. Arguments and results are told apart, so a result may be named as an argument. Upstream has
 * names for ops and for values, too: here values have none, and an op's location names the layer
 * that it came from, which several ops share and keep.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/names.h"

static qn_str kept(qn_pass_context *pc, qn_str name) {
  (void)pc;
  return name;
}

static qn_status run(qn_pass_context *pc) { return qn_rename_border(pc, kept, true, 1); }

const qn_pass qn_pass_dedup_op_and_var_names = {
    .name = "dedup-op-and-var-names",
    .summary = "give arguments, and results, of the model different names",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
