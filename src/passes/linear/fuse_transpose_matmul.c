/* fuse-transpose-matmul: folds transposes of the operands of a matmul into its attributes.
 *
 *   %0 = "ml.transpose"(%y) {perm = array<i64: 0, 2, 1>}
 *   %1 = "ml.matmul"(%x, %0)    ->   %1 = "ml.matmul"(%x, %y) {transpose_y = true}
 *
 * The transpose exchanges the last two dimensions only and keeps the element type. Each operand is
 * rewritten by itself; a second transpose cancels the first. If the transpose has other readers, it
 * stays.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact: sums keep their order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

enum { PRODUCT, TRANSPOSE, SOURCE };

static bool swaps_last(qn_i64s perm) {
  if (perm.count < 2) return false;
  for (uint32_t i = 0; i + 2 < perm.count; i++)
    if (perm.data[i] != i) return false;
  return perm.data[perm.count - 1] == perm.count - 2;
}

static qn_value *bypassed(qn_rewriter *rw, const qn_matched *m, uint32_t at) {
  const qn_type *from = m->value[SOURCE]->type;
  if (!swaps_last(qn_op_perm(m->op[TRANSPOSE])) || !qn_is_position_free(from) ||
      from->shaped.element != m->value[TRANSPOSE]->type->shaped.element)
    return NULL;
  qn_op *product = m->op[PRODUCT];
  qn_value *operands[2] = {qn_op_operand(product, 0), qn_op_operand(product, 1)};
  operands[at] = m->value[SOURCE];
  bool was = at == 0 ? qn_op_transpose_x(product) : qn_op_transpose_y(product);
  qn_value *y = qn_build_like(rw, product, operands, 2, m->value[PRODUCT]->type);
  qn_op_set_attr(rw->module, y->op, at == 0 ? "transpose_x" : "transpose_y",
                 was ? NULL : qn_attr_bool(rw->cx, true));
  return y;
}
static qn_value *first(qn_rewriter *rw, const qn_matched *m) { return bypassed(rw, m, 0); }
static qn_value *second(qn_rewriter *rw, const qn_matched *m) { return bypassed(rw, m, 1); }

#define ROWS(...)                                                                                  \
  {                                                                                                \
    {.kinds = {QN_OP_ML_MATMUL}, .operands = {__VA_ARGS__}},                                       \
        {.kinds = {QN_OP_ML_TRANSPOSE}, .operands = {SOURCE}}, {                                   \
      .flags = QN_ANY_VALUE                                                                        \
    }                                                                                              \
  }
static const qn_graph_rule of_first = {ROWS(TRANSPOSE), first};
static const qn_graph_rule of_second = {ROWS(0, TRANSPOSE), second};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("transposed-x", QN_OP_ML_MATMUL, of_first),
    QN_GRAPH_RULE("transposed-y", QN_OP_ML_MATMUL, of_second),
};

const qn_pass qn_pass_fuse_transpose_matmul = {
    .name = "fuse-transpose-matmul",
    .summary = "let products of matrices read what is transposed before them",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
