/* canonicalize: folds constants, merges them and moves them to the start of their function; removes
 * identities, pairs of casts, and pure ops without uses.
 *
 *   %0 = arith.addi %x, %c0        ->   %x
 *   %1 = arith.addi %c2, %y        ->   arith.addi %y, %c2
 *   %q = quant.qcast %cst : f32 to !q   ->   %q = quant.scast %c3 : i8 to !q
 *   %2 = quant.scast (quant.scast %q : !q to i8) : i8 to !q   ->   %q
 *   %3 = tensor.dim %t, %c0 : tensor<4x?xi8>   ->   4
 *
 * A pair dcast(qcast(x)) rounds and saturates, so it is removed only with "upstream-compatible".
 * Patterns run until none applies. If that does not end, it is always an error, so the option
 * "test-convergence" has no effect.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact, approximate when upstream-compatible.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "eval/fold.h"
#include "ir/walk.h"
#include "passes/canonical/constants.h"
#include "passes/canonical/patterns.h"

/* ---- constants ---- */

typedef QN_ARRAY(qn_op *) op_list;

static bool collect_constant(qn_op *op, void *user) {
  op_list *list = user;
  if (qn_op_has(op, QN_CONSTANT)) qn_array_push(list, op);
  return true;
}

/* Enters the constants that exist before folding creates others. */
static void enter_constants(qn_pass_context *pc, qn_canonical *state) {
  op_list list = {0};
  qn_walk_pre(pc->root, collect_constant, &list);
  for (size_t i = 0; i < list.count; i++) {
    qn_op *op = list.data[i];
    const qn_op *before = op->prev;
    qn_value *value = qn_constants_enter(&state->constants, op);
    pc->changed |= op->prev != before;
    if (value == &op->results[0]) continue;
    qn_value_replace_all_uses(&op->results[0], value);
    qn_op_erase(pc->module, op);
    pc->changed = true;
  }
  qn_array_free(&list);
}

/* Enters a constant that a pattern has created, and merges it with an equal one. */
static bool enter_constant(qn_rewriter *rw, qn_op *op) {
  qn_canonical *state = rw->state;
  if (!qn_op_has(op, QN_CONSTANT)) return false;
  qn_value *value = qn_constants_enter(&state->constants, op);
  if (value == &op->results[0]) return false;
  qn_rewriter_replace(rw, op, &value);
  return true;
}

enum { MAX_RESULTS = 4 };

/* A constant of type `type`. A quantized one is built as a storage cast of an integer constant. */
static qn_value *constant_of(qn_rewriter *rw, qn_op *op, const qn_attr *attr, const qn_type *type) {
  qn_canonical *state = rw->state;
  if (!qn_type_quant(type)) return qn_constants_get(&state->constants, op, attr, type);
  const qn_type *stored = qn_type_i(rw->cx, qn_type_quant(type)->storage->integer.width);
  if (qn_type_is_shaped(type)) stored = qn_type_with_element(rw->cx, type, stored);
  qn_value *integers = qn_constants_get(&state->constants, op, attr, stored);
  return qn_build_unary(&rw->builder, QN_OP_QUANT_SCAST, integers, type);
}

static bool fold_constants(qn_rewriter *rw, qn_op *op) {
  qn_canonical *state = rw->state;
  const qn_attr *attrs[MAX_RESULTS];
  qn_value *values[MAX_RESULTS];
  bool upstreams = op->kind == QN_OP_QUANT_QCAST || op->kind == QN_OP_QUANT_DCAST;
  /* the folder computes other values than upstream's casts */
  if (state->relaxed && upstreams) return false;
  if (op->result_count > MAX_RESULTS || !qn_fold(state->folder, op, attrs)) return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    values[i] = constant_of(rw, op, attrs[i], op->results[i].type);
    if (!values[i]) return false;
    QN_ASSERT(values[i]->type == op->results[i].type);
  }
  qn_rewriter_replace(rw, op, values);
  return true;
}

static void forget_constant(qn_rewriter *rw, qn_op *op) {
  qn_canonical *state = rw->state;
  if (qn_op_has(op, QN_CONSTANT)) qn_constants_forget(&state->constants, op);
}

/* In this order: constants are merged first, because the other patterns search for them. */
static const qn_pattern patterns[] = {
    {"merge-constants", QN_OP_UNREGISTERED, enter_constant, NULL},
    {"fold-constants", QN_OP_UNREGISTERED, fold_constants, NULL},
    {"constant-to-the-right", QN_OP_UNREGISTERED, qn_canonical_order, NULL},
    {"identity", QN_OP_UNREGISTERED, qn_canonical_identity, NULL},
    {"combine-constants", QN_OP_UNREGISTERED, qn_canonical_combine, NULL},
    {"select-same", QN_OP_ARITH_SELECT, qn_canonical_select, NULL},
    {"cast-pair", QN_OP_UNREGISTERED, qn_canonical_cast_pair, NULL},
    {"stored-constant", QN_OP_QUANT_SCAST, qn_canonical_stored_constant, NULL},
    {"known-size", QN_OP_TENSOR_DIM, qn_canonical_dim, NULL},
    {"known-element", QN_OP_TENSOR_EXTRACT, qn_canonical_extract, NULL},
    {"loop-without-trips", QN_OP_SCF_FOR, qn_canonical_empty_loop, NULL},
};

static const qn_option_spec options[] = {
    {"upstream-compatible", QN_OPTION_BOOL, "false",
     "remove quant.dcast(quant.qcast(x)), as upstream does"},
    {"test-convergence", QN_OPTION_BOOL, "false", "fail unless nothing is left to do; always so"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  qn_canonical state = {.relaxed = qn_pass_bool(pc, "upstream-compatible")};
  state.folder = qn_folder_create(pc->module);
  qn_constants_init(&state.constants, pc->module);
  state.constants.newest_first = true;
  enter_constants(pc, &state);
  qn_greedy_options rewriting = {.remove_dead = true, .state = &state, .erasing = forget_constant};
  qn_status status =
      qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns), &rewriting);
  qn_constants_deinit(&state.constants);
  qn_folder_destroy(state.folder);
  return status;
}

const qn_pass qn_pass_canonicalize = {
    .name = "canonicalize",
    .title = "Canonicalizer",
    .summary = "fold constants, remove identities, pairs of casts and dead ops",
    .anchor = QN_ON_ANY,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
