/* noop-elimination: removes ops that return their operand unchanged.
 *
 *   "ml.reshape"(%x) : (tensor<4xf32>) -> tensor<4xf32>          ->   %x
 *   "ml.transpose"(%x) {perm = array<i64: 0, 1>}                 ->   %x
 *   "ml.pad"(%x) {pad = array<i64: 0, 0, 0, 0>}                  ->   %x
 *   "ml.slice_by_index"(%x), all of it, no stride negative       ->   %x
 *   "ml.split"(%x), "ml.concat"(%x) with one part                ->   %x
 *   "ml.tile"(%x), "ml.mirror_pad"(%x), "ml.resize_nearest_neighbor"(%x) to the same shape   -> %x
 *   "ml.mul"(%x, 1.0), "ml.sub"(%x, 0.0), "ml.add"(%x, -0.0)     ->   %x
 *   "ml.real_div"(%x, 1.0), "ml.pow"(%x, 1.0), "ml.floor_div"(%x, 1) of integers   ->   %x
 *   "ml.add"(%x, 0.0), "ml.sub"(%x, -0.0)   only with ignore-signed-zeros: -0.0 becomes 0.0
 *
 * In all cases operand and result must have the same type: the same bits mean other values in
 * another quantized type, and a constant of a larger shape broadcasts. Arithmetic is considered
 * only on floats and plain integers, because a profile rounds quantized arithmetic, and only
 * without a fused activation. A power
 * with exponent 1 is exact for floats of at most 32 bits, because it is computed with more bits;
 * for f64 it is not. Bilinear resizing to the same shape stays: it adds neighbours times 0, which
 * is NaN if a neighbour is infinite.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact, except for the sign of zero with
 * ignore-signed-zeros.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

/* ---- ops that move values ---- */

static bool remove_move(qn_rewriter *rw, qn_op *op) {
  if (op->operand_count != 1 || op->result_count != 1) return false;
  qn_value *x = qn_op_operand(op, 0);
  if (x->type != op->results[0].type) return false;
  qn_rewriter_replace(rw, op, &x);
  return true;
}

static bool remove_transpose(qn_rewriter *rw, qn_op *op) {
  return qn_is_identity_perm(qn_op_perm(op)) && remove_move(rw, op);
}

/* A slice with unchanged shape and no negative stride starts at 0 with steps of 1. */
static bool remove_slice(qn_rewriter *rw, qn_op *op) {
  qn_i64s stride = qn_op_stride(op);
  for (uint32_t i = 0; i < stride.count; i++)
    if (stride.data[i] < 0) return false;
  return remove_move(rw, op);
}

/* ---- arithmetic ---- */

static bool is_whole(const qn_value *value) {
  return qn_type_element(value->type)->kind == QN_TYPE_INTEGER;
}

/* Whether all elements of the literal are `neutral`. With ignore-signed-zeros, a zero of either
 * sign matches a zero. */
static bool is_neutral(const qn_rewriter *rw, const qn_value *literal, double neutral) {
  if (is_whole(literal)) return qn_literal_is_whole(literal, (int64_t)neutral);
  if (qn_type_element(literal->type)->kind != QN_TYPE_FLOAT) return false;
  bool any_zero = *(const bool *)rw->state && neutral == 0;
  return qn_literal_is(literal, neutral) || (any_zero && qn_literal_is(literal, -neutral));
}

/* The operand that is not the literal, if the literal is `neutral` for the op; else NULL. */
static qn_value *other_operand(const qn_rewriter *rw, const qn_matched *m, double neutral) {
  bool is = m->value[1]->type == m->value[0]->type && is_neutral(rw, m->value[2], neutral);
  return is ? m->value[1] : NULL;
}

static qn_value *without_sum(qn_rewriter *rw, const qn_matched *m) {
  return other_operand(rw, m, -0.0);
}
static qn_value *without_difference(qn_rewriter *rw, const qn_matched *m) {
  return other_operand(rw, m, 0.0);
}
static qn_value *without_product(qn_rewriter *rw, const qn_matched *m) {
  return other_operand(rw, m, 1.0);
}

/* floor_div by 1 is the identity for integers only: floats are rounded down. */
static qn_value *without_floor(qn_rewriter *rw, const qn_matched *m) {
  return is_whole(m->value[2]) ? other_operand(rw, m, 1.0) : NULL;
}
static qn_value *without_power(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *element = qn_type_element(m->value[0]->type);
  return is_whole(m->value[2]) || qn_type_is_float(element, QN_F64) ? NULL
                                                                    : other_operand(rw, m, 1.0);
}

#define ROWS                                                                                       \
  {.flags = QN_ANY_VALUE}, { .flags = QN_ANY_VALUE | QN_LITERAL }
static const qn_graph_rule sum = {
    .rows = {{.kinds = {QN_OP_ML_ADD}, .flags = QN_PLAIN | QN_EITHER_SIDE, .operands = {1, 2}},
             ROWS},
    .rewrite = without_sum,
};
static const qn_graph_rule product = {
    .rows = {{.kinds = {QN_OP_ML_MUL}, .flags = QN_PLAIN | QN_EITHER_SIDE, .operands = {1, 2}},
             ROWS},
    .rewrite = without_product,
};
#define SECOND(name, kind, build)                                                                  \
  static const qn_graph_rule name = {                                                              \
      .rows = {{.kinds = {kind}, .flags = QN_PLAIN, .operands = {1, 2}}, ROWS}, .rewrite = build}
SECOND(difference, QN_OP_ML_SUB, without_difference);
SECOND(quotient, QN_OP_ML_REAL_DIV, without_product);
SECOND(whole_quotient, QN_OP_ML_FLOOR_DIV, without_floor);
SECOND(power, QN_OP_ML_POW, without_power);

static const qn_pattern patterns[] = {
    {"same-reshape", QN_OP_ML_RESHAPE, remove_move, NULL},
    {"same-squeeze", QN_OP_ML_SQUEEZE, remove_move, NULL},
    {"same-expand-dims", QN_OP_ML_EXPAND_DIMS, remove_move, NULL},
    {"identity-transpose", QN_OP_ML_TRANSPOSE, remove_transpose, NULL},
    {"pad-by-nothing", QN_OP_ML_PAD, remove_move, NULL},
    {"slice-of-all", QN_OP_ML_SLICE_BY_INDEX, remove_slice, NULL},
    {"split-in-one", QN_OP_ML_SPLIT, remove_move, NULL},
    {"concat-of-one", QN_OP_ML_CONCAT, remove_move, NULL},
    {"tile-once", QN_OP_ML_TILE, remove_move, NULL},
    {"mirror-nothing", QN_OP_ML_MIRROR_PAD, remove_move, NULL},
    {"resize-to-same-size", QN_OP_ML_RESIZE_NEAREST_NEIGHBOR, remove_move, NULL},
    QN_GRAPH_RULE("add-nothing", QN_OP_ML_ADD, sum),
    QN_GRAPH_RULE("multiply-by-one", QN_OP_ML_MUL, product),
    QN_GRAPH_RULE("subtract-nothing", QN_OP_ML_SUB, difference),
    QN_GRAPH_RULE("divide-by-one", QN_OP_ML_REAL_DIV, quotient),
    QN_GRAPH_RULE("divide-by-one", QN_OP_ML_FLOOR_DIV, whole_quotient),
    QN_GRAPH_RULE("to-the-power-of-one", QN_OP_ML_POW, power),
};

static const qn_option_spec options[] = {
    {"ignore-signed-zeros", QN_OPTION_BOOL, "false",
     "also remove x + 0.0, although it changes -0.0 to 0.0"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  bool any_zero = qn_pass_bool(pc, "ignore-signed-zeros");
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &any_zero});
}

const qn_pass qn_pass_noop_elimination = {
    .name = "noop-elimination",
    .summary = "remove ops that return their operand unchanged",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
