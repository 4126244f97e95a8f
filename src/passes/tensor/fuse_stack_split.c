/* fuse-stack-split: replaces a tensor that is stacked with others and then split off again by the
 * tensor itself.
 *
 *   %s = "ml.stack"(%a, %b) {axis = 0 : i64} : ... -> tensor<2x3xf32>
 *   %0:2 = "ml.split"(%s) {axis = 0 : i64} : ... -> (tensor<1x3xf32>, tensor<1x3xf32>)
 *   %1 = "ml.squeeze"(%0#1) {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>
 *     ->
 *   uses of %1 become %b
 *
 * A reshape to the tensor's shape is treated like the squeeze. The split is along the new axis, and
 * this part contains one tensor; other parts may contain several, and may have any readers. The
 * stack may have other readers, too. All tensors have the same element type, so stacking does not
 * convert.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { SQUEEZE, SPLIT, STACK };

static qn_value *stacked(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *split = m->op[SPLIT], *stack = m->op[STACK];
  int64_t axis = qn_op_axis(stack), at = 0;
  (void)rw;
  if (qn_op_axis(split) != axis || qn_dim(m->value[SPLIT], (uint32_t)axis) != 1) return NULL;
  for (uint32_t i = 0; &split->results[i] != m->value[SPLIT]; i++)
    at += qn_dim(&split->results[i], (uint32_t)axis);
  qn_value *part = qn_op_operand(stack, (uint32_t)at);
  bool alike = m->value[STACK]->type->shaped.element == part->type->shaped.element;
  return alike && m->value[SQUEEZE]->type == part->type ? part : NULL;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_SQUEEZE, QN_OP_ML_RESHAPE}, .operands = {SPLIT}},
             {.kinds = {QN_OP_ML_SPLIT}, .flags = QN_ONE_OF_SEVERAL, .operands = {STACK}},
             {.kinds = {QN_OP_ML_STACK}}},
    .rewrite = stacked,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("squeezed-part-of-stack", QN_OP_ML_SQUEEZE, rule),
    QN_GRAPH_RULE("reshaped-part-of-stack", QN_OP_ML_RESHAPE, rule)};

const qn_pass qn_pass_fuse_stack_split = {
    .name = "fuse-stack-split",
    .summary = "read tensors as they were before they were stacked and split",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
