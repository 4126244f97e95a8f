/* Verifiers of the cf dialect. ir/verify/verify.c checks, for all ops with successors, that
 * operands match the target blocks' arguments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

static bool is_i1(const qn_type *type) { return qn_is_i(type, 1); }

static bool check_successors(qn_ir_context *cx, const qn_op *op, uint32_t count) {
  if (op->successor_count == count) return true;
  return qn_op_complain(cx, op, "requires %u successor%s but found %u", count,
                        count == 1 ? "" : "s", op->successor_count);
}

bool qn_verify_br(qn_ir_context *cx, const qn_op *op) {
  if (!check_successors(cx, op, 1)) return false;
  if (op->successor_operand_counts[0] == op->operand_count) return true;
  return qn_op_complain(cx, op, "passes %u of its %u operands to its block",
                        op->successor_operand_counts[0], op->operand_count);
}

static bool check_weights(qn_ir_context *cx, const qn_op *op) {
  const qn_attr *weights = qn_op_branch_weights(op);
  if (!weights) return true;
  if (weights->kind != QN_ATTR_DENSE_ARRAY || !qn_is_i(weights->type, 32))
    return qn_op_complain(
        cx, op,
        "attribute 'branch_weights' failed to satisfy constraint: i32 dense array attribute");
  if (weights->dense_array.count == op->successor_count) return true;
  return qn_op_complain(cx, op,
                        "expects number of branch weights to match number of successors: %u vs %u",
                        weights->dense_array.count, op->successor_count);
}

bool qn_verify_cond_br(qn_ir_context *cx, const qn_op *op) {
  if (!check_successors(cx, op, 2) || !qn_check_segments(cx, op, 3)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    if (qn_op_segment(op, 1 + i) == op->successor_operand_counts[i]) continue;
    return qn_op_complain(cx, op,
                          "passes %u operands to successor #%u, but 'operandSegmentSizes' says %u",
                          op->successor_operand_counts[i], i, qn_op_segment(op, 1 + i));
  }
  if (qn_op_segment(op, 0) != 1) return qn_op_complain(cx, op, "requires one condition");
  if (!check_weights(cx, op)) return false;
  return qn_check_operand(cx, op, 0, is_i1, "1-bit signless integer");
}

bool qn_verify_assert(qn_ir_context *cx, const qn_op *op) {
  return qn_check_operand(cx, op, 0, is_i1, "1-bit signless integer");
}
