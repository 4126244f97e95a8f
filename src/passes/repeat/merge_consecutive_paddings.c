/* merge-consecutive-paddings: two pads in a row that write one value, of which nothing else reads
 * the first, become one.
 *
 *   %0 = "ml.pad"(%x) {pad = array<i64: 0, 0, 1, 1>}
 *   %1 = "ml.pad"(%0) {pad = array<i64: 1, 1, 1, 0>}
 *     ->
 *   %1 = "ml.pad"(%x) {pad = array<i64: 1, 1, 2, 1>}
 *
 * Borders are compared by what is stored: the zero points of the two results, where no value is
 * given, may differ.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

static qn_value *one_pad(qn_rewriter *rw, const qn_matched *m) {
  int64_t outer, inner, pad[2 * QN_ML_MAX_RANK];
  if (!qn_pad_stored_value(m->op[0], &outer) || !qn_pad_stored_value(m->op[1], &inner) ||
      outer != inner)
    return NULL;
  qn_i64s second = qn_op_pad(m->op[0]), first = qn_op_pad(m->op[1]);
  for (uint32_t i = 0; i < second.count; i++) pad[i] = first.data[i] + second.data[i];
  qn_value *made = qn_build_like(rw, m->op[0], QN_VALUES(m->value[2]), m->value[0]->type);
  qn_set_i64s(rw, made, "pad", pad, second.count);
  return made;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_PAD}, .operands = {1}},
             {.kinds = {QN_OP_ML_PAD}, .flags = QN_ONLY_USE, .operands = {2}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = one_pad,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("pad-of-pad", QN_OP_ML_PAD, rule)};

const qn_pass qn_pass_merge_consecutive_paddings = {
    .name = "merge-consecutive-paddings",
    .summary = "one pad in the place of several in a row that write one value",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
