/* merge-consecutive-transposes: merges two consecutive transposes, if the first has no other
 * reader, into their composition.
 *
 *   %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 1, 3>}
 *   %1 = "ml.transpose"(%0) {perm = array<i64: 3, 2, 0, 1>}
 *     ->
 *   %1 = "ml.transpose"(%x) {perm = array<i64: 3, 1, 0, 2>}
 *
 * A composition that is the identity stays for noop-elimination.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

static qn_value *one_transpose(qn_rewriter *rw, const qn_matched *m) {
  qn_i64s second = qn_op_perm(m->op[0]), first = qn_op_perm(m->op[1]);
  int64_t perm[QN_ML_MAX_RANK];
  QN_ASSERT(first.count == second.count && first.count <= QN_ML_MAX_RANK);
  for (uint32_t i = 0; i < second.count; i++) perm[i] = first.data[second.data[i]];
  qn_value *made = qn_build_like(rw, m->op[0], QN_VALUES(m->value[2]), m->value[0]->type);
  qn_set_i64s(rw, made, "perm", perm, second.count);
  return made;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_TRANSPOSE}, .operands = {1}},
             {.kinds = {QN_OP_ML_TRANSPOSE}, .flags = QN_ONLY_USE, .operands = {2}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = one_transpose,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("transpose-of-transpose", QN_OP_ML_TRANSPOSE, rule)};

const qn_pass qn_pass_merge_consecutive_transposes = {
    .name = "merge-consecutive-transposes",
    .summary = "one transpose in the place of several in a row",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
