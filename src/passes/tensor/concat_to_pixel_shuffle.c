/* concat-to-pixel-shuffle: replaces four tensors that are interleaved by rows and columns by a
 * concatenation of channels and a depth_to_space.
 *
 *   rows:     ab = a b a b ...    reshape(stack(a, b, axis 2)),    cd the same of c, d
 *   columns:  the result          reshape(stack(ab, cd, axis 3))
 *     ->
 *   %0 = "ml.concat"(%a, %c, %b, %d) {axis = 3 : i64}
 *   %1 = "ml.depth_to_space"(%0) {block_shape = array<i64: 2>}
 *
 * Each 2x2 block of the result, [[a, c], [b, d]], has one pixel of each tensor. Channels are the
 * last dimension, as for ml.depth_to_space. All four tensors have the same type with one scale, and
 * no other op reads an intermediate result.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { RESULT, COLUMNS, LEFT, RIGHT, LEFT_ROWS, RIGHT_ROWS, RANK = 4 };

/* Whether two tensors are stacked along dimension `dim`, and the reshape merges the new dimension
 * with the one before, so that their entries alternate. */
static bool alternates(const qn_op *stack, const qn_value *joined, uint32_t dim) {
  const qn_value *part = qn_op_operand(stack, 0);
  if (stack->operand_count != 2 || qn_op_operand(stack, 1)->type != part->type ||
      qn_op_axis(stack) != dim + 1 || qn_rank(part) != RANK || qn_rank(joined) != RANK ||
      stack->results[0].type->shaped.element != part->type->shaped.element ||
      joined->type->shaped.element != part->type->shaped.element)
    return false;
  for (uint32_t i = 0; i < RANK; i++)
    if (qn_dim(joined, i) != qn_dim(part, i) * (i == dim ? 2 : 1)) return false;
  return true;
}

static qn_value *unpacked(qn_rewriter *rw, const qn_matched *m) {
  enum { ROW = 1, COLUMN, CHANNEL };
  const qn_op *left = m->op[LEFT_ROWS], *right = m->op[RIGHT_ROWS];
  if (!alternates(m->op[COLUMNS], m->value[RESULT], COLUMN) ||
      !alternates(left, m->value[LEFT], ROW) || !alternates(right, m->value[RIGHT], ROW) ||
      !qn_is_position_free(m->value[RESULT]->type))
    return NULL;
  const qn_value *part = qn_op_operand(left, 0);
  int64_t dims[RANK];
  for (uint32_t i = 0; i < RANK; i++) dims[i] = qn_dim(part, i) * (i == CHANNEL ? 4 : 1);
  qn_value *y =
      qn_build_1(&rw->builder, QN_OP_ML_CONCAT, qn_type_with_dims(rw->cx, part->type, RANK, dims),
                 QN_VALUES(qn_op_operand(left, 0), qn_op_operand(right, 0), qn_op_operand(left, 1),
                           qn_op_operand(right, 1)),
                 QN_ATTRS({"axis", qn_attr_i64(rw->cx, CHANNEL)}));
  const int64_t block = 2;
  return qn_build_1(&rw->builder, QN_OP_ML_DEPTH_TO_SPACE, m->value[RESULT]->type, QN_VALUES(y),
                    QN_ATTRS({"block_shape", qn_attr_i64s(rw->cx, &block, 1)}));
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_RESHAPE}, .operands = {COLUMNS}},
             {.kinds = {QN_OP_ML_STACK}, .flags = QN_ONLY_USE, .operands = {LEFT, RIGHT}},
             {.kinds = {QN_OP_ML_RESHAPE}, .flags = QN_ONLY_USE, .operands = {LEFT_ROWS}},
             {.kinds = {QN_OP_ML_RESHAPE}, .flags = QN_ONLY_USE, .operands = {RIGHT_ROWS}},
             {.kinds = {QN_OP_ML_STACK}, .flags = QN_ONLY_USE},
             {.kinds = {QN_OP_ML_STACK}, .flags = QN_ONLY_USE}},
    .rewrite = unpacked,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("alternating-pixels", QN_OP_ML_RESHAPE, rule)};

const qn_pass qn_pass_concat_to_pixel_shuffle = {
    .name = "concat-to-pixel-shuffle",
    .summary = "unpack channels instead of letting rows and columns alternate",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
