/* const-elimination: replaces an op whose operands are all constants by a constant.
 *
 *   %c = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>}
 *   %0 = "ml.add"(%c, %c)       ->   "ml.const"() {value = dense<[2.0, 4.0]> : tensor<2xf32>}
 *
 * The interpreter computes the value, so it follows the module's numerics profile. Chains of ops
 * fold in one run. Compressed weights stay compressed: neither a quant.dcast of a constant, nor an
 * ml.cast of a constant to a wider float, is folded, nor any op that depends on them. Either all
 * results of an op fold or none; results with more than skip_const_by_size elements do not.
 *
 * Small ops (eval/fold.h) always fold. A larger op folds if the result fits three budgets, each
 * divided equally among the functions. Growth: results are no larger than the constants that become
 * unused, or the difference is within MOST_GROWTH. Bytes read and written: at most MOST_TOUCHED
 * plus a multiple of the function's constants. Multiplications: at most MOST_MACS. So neither the
 * file nor memory nor compile time explodes; other ops are computed at run time.
 *
 * Needs: nothing.  Keeps: the stage; constants that become unused stay for dead-code-elimination.
 * Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/fold.h"
#include "ir/ops/infer/cost.h"
#include "ir/walk.h"
#include "passes/support/casts.h"

enum { MAX_RESULTS = 16 };
/* Budgets of one run for results that are not small: bytes added to the module, multiplications,
 * and bytes read and written, the last in addition to TIMES_READ times the bytes of the function's
 * constants. Each function has an equal share, because functions can be visited in any order and
 * concurrently. */
#define MOST_GROWTH (INT64_C(4) << 20)
#define MOST_MACS (INT64_C(1) << 26)
#define MOST_TOUCHED (INT64_C(64) << 20)
enum { TIMES_READ = 8 };

/* Amounts of the three budgets: those that are left, or those that one fold uses. */
typedef struct amounts {
  int64_t growth, macs, touched;
} amounts;

typedef struct elimination {
  qn_folder *folder;
  int64_t most; /* maximum number of elements of a result; negative: unlimited */
  amounts left;
} elimination;

static bool is_within_option(const elimination *e, const qn_value *result) {
  if (!qn_type_is_shaped(result->type) || result->type->shaped.rank == 0 || e->most < 0)
    return true;
  return qn_type_elements(result->type) <= e->most;
}

/* ---- cost ---- */

/* Bytes of a constant's payload; 0 for other ops, and for a scalar, which the text holds. */
static int64_t payload_of(const qn_value *value) {
  const qn_attr *literal = qn_value_literal(value);
  return literal ? (int64_t)literal->dense.bytes.size : 0;
}

static int64_t size_of(const qn_value *value) {
  int64_t size = qn_type_is_shaped(value->type) ? qn_type_size(value->type) : 0;
  return size > 0 ? size : 0;
}

/* Whether the constant becomes unused when the op is folded, because no other op reads it. If
 * several operands are the same constant, true only for the one that is first in the list of uses,
 * so that its bytes count once. */
static bool goes_along(const qn_op *op, uint32_t operand) {
  const qn_use *use = qn_op_operand(op, operand)->first_use;
  if (use != &op->operands[operand]) return false;
  while (use && use->owner == op) use = use->next;
  return use == NULL;
}

static amounts amounts_of(const qn_op *op) {
  amounts a = {.macs = qn_op_cost(op).macs};
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *value = qn_op_operand(op, i);
    a.touched += size_of(value);
    if (goes_along(op, i)) a.growth -= payload_of(value);
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    a.touched += size_of(&op->results[i]);
    a.growth += size_of(&op->results[i]);
  }
  if (a.growth < 0) a.growth = 0;
  return a;
}

static bool is_small(const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (size_of(qn_op_operand(op, i)) > QN_FOLD_MAX_BYTES) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (size_of(&op->results[i]) > QN_FOLD_MAX_BYTES) return false;
  return true;
}

static bool is_worth_it(const elimination *e, const qn_op *op, amounts *out_taken) {
  *out_taken = (amounts){0};
  if (is_small(op)) return true;
  if (!qn_op_has_linear_cost(op)) return false;
  *out_taken = amounts_of(op);
  return out_taken->growth <= e->left.growth && out_taken->macs <= e->left.macs &&
         out_taken->touched <= e->left.touched;
}

static void take(elimination *e, amounts taken) {
  QN_ASSERT(taken.growth <= e->left.growth && taken.macs <= e->left.macs);
  QN_ASSERT(taken.touched <= e->left.touched); /* is_worth_it has looked */
  e->left.growth -= taken.growth;
  e->left.macs -= taken.macs;
  e->left.touched -= taken.touched;
}

static int64_t count_functions(const qn_module *module) {
  int64_t count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(module->op)) count += op->kind == QN_OP_FUNC;
  return count ? count : 1; /* at least 1, because the pass can run on another op than a module */
}

static bool add_constant(qn_op *op, void *user) {
  int64_t *touched = user;
  if (qn_op_has(op, QN_CONSTANT) && op->result_count == 1 && *touched < INT64_MAX / 4)
    *touched += TIMES_READ * payload_of(&op->results[0]);
  return true;
}

/* ---- folding ---- */

/* The kind of constant op for a result: that of the first operand if it can have the result's type,
 * else arith.constant, because the model dialect lacks some types. QN_OP_UNREGISTERED if no
 * constant op can have the type. */
static qn_op_kind constant_kind(const qn_op *op, const qn_value *result) {
  bool held = qn_ml_holds(result->type);
  if (qn_type_quant(result->type)) return held ? QN_OP_ML_CONST : QN_OP_UNREGISTERED;
  qn_op_kind kind = qn_op_operand(op, 0)->op->kind;
  return kind != QN_OP_ML_CONST || held ? kind : QN_OP_ARITH_CONSTANT;
}

static bool fold(qn_rewriter *rw, qn_op *op) {
  elimination *e = rw->state;
  const qn_attr *attrs[MAX_RESULTS];
  qn_value *values[MAX_RESULTS];
  amounts taken;
  if (qn_decompresses(op) || op->operand_count == 0 || op->result_count > MAX_RESULTS) return false;
  if (!qn_value_constant(qn_op_operand(op, 0))) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_within_option(e, &op->results[i]) || !constant_kind(op, &op->results[i])) return false;
  if (!is_worth_it(e, op, &taken) || !qn_fold(e->folder, op, attrs)) return false;
  take(e, taken);
  for (uint32_t i = 0; i < op->result_count; i++)
    values[i] = qn_build_1(&rw->builder, constant_kind(op, &op->results[i]), op->results[i].type,
                           NULL, 0, QN_ATTRS({"value", attrs[i]}));
  qn_rewriter_replace(rw, op, values);
  return true;
}

static const qn_pattern patterns[] = {{"fold-constants", QN_OP_UNREGISTERED, fold, NULL}};

static qn_status run(qn_pass_context *pc) {
  int64_t functions = count_functions(pc->module);
  elimination e = {qn_folder_create(pc->module),
                   qn_pass_i64(pc, "skip_const_by_size"),
                   {MOST_GROWTH / functions, MOST_MACS / functions, MOST_TOUCHED / functions}};
  qn_folder_set_limit(e.folder, INT64_MAX);
  qn_walk_pre(pc->root, add_constant, &e.left.touched);
  qn_status status =
      qn_rewrite_greedily(pc, pc->root, patterns, 1, &(qn_greedy_options){.state = &e});
  qn_folder_destroy(e.folder);
  return status;
}

static const qn_option_spec options[] = {
    {"skip_const_by_size", QN_OPTION_I64, "-1",
     "results of more elements are left to run time; -1: of any number fold"},
    {NULL, 0, NULL, NULL},
};

const qn_pass qn_pass_const_elimination = {
    .name = "const-elimination",
    .summary = "compute ops on constants, but for compressed weights",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
