/* const-elimination: an op whose operands are all constants becomes a constant.
 *
 *   %c = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>}
 *   %0 = "ml.add"(%c, %c)       ->   "ml.const"() {value = dense<[2.0, 4.0]> : tensor<2xf32>}
 *
 * The value is the interpreter's, so it has the module's numerics. Chains fold in one run. A
 * compressed weight stays so: neither a quant.dcast of a constant is folded, nor an ml.cast of one
 * to a wider float, nor what is computed from them. An op's results all fold or none do, and
 * nothing above skip_const_by_size elements.
 *
 * What is small (eval/fold.h) folds. Anything larger folds when it is worth it: the results are no
 * larger than the constants that go with the op, or what they are larger by is within the
 * function's share of MOST_GROWTH, so that a file does not grow by more than that. What is read and
 * made is bounded by the function's constants and its share of MOST_TOUCHED, and the
 * multiplications by its share of MOST_MACS: neither memory nor time explodes. The rest is left to
 * run time.
 *
 * Needs: nothing.  Keeps: the stage, and the constants that become useless, for
 * dead-code-elimination.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/fold.h"
#include "ir/ops/infer/cost.h"
#include "ir/walk.h"
#include "passes/support/casts.h"

enum { MAX_RESULTS = 16 };
/* Sums over the large results of one run: bytes that they add to the module; multiplications; bytes
 * that are read and made, beside TIMES_READ times those of the function's constants. Each function
 * has an equal share of them, as functions are visited in any order and at once. */
#define MOST_GROWTH (INT64_C(4) << 20)
#define MOST_MACS (INT64_C(1) << 26)
#define MOST_TOUCHED (INT64_C(64) << 20)
enum { TIMES_READ = 8 };

/* What is left of a budget, or what a fold takes of it. */
typedef struct amounts {
  int64_t growth, macs, touched;
} amounts;

typedef struct elimination {
  qn_folder *folder;
  int64_t most; /* elements; negative: any number */
  amounts left;
} elimination;

static bool is_within_option(const elimination *e, const qn_value *result) {
  if (!qn_type_is_shaped(result->type) || result->type->shaped.rank == 0 || e->most < 0)
    return true;
  return qn_type_elements(result->type) <= e->most;
}

/* ---- cost ---- */

/* Bytes of a constant's payload; 0 for other ops, and for a scalar that the text holds. */
static int64_t payload_of(const qn_value *value) {
  const qn_attr *literal = qn_value_literal(value);
  return literal ? (int64_t)literal->dense.bytes.size : 0;
}

static int64_t size_of(const qn_value *value) {
  int64_t size = qn_type_is_shaped(value->type) ? qn_type_size(value->type) : 0;
  return size > 0 ? size : 0;
}

/* Whether the op alone reads the constant, which then goes with it; of several such operands that
 * are one constant, the one whose use is listed first. */
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
  return count ? count : 1; /* the pass may be on another op */
}

static bool add_constant(qn_op *op, void *user) {
  int64_t *touched = user;
  if (qn_op_has(op, QN_CONSTANT) && op->result_count == 1 && *touched < INT64_MAX / 4)
    *touched += TIMES_READ * payload_of(&op->results[0]);
  return true;
}

/* ---- folding ---- */

/* Which constant op the result takes: that of the first operand, where it can be of the type, which
 * may be one that the model dialect does not have. QN_OP_UNREGISTERED: there is none. */
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
