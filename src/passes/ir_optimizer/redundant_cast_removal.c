/* redundant-cast-removal: removes a cast and its inverse if no value changes in between.
 *
 *   "ml.cast"(%x) : (tensor<4xf32>) -> tensor<4xf32>      ->   %x
 *   "ml.cast"("ml.cast"(%h : f16) : f32) : f16            ->   %h
 *   arith.trunci (arith.extsi %x : i8 to i32) : i32 to i8       ->   %x
 *   quant.scast (quant.scast %q : !q to i8) : i8 to !q          ->   %q
 *   quant.qcast (quant.dcast %q : !q to f32) : f32 to !q        ->   %q
 *
 * The first ml.cast must convert to a type that represents every value of its operand. The other
 * pairs are those of canonicalize. A pair through a narrower type, such as quant.dcast of a
 * quant.qcast, rounds, and stays.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/canonical/patterns.h"
#include "ir/ops/forms.h"
#include "passes/support/casts.h"

/* Replaces the second cast by the first one's operand. The first cast is removed unless it has
 * other uses. */
static bool cast_pair(qn_rewriter *rw, qn_op *op) {
  qn_op *first = op->operand_count == 1 ? qn_op_operand(op, 0)->op : NULL;
  if (!qn_canonical_cast_pair(rw, op)) return false;
  if (qn_op_is_dead(first)) qn_rewriter_erase(rw, first);
  return true;
}

enum { LAST, FIRST, X };

static qn_value *there_and_back(qn_rewriter *rw, const qn_matched *m) {
  (void)rw;
  bool holds =
      qn_cast_holds(qn_type_element(m->value[X]->type), qn_type_element(m->value[FIRST]->type));
  return holds && m->value[X]->type == m->value[LAST]->type ? m->value[X] : NULL;
}

static const qn_graph_rule pair = {
    .rows = {{.kinds = {QN_OP_ML_CAST}, .operands = {FIRST}},
             {.kinds = {QN_OP_ML_CAST}, .operands = {X}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = there_and_back,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("cast-to-same", QN_OP_ML_CAST, qn_cast_to_same),
    QN_GRAPH_RULE("cast-there-and-back", QN_OP_ML_CAST, pair),
    {"cast-pair", QN_OP_UNREGISTERED, cast_pair, NULL},
};

static qn_status run(qn_pass_context *pc) {
  /* the pattern reads only `relaxed`, which is false: values must not change */
  qn_canonical state = {0};
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &state});
}

const qn_pass qn_pass_redundant_cast_removal = {
    .name = "redundant-cast-removal",
    .summary = "remove casts there and back that lose nothing",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
