/* detect-concat-interleave: replaces a concat whose operands are then interleaved by a stack and a
 * reshape.
 *
 *   %0 = "ml.concat"(%a, %b) {axis = 1 : i64}          : ... -> tensor<1x6x4x4xf32>
 *   %1 = "ml.reshape"(%0)                              : ... -> tensor<1x2x3x4x4xf32>
 *   %2 = "ml.transpose"(%1) {perm = array<i64: 0, 2, 1, 3, 4>}
 *   %3 = "ml.reshape"(%2)                              : ... -> tensor<1x6x4x4xf32>
 *     ->
 *   %0 = "ml.stack"(%a, %b) {axis = 2 : i64}           : ... -> tensor<1x3x2x4x4xf32>
 *   %3 = "ml.reshape"(%0)                              : ... -> tensor<1x6x4x4xf32>
 *
 * The model dialect has no interleaving concat; this is its form. Applies to any number of operands
 * of one type, along any axis of any rank. No other op reads an intermediate result. There is one
 * element type with one scale.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { JOINED, TURNED, PARTED, CONCAT };

static bool are_alike(const qn_matched *m) {
  const qn_op *concat = m->op[CONCAT];
  const qn_type *part = qn_op_operand(concat, 0)->type;
  for (uint32_t i = 1; i < concat->operand_count; i++)
    if (qn_op_operand(concat, i)->type != part) return false;
  for (uint32_t i = JOINED; i <= CONCAT; i++)
    if (m->value[i]->type->shaped.element != part->shaped.element) return false;
  return qn_is_position_free(part);
}

/* Whether the transpose exchanges the two dimensions into which the reshape split the axis: the
 * index of the operand, and the index within it. */
static bool alternates(const qn_matched *m, int64_t axis) {
  const qn_value *part = qn_op_operand(m->op[CONCAT], 0), *parted = m->value[PARTED];
  qn_i64s perm = qn_op_perm(m->op[TURNED]);
  if (qn_rank(parted) != qn_rank(part) + 1) return false;
  for (int64_t i = 0; i < perm.count; i++) {
    int64_t from = i == axis ? i + 1 : i == axis + 1 ? i - 1 : i;
    int64_t size = i == axis  ? m->op[CONCAT]->operand_count
                   : i > axis ? qn_dim(part, (uint32_t)i - 1)
                              : qn_dim(part, (uint32_t)i);
    if (perm.data[i] != from || qn_dim(parted, (uint32_t)i) != size) return false;
  }
  return true;
}

static qn_value *stacked(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *concat = m->op[CONCAT];
  uint32_t count = concat->operand_count;
  int64_t axis = qn_op_axis(concat);
  if (count < 2 || !are_alike(m) || m->value[JOINED]->type != m->value[CONCAT]->type ||
      !alternates(m, axis))
    return NULL;
  qn_value **parts = QN_NEW_ARRAY(rw->pc->scratch, count, qn_value *);
  for (uint32_t i = 0; i < count; i++) parts[i] = qn_op_operand(concat, i);
  qn_value *y = qn_build_1(&rw->builder, QN_OP_ML_STACK, m->value[TURNED]->type, parts, count,
                           QN_ATTRS({"axis", qn_attr_i64(rw->cx, axis + 1)}));
  return qn_build_1(&rw->builder, QN_OP_ML_RESHAPE, m->value[JOINED]->type, QN_VALUES(y), NULL);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_RESHAPE}, .operands = {TURNED}},
             {.kinds = {QN_OP_ML_TRANSPOSE}, .flags = QN_ONLY_USE, .operands = {PARTED}},
             {.kinds = {QN_OP_ML_RESHAPE}, .flags = QN_ONLY_USE, .operands = {CONCAT}},
             {.kinds = {QN_OP_ML_CONCAT}, .flags = QN_ONLY_USE}},
    .rewrite = stacked,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("alternating-parts", QN_OP_ML_RESHAPE, rule)};

const qn_pass qn_pass_detect_concat_interleave = {
    .name = "detect-concat-interleave",
    .summary = "stack parts that alternate after they are joined",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
