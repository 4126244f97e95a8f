/* fold-constants: an op on constants becomes a constant, where that makes the model no larger.
 *
 *   before: %t = "ml.transpose"(%c) {perm = array<i64: 1, 0>} : (tensor<8x4xf32>) -> ...
 *   after:  %t = "ml.const"() {value = dense<...> : tensor<4x8xf32>} : () -> tensor<4x8xf32>
 *
 * A result of at most 256 bytes is computed, and a larger one if it has no more bytes than the
 * constants that only this op reads. What grows is computed once before the first call instead
 * (prepared.h). Weights that a kernel widens in registers stay as they are stored. So do operands
 * of products: passes before this one move zero points of constant weights into the bias, which a
 * product with weights that become constant here would lack. The interpreter computes the values,
 * so its work in a module is limited: MOST_WORK elements, iterations and multiply-accumulates.
 *
 * It runs just before the schedules, which know what kernels widen, and finds what the passes of
 * the integer stage have left: decompositions of ranges, fills, gathers and casts. A tensor that
 * keep_tensors preserves is not folded. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "eval/fold.h"
#include "ir/ops/linalg.h"
#include "ir/ops/ml.h"
#include "ir/walk.h"
#include "ir/weights.h"
#include "lower/loops/loops.h"
#include "lower/loops/schedule.h"

enum {
  MAX_RESULTS = 16,
  SMALL = 256 /* bytes of results; about those of the code that would compute them */
};
#define MOST_WORK (INT64_C(1) << 22)

/* ---- size ---- */

/* Whether no other op reads the constant; of several operands that are one constant, true for the
 * one whose use is listed first. */
static bool goes_along(const qn_op *op, uint32_t operand) {
  const qn_use *use = qn_op_operand(op, operand)->first_use;
  if (use != &op->operands[operand]) return false;
  while (use && use->owner == op) use = use->next;
  return use == NULL;
}

/* Whether the reader must keep what computes its operand: a product, a kernel that reads weights in
 * their stored form, or a loop that overwrites its initial values in place. */
static bool keeps_operand(const qn_use *use) {
  const qn_op *op = use->owner;
  const qn_schedule *reader = qn_schedule_of(op);
  bool weights = op->operand_count > 1 && use == &op->operands[1];
  bool initial = op->kind == QN_OP_LINALG_GENERIC && use >= &op->operands[qn_generic_inputs(op)];
  return qn_op_has_weights(op) || reader->choose || initial ||
         (weights && reader->widens && reader->widens(op));
}

static bool is_kept(const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    for (const qn_use *use = op->results[i].first_use; use; use = use->next)
      if (keeps_operand(use)) return true;
  return false;
}

/* Bytes of the constants that go if the op does. */
static int64_t bytes_gone(const qn_op *op) {
  int64_t gone = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_attr *constant = qn_value_constant(qn_op_operand(op, i));
    bool payload = constant && qn_attr_is_elements(constant);
    if (payload && goes_along(op, i)) gone += (int64_t)constant->dense.bytes.size;
  }
  return gone;
}

/* Whether the results may be small enough. Equal elements are stored once, so the values decide. */
static bool may_be_small(const qn_op *op) {
  int64_t most = 0;
  for (uint32_t i = 0; i < op->result_count; i++) most += qn_type_size(op->results[i].type);
  return most <= QN_FOLD_MAX_BYTES || most <= bytes_gone(op);
}

static bool is_small(const qn_op *op, const qn_attr *const *values) {
  int64_t made = 0;
  for (uint32_t i = 0; i < op->result_count; i++) made += (int64_t)values[i]->dense.bytes.size;
  return made <= SMALL || made <= bytes_gone(op);
}

/* ---- work ---- */

/* Iterations of a linalg.generic; INT64_MAX if they exceed 64 bits. */
static int64_t iterations(const qn_op *op) {
  int64_t count = 1;
  for (uint32_t loop = 0; loop < qn_generic_loops(op); loop++) {
    uint32_t operand, dim;
    if (!qn_generic_range(op, loop, &operand, &dim)) return INT64_MAX;
    int64_t range = qn_op_operand(op, operand)->type->shaped.dims[dim];
    if (!qn_checked_mul(count, range, &count)) return INT64_MAX;
  }
  int64_t body = 0;
  QN_FOR_EACH_OP(inner, qn_op_body(op)) body++;
  return qn_checked_mul(count, body, &count) ? count : INT64_MAX;
}

/* What the interpreter does for the op; INT64_MAX if that is not known. */
static int64_t work_of(const qn_op *op) {
  if (op->kind == QN_OP_LINALG_GENERIC) return iterations(op);
  if (!qn_op_has_linear_cost(op)) return INT64_MAX;
  int64_t work = qn_op_cost(op).macs;
  for (uint32_t i = 0; i < op->operand_count; i++)
    work += qn_type_elements(qn_op_operand(op, i)->type);
  for (uint32_t i = 0; i < op->result_count; i++) work += qn_type_elements(op->results[i].type);
  return work;
}

/* ---- folding ---- */

static bool is_static(const qn_type *type) {
  return type->kind == QN_TYPE_TENSOR && type->shaped.ranked && qn_type_elements(type) > 0;
}

static bool is_candidate(const qn_op *op) {
  if (op->result_count == 0 || op->result_count > MAX_RESULTS || qn_loops_is_constant(op))
    return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_static(op->results[i].type)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *operand = qn_op_operand(op, i);
    bool sized = !qn_type_is_shaped(operand->type) || is_static(operand->type);
    if (!operand->op || !qn_loops_is_constant(operand->op) || !sized) return false;
  }
  return true;
}

/* Removes constants that only the folded op read, which the schedules would count. */
static void remove_unused(qn_pass_context *pc, qn_op *const *ops, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    bool again = false;
    for (uint32_t k = 0; k < i; k++) again |= ops[k] == ops[i];
    if (!again && !qn_value_has_uses(&ops[i]->results[0])) qn_op_erase(pc->module, ops[i]);
  }
}

static void replace(qn_pass_context *pc, qn_op *op, const qn_attr *const *values) {
  uint32_t sources = op->operand_count;
  qn_op **ops = QN_NEW_ARRAY(pc->scratch, (size_t)sources + 1, qn_op *);
  for (uint32_t i = 0; i < sources; i++) ops[i] = qn_op_operand(op, i)->op;
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_builder b = qn_builder_before(pc->module, op);
    const qn_type *type = op->results[i].type;
    qn_op_kind kind = qn_ml_holds(type) ? QN_OP_ML_CONST : QN_OP_ARITH_CONSTANT;
    qn_value *constant = qn_build_1(&b, kind, type, NULL, 0, QN_ATTRS({"value", values[i]}));
    qn_value_replace_all_uses(&op->results[i], constant);
  }
  qn_op_erase(pc->module, op);
  remove_unused(pc, ops, sources);
  pc->changed = true;
}

static void fold(qn_pass_context *pc, qn_folder *folder, qn_op *op, int64_t *left) {
  const qn_attr *values[MAX_RESULTS];
  if (!is_candidate(op) || !may_be_small(op) || is_kept(op)) return;
  int64_t work = work_of(op);
  if (work > *left) return;
  *left -= work;
  if (qn_fold(folder, op, values) && is_small(op, values)) replace(pc, op, values);
}

static qn_status run(qn_pass_context *pc) {
  const qn_lower_config *config = pc->config;
  qn_op *func = qn_module_main(pc->module);
  if (!func || (config && config->keep_tensors)) return QN_OK;
  qn_folder *folder = qn_folder_create(pc->module);
  qn_folder_set_limit(folder, INT64_MAX);
  qn_folder_allow_bodies(folder);
  int64_t left = MOST_WORK;
  QN_FOR_EACH_NESTED_OP_SAFE(op, func) fold(pc, folder, op, &left);
  qn_folder_destroy(folder);
  return QN_OK;
}

const qn_pass qn_pass_fold_constants = {
    .name = "fold-constants",
    .summary = "compute ops on constants whose results are no larger, before schedules are made",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .run = run,
};
