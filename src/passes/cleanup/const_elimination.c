/* const-elimination: an op whose operands are all constants becomes a constant.
 *
 *   %c = "ml.const"() {value = dense<[1.0, 2.0]> : tensor<2xf32>}
 *   %0 = "ml.add"(%c, %c)       ->   "ml.const"() {value = dense<[2.0, 4.0]> : tensor<2xf32>}
 *
 * The value is the interpreter's, so it has the module's numerics. Chains fold in one run. A
 * compressed weight stays so: a quant.dcast of a constant is not folded, and neither is what is
 * computed from it. Of several results all fold or none; nothing above skip_const_by_size elements,
 * nor above what eval/fold.h folds.
 *
 * Needs: nothing.  Keeps: the stage, and the constants that become useless, for
 * dead-code-elimination.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/fold.h"
#include "ir/ops/ml.h"
#include "pass/rewrite.h"

enum { MAX_RESULTS = 16 };

typedef struct elimination {
  qn_folder *folder;
  int64_t most; /* elements; negative: any number */
} elimination;

static bool is_small(const elimination *e, const qn_value *result) {
  if (!qn_type_is_shaped(result->type) || result->type->shaped.rank == 0 || e->most < 0)
    return true;
  return qn_type_elements(result->type) <= e->most;
}

/* Which constant op the result takes: that of the first operand, where it can be of the type, which
 * may be one that the model dialect does not have. QN_OP_UNREGISTERED: there is none. */
static qn_op_kind constant_kind(const qn_op *op, const qn_value *result) {
  bool held = qn_ml_holds(result->type);
  if (qn_type_quant(result->type)) return held ? QN_OP_ML_CONST : QN_OP_UNREGISTERED;
  qn_op_kind kind = qn_op_operand(op, 0)->op->kind;
  return kind != QN_OP_ML_CONST || held ? kind : QN_OP_ARITH_CONSTANT;
}

static bool fold(qn_rewriter *rw, qn_op *op) {
  const elimination *e = rw->state;
  const qn_attr *attrs[MAX_RESULTS];
  qn_value *values[MAX_RESULTS];
  if (op->kind == QN_OP_QUANT_DCAST || op->operand_count == 0 || op->result_count > MAX_RESULTS)
    return false;
  if (!qn_value_constant(qn_op_operand(op, 0))) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_small(e, &op->results[i]) || !constant_kind(op, &op->results[i])) return false;
  if (!qn_fold(e->folder, op, attrs)) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    values[i] = qn_build_1(&rw->builder, constant_kind(op, &op->results[i]), op->results[i].type,
                           NULL, 0, QN_ATTRS({"value", attrs[i]}));
  qn_rewriter_replace(rw, op, values);
  return true;
}

static const qn_pattern patterns[] = {{"fold-constants", QN_OP_UNREGISTERED, fold, NULL}};

static qn_status run(qn_pass_context *pc) {
  elimination e = {qn_folder_create(pc->module), qn_pass_i64(pc, "skip_const_by_size")};
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
