/* fuse-stack-split: a tensor that is stacked with others only to be split off again is that tensor.
 *
 *   %s = "ml.stack"(%a, %b) {axis = 0 : i64} : ... -> tensor<2x3xf32>
 *   %0:2 = "ml.split"(%s) {axis = 0 : i64} : ... -> (tensor<1x3xf32>, tensor<1x3xf32>)
 *   %1 = "ml.squeeze"(%0#1) {axes = array<i64: 0>} : (tensor<1x3xf32>) -> tensor<3xf32>
 *     ->
 *   %b in the place of %1
 *
 * A reshape to the tensor's shape is the same as the squeeze. The split cuts along the new axis,
 * and this part has one tensor; the others may have more, and may be read as they are. Others may
 * read the stack, too. All have one element type: stacking changes nothing then.
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
