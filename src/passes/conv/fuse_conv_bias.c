/* fuse-conv-bias: folds a constant that is added to a convolution's result, subtracted from it, or
 * from which it is subtracted, into the bias.
 *
 *   %0 = "ml.conv"(%x, %w, %b)
 *   %1 = "ml.add"(%0, %k) {activation = "relu"}
 *     ->
 *   %1 = "ml.conv"(%x, %w, %b + %k) {activation = "relu"}
 *
 *   "ml.sub"(%k, conv)             ->   weights and bias are negated first
 *
 *   "ml.add"(transpose(conv), %k)  ->   transpose("ml.add"(conv, %k as a vector)), which then fuses
 *
 * %k has one element, or one per output channel in the dimension to which a transpose moved the
 * channels, and does not make the result larger. No other op reads the convolution, which has no
 * fused activation and a constant bias. Applies to floats only: a profile rounds between a
 * quantized convolution and an addition.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: rounding: sums start with the new bias.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/affine.h"

#define ROWS QN_AFFINE_ROWS(QN_CONVOLUTIONS, QN_OP_ML_ADD, QN_OP_ML_SUB)
static const qn_graph_rule rule = {.rows = ROWS, .rewrite = qn_fuse_into_bias};

enum { SUM, TURN, CONV, CONSTANT };

/* Whether the rule for a convolution without a transpose would apply. */
static bool can_fuse(const qn_matched *m) {
  const qn_op *conv = m->op[CONV];
  bool negates = m->op[SUM]->kind == QN_OP_ML_SUB && m->swapped;
  return m->value[SUM]->type == m->value[TURN]->type && qn_matched_floats(m) &&
         qn_op_is_of_floats(conv) &&
         (conv->operand_count < 3 || qn_value_literal(qn_op_operand(conv, 2))) &&
         (!negates || qn_value_literal(qn_op_operand(conv, 1)));
}

static qn_value *before_transpose(qn_rewriter *rw, const qn_matched *m) {
  qn_i64s perm = qn_op_perm(m->op[TURN]);
  uint32_t channels = 0;
  if (!can_fuse(m)) return NULL;
  while (perm.data[channels] != perm.count - 1) channels++;
  qn_value *k = qn_build_per_channel(rw, m->value[CONSTANT], m->value[SUM], channels);
  if (!k) return NULL;
  qn_value *operands[2] = {m->swapped ? k : m->value[CONV], m->swapped ? m->value[CONV] : k};
  qn_value *sum = qn_build_like(rw, m->op[SUM], operands, 2, m->value[CONV]->type);
  return qn_build_like(rw, m->op[TURN], QN_VALUES(sum), m->value[SUM]->type);
}

static const qn_graph_rule behind_transpose = {
    .rows = {[SUM] = {.kinds = {QN_OP_ML_ADD, QN_OP_ML_SUB},
                      .flags = QN_EITHER_SIDE,
                      .operands = {TURN, CONSTANT}},
             [TURN] = {.kinds = {QN_OP_ML_TRANSPOSE}, .flags = QN_ONLY_USE, .operands = {CONV}},
             [CONV] = {.kinds = QN_CONVOLUTIONS, .flags = QN_ONLY_USE | QN_PLAIN},
             [CONSTANT] = {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = before_transpose,
};

static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("add-behind-transpose", QN_OP_ML_ADD, behind_transpose),
    QN_GRAPH_RULE("subtract-behind-transpose", QN_OP_ML_SUB, behind_transpose),
    QN_GRAPH_RULE("add-to-convolution", QN_OP_ML_ADD, rule),
    QN_GRAPH_RULE("subtract-from-convolution", QN_OP_ML_SUB, rule),
};

const qn_pass qn_pass_fuse_conv_bias = {
    .name = "fuse-conv-bias",
    .summary = "make constants added to a convolution its bias",
    .anchor = QN_ON_FUNC,
    .numerics = QN_ROUNDING,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
