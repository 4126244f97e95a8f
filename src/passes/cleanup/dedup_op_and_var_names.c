/* dedup-op-and-var-names: makes the names of the model's arguments unique, and the names of its
 * results.
 *
 *   func.func @main(%a: ... {quern.name = "x"}, %b: ... {quern.name = "x"})
 *   ->
 *   func.func @main(%a: ... {quern.name = "x"}, %b: ... {quern.name = "x_1"})
 *
 * The first one with a name keeps it. Others get "_" and the smallest number from 1 on that gives
 * an unused name. Arguments and results are separate, so a result can have the name of an argument.
 * Upstream also renames ops and values. Here values have no names, and the location of an op names
 * the layer it came from, which several ops can share.
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
