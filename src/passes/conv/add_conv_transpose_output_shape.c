/* add-conv-transpose-output-shape: adds the rows and columns of its result to a transposed
 * convolution.
 *
 *   %0 = "ml.conv_transpose"(%x, %w) {...} : ... -> tensor<1x5x7x2xf32>
 *     ->
 *   %0 = "ml.conv_transpose"(%x, %w) {output_shape = array<i64: 5, 7>, ...} : ... -> tensor<...>
 *
 * Several output sizes are possible for one input size, so tools that read the graph need not know
 * the default rule. Batch and channels follow from x and the weights. An op that has the attribute
 * keeps it. Types are static, so the size is always known.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

static qn_value *stated(qn_rewriter *rw, const qn_matched *m) {
  qn_op *op = m->op[0];
  if (qn_op_find(op, QN_A_OUTPUT_SHAPE)) return NULL;
  qn_value *operands[3] = {NULL};
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = qn_op_operand(op, i);
  const qn_type *type = m->value[0]->type;
  qn_value *made = qn_build_like(rw, op, operands, op->operand_count, type);
  qn_set_i64s(rw, made, "output_shape", type->shaped.dims + 1, type->shaped.rank - 2);
  return made;
}

static const qn_graph_rule rule = {.rows = {{.kinds = {QN_OP_ML_CONV_TRANSPOSE}}},
                                   .rewrite = stated};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("sizes-of-transposed", QN_OP_ML_CONV_TRANSPOSE, rule)};

const qn_pass qn_pass_add_conv_transpose_output_shape = {
    .name = "add-conv-transpose-output-shape",
    .summary = "say the sizes of the results of transposed convolutions",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
