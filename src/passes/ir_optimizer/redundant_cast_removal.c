/* redundant-cast-removal: casts there and back are removed where no value is lost on the way.
 *
 *   arith.trunci (arith.extsi %x : i8 to i32) : i32 to i8       ->   %x
 *   quant.scast (quant.scast %q : !q to i8) : i8 to !q          ->   %q
 *   quant.qcast (quant.dcast %q : !q to f32) : f32 to !q        ->   %q
 *
 * The pairs are those that canonicalize knows. A pair through a narrower type, such as quant.dcast
 * of a quant.qcast, rounds, and stays.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/canonical/patterns.h"

/* The first cast goes with the second, unless others read it. */
static bool cast_pair(qn_rewriter *rw, qn_op *op) {
  qn_op *first = op->operand_count == 1 ? qn_op_operand(op, 0)->op : NULL;
  if (!qn_canonical_cast_pair(rw, op)) return false;
  if (qn_op_is_dead(first)) qn_rewriter_erase(rw, first);
  return true;
}

static const qn_pattern patterns[] = {{"cast-pair", QN_OP_UNREGISTERED, cast_pair, NULL}};

static qn_status run(qn_pass_context *pc) {
  qn_canonical state = {0}; /* of it the pattern reads whether it may lose values: no */
  return qn_rewrite_greedily(pc, pc->root, patterns, 1, &(qn_greedy_options){.state = &state});
}

const qn_pass qn_pass_redundant_cast_removal = {
    .name = "redundant-cast-removal",
    .summary = "remove casts there and back that lose nothing",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
