/* fuse-onehot-matmul-to-gather: replaces a matmul of a one-hot matrix by a gather of rows.
 *
 *   %0 = "ml.one_hot"(%i, 1, 0) {axis = last}
 *   %1 = "ml.matmul"(%0, %w)    ->   %1 = "ml.gather"(%w, %i) {axis = 0}
 *
 * %w is a constant of two dimensions. Its elements are finite and not -0, which the sum would turn
 * into 0. No operand is transposed, and no other op reads the one-hot matrix. For an index out of
 * range, one_hot gives a row of zeros but gather the nearest row. So every index must be known to
 * be in range: a constant, or the result of argmin, argmax or top-k over a dimension no larger than
 * %w's rows. With assume-in-range=true, all indices count as in range.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact; with assume-in-range=true, for indices in
 * range.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { PRODUCT, ONES, MATRIX, INDICES, ON, OFF };

static bool are_rows_kept(const qn_value *matrix) {
  const qn_attr *attr = qn_value_constant(matrix);
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(matrix->type);
  for (int64_t i = 0; i < count; i++) {
    double w = qn_dense_float(attr, i);
    if (!isfinite(w) || (w == 0 && signbit(w))) return false;
  }
  return true;
}

static bool picks_rows(const qn_matched *m) {
  const qn_op *product = m->op[PRODUCT], *ones = m->op[ONES];
  const qn_type *element = qn_type_element(m->value[PRODUCT]->type);
  return element->kind == QN_TYPE_FLOAT && qn_type_element(m->value[MATRIX]->type) == element &&
         qn_type_element(m->value[ONES]->type) == element &&
         qn_type_element(m->value[ON]->type) == element &&
         qn_type_element(m->value[OFF]->type) == element && qn_rank(m->value[MATRIX]) == 2 &&
         !qn_op_transpose_x(product) && !qn_op_transpose_y(product) &&
         qn_op_axis(ones) == qn_rank(m->value[INDICES]) && qn_literal_is(m->value[ON], 1) &&
         qn_literal_real(m->value[OFF], 0) == 0 && are_rows_kept(m->value[MATRIX]);
}

static qn_value *gathered(qn_rewriter *rw, const qn_matched *m, bool inside) {
  if (!inside || !picks_rows(m)) return NULL;
  return qn_build_1(&rw->builder, QN_OP_ML_GATHER, m->value[PRODUCT]->type,
                    QN_VALUES(m->value[MATRIX], m->value[INDICES]),
                    QN_ATTRS({"axis", qn_attr_i64(rw->cx, 0)}));
}

/* ---- indices that are in range ---- */

static qn_value *by_constants(qn_rewriter *rw, const qn_matched *m) {
  const qn_attr *attr = qn_value_constant(m->value[INDICES]);
  int64_t count = attr->dense.splat ? 1 : qn_type_elements(m->value[INDICES]->type);
  int64_t rows = qn_op_depth(m->op[ONES]);
  bool inside = true;
  for (int64_t i = 0; i < count && inside; i++)
    inside = qn_dense_int(attr, i) >= 0 && qn_dense_int(attr, i) < rows;
  return gathered(rw, m, inside);
}

static qn_value *by_argmax(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *place = m->op[INDICES];
  int64_t row = qn_dim(qn_op_operand(place, 0), (uint32_t)qn_op_axis(place));
  return gathered(rw, m, row <= qn_op_depth(m->op[ONES]));
}

static qn_value *by_largest(qn_rewriter *rw, const qn_matched *m) {
  const qn_value *x = qn_op_operand(m->op[INDICES], 0);
  return gathered(rw, m, qn_dim(x, qn_rank(x) - 1) <= qn_op_depth(m->op[ONES]));
}

static qn_value *by_any(qn_rewriter *rw, const qn_matched *m) {
  return gathered(rw, m, *(const bool *)rw->state);
}

/* ---- rules ---- */

#define ROWS(...)                                                                                  \
  {                                                                                                \
    {.kinds = {QN_OP_ML_MATMUL}, .operands = {ONES, MATRIX}},                                      \
        {.kinds = {QN_OP_ML_ONE_HOT}, .flags = QN_ONLY_USE, .operands = {INDICES, ON, OFF}},       \
        {.flags = QN_ANY_VALUE | QN_LITERAL}, {__VA_ARGS__}, {.flags = QN_ANY_VALUE | QN_LITERAL}, \
    {                                                                                              \
      .flags = QN_ANY_VALUE | QN_LITERAL                                                           \
    }                                                                                              \
  }
static const qn_graph_rule constants = {ROWS(.flags = QN_ANY_VALUE | QN_LITERAL), by_constants};
static const qn_graph_rule argmax = {
    ROWS(.kinds = {QN_OP_ML_REDUCE_ARGMAX, QN_OP_ML_REDUCE_ARGMIN}), by_argmax};
static const qn_graph_rule largest = {ROWS(.kinds = {QN_OP_ML_TOP_INDICES}), by_largest};
static const qn_graph_rule any = {ROWS(.flags = QN_ANY_VALUE), by_any};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("ones-at-constants", QN_OP_ML_MATMUL, constants),
    QN_GRAPH_RULE("ones-at-argmax", QN_OP_ML_MATMUL, argmax),
    QN_GRAPH_RULE("ones-at-largest", QN_OP_ML_MATMUL, largest),
    QN_GRAPH_RULE("ones-at-indices", QN_OP_ML_MATMUL, any),
};

static const qn_option_spec options[] = {
    {"assume-in-range", QN_OPTION_BOOL, "false", "take every index for one inside of the matrix"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  bool assume = qn_pass_bool(pc, "assume-in-range");
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &assume});
}

const qn_pass qn_pass_fuse_onehot_matmul_to_gather = {
    .name = "fuse-onehot-matmul-to-gather",
    .summary = "gather the rows of a matrix that a product with ones picks",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
