/* replace-stack-reshape: replaces a stack whose new axis a reshape merges with the next one by a
 * concat.
 *
 *   %0 = "ml.stack"(%a, %b) {axis = 1 : i64} : ... -> tensor<1x2x5xf32>
 *   %1 = "ml.reshape"(%0) : (tensor<1x2x5xf32>) -> tensor<1x10xf32>
 *     ->
 *   %1 = "ml.concat"(%a, %b) {axis = 1 : i64}
 *
 * Applies to any number of tensors. The reshape has one dimension less than the stack and merges
 * the new axis with the next one; no other op reads the stack. If it merges the new axis with the
 * previous one, the tensors are interleaved, which is not a concat unless that dimension has size
 * 1. All tensors have the same element type with one scale.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { RESHAPE, STACK };

/* The only dimension in which the result differs from a part, if it is `count` times as large; else
 * -1. */
static int64_t joined_axis(const qn_value *part, const qn_value *result, int64_t count) {
  int64_t axis = -1;
  if (qn_rank(part) != qn_rank(result)) return -1;
  for (uint32_t i = 0; i < qn_rank(part); i++) {
    if (qn_dim(part, i) == qn_dim(result, i)) continue;
    if (axis >= 0 || qn_dim(result, i) != count * qn_dim(part, i)) return -1;
    axis = i;
  }
  return axis;
}

static bool are_alike(const qn_matched *m) {
  const qn_type *element = m->value[RESHAPE]->type->shaped.element;
  if (m->value[STACK]->type->shaped.element != element) return false;
  for (uint32_t i = 0; i < m->op[STACK]->operand_count; i++)
    if (qn_op_operand(m->op[STACK], i)->type->shaped.element != element) return false;
  return qn_is_position_free(m->value[RESHAPE]->type);
}

static qn_value *concat(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *stack = m->op[STACK];
  uint32_t count = stack->operand_count;
  if (count < 2 || !are_alike(m)) return NULL;
  qn_value **parts = QN_NEW_ARRAY(rw->pc->scratch, count, qn_value *);
  for (uint32_t i = 0; i < count; i++) parts[i] = qn_op_operand(stack, i);
  int64_t axis = joined_axis(parts[0], m->value[RESHAPE], count), stacked = qn_op_axis(stack);
  bool alternates = axis + 1 == stacked && axis >= 0 && qn_dim(parts[0], (uint32_t)axis) > 1;
  if (axis < 0 || alternates || (axis != stacked && axis + 1 != stacked)) return NULL;
  return qn_build_1(&rw->builder, QN_OP_ML_CONCAT, m->value[RESHAPE]->type, parts, count,
                    QN_ATTRS({"axis", qn_attr_i64(rw->cx, axis)}));
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_RESHAPE}, .operands = {STACK}},
             {.kinds = {QN_OP_ML_STACK}, .flags = QN_ONLY_USE}},
    .rewrite = concat,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("reshape-of-stack", QN_OP_ML_RESHAPE, rule)};

const qn_pass qn_pass_replace_stack_reshape = {
    .name = "replace-stack-reshape",
    .summary = "concatenate what is stacked and reshaped to that",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
