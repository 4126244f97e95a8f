/* noop-elimination: ops that hand their operand on as it is are removed.
 *
 *   "ml.reshape"(%x) : (tensor<4xf32>) -> tensor<4xf32>          ->   %x
 *   "ml.transpose"(%x) {perm = array<i64: 0, 1>}                 ->   %x
 *   "ml.pad"(%x) {pad = array<i64: 0, 0, 0, 0>}                  ->   %x
 *   "ml.slice_by_index"(%x), all of it, no stride negative       ->   %x
 *   "ml.split"(%x), "ml.concat"(%x) with one part                ->   %x
 *   "ml.mul"(%x, 1.0), "ml.sub"(%x, 0.0), "ml.add"(%x, -0.0)     ->   %x
 *   "ml.add"(%x, 0.0), "ml.sub"(%x, -0.0)   only with ignore-signed-zeros: -0.0 becomes 0.0
 *
 * Always only when operand and result have one type: between two quantized types the same bits are
 * other numbers, and a constant of a larger shape broadcasts. Arithmetic is looked at on floats
 * alone, as a profile rounds the quantized one, and without fused activation.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact but for the sign of zero, when asked.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

/* ---- ops that move values ---- */

static bool moves_nothing(const qn_op *op) {
  switch (op->kind) {
  case QN_OP_ML_TRANSPOSE:
    return qn_is_identity_perm(qn_op_perm(op));
  case QN_OP_ML_SLICE_BY_INDEX: {
    qn_i64s stride = qn_op_stride(op);
    for (uint32_t i = 0; i < stride.count; i++)
      if (stride.data[i] < 0) return false;
    return true; /* of one shape: begins at 0, in steps of 1 */
  }
  default:
    return true;
  }
}

static bool remove_move(qn_rewriter *rw, qn_op *op) {
  if (op->operand_count != 1 || op->result_count != 1) return false;
  qn_value *x = qn_op_operand(op, 0);
  if (x->type != op->results[0].type || !moves_nothing(op)) return false;
  qn_rewriter_replace(rw, op, &x);
  return true;
}

/* ---- arithmetic ---- */

static bool neutral(const qn_rewriter *rw, const qn_matched *m) {
  if (qn_type_element(m->value[2]->type)->kind != QN_TYPE_FLOAT) return false;
  bool any_zero = *(const bool *)rw->state;
  switch (m->op[0]->kind) {
  case QN_OP_ML_MUL:
    return qn_literal_is(m->value[2], 1.0);
  case QN_OP_ML_SUB:
    return qn_literal_is(m->value[2], 0.0) || (any_zero && qn_literal_is(m->value[2], -0.0));
  default: /* add */
    return qn_literal_is(m->value[2], -0.0) || (any_zero && qn_literal_is(m->value[2], 0.0));
  }
}

static qn_value *other_operand(qn_rewriter *rw, const qn_matched *m) {
  return m->value[1]->type == m->value[0]->type && neutral(rw, m) ? m->value[1] : NULL;
}

#define ROWS                                                                                       \
  {.flags = QN_ANY_VALUE}, { .flags = QN_ANY_VALUE | QN_LITERAL }
static const qn_graph_rule commutative = {
    .rows = {{.kinds = {QN_OP_ML_ADD, QN_OP_ML_MUL},
              .flags = QN_PLAIN | QN_EITHER_SIDE,
              .operands = {1, 2}},
             ROWS},
    .rewrite = other_operand,
};
static const qn_graph_rule difference = {
    .rows = {{.kinds = {QN_OP_ML_SUB}, .flags = QN_PLAIN, .operands = {1, 2}}, ROWS},
    .rewrite = other_operand,
};

static const qn_pattern patterns[] = {
    {"same-reshape", QN_OP_ML_RESHAPE, remove_move, NULL},
    {"same-squeeze", QN_OP_ML_SQUEEZE, remove_move, NULL},
    {"same-expand-dims", QN_OP_ML_EXPAND_DIMS, remove_move, NULL},
    {"identity-transpose", QN_OP_ML_TRANSPOSE, remove_move, NULL},
    {"pad-by-nothing", QN_OP_ML_PAD, remove_move, NULL},
    {"slice-of-all", QN_OP_ML_SLICE_BY_INDEX, remove_move, NULL},
    {"split-in-one", QN_OP_ML_SPLIT, remove_move, NULL},
    {"concat-of-one", QN_OP_ML_CONCAT, remove_move, NULL},
    QN_GRAPH_RULE("add-nothing", QN_OP_ML_ADD, commutative),
    QN_GRAPH_RULE("multiply-by-one", QN_OP_ML_MUL, commutative),
    QN_GRAPH_RULE("subtract-nothing", QN_OP_ML_SUB, difference),
};

static const qn_option_spec options[] = {
    {"ignore-signed-zeros", QN_OPTION_BOOL, "false", "remove x + 0.0 too, which makes 0.0 of -0.0"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  bool any_zero = qn_pass_bool(pc, "ignore-signed-zeros");
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){.state = &any_zero});
}

const qn_pass qn_pass_noop_elimination = {
    .name = "noop-elimination",
    .summary = "remove ops that hand their operand on as it is",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
