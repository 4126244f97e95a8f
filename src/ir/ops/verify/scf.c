/* Verifiers of the scf dialect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"
#include "ir/ops/verify/verifiers.h"

static bool verify_single_block(qn_ir_context *cx, const qn_op *op, uint32_t region) {
  const qn_region *r = &op->regions[region];
  if (r->first && r->first == r->last) return true;
  return qn_op_complain(cx, op, "expects region #%u to have 1 block", region);
}

bool qn_verify_scf_for(qn_ir_context *cx, const qn_op *op) {
  if (op->operand_count < 3) {
    return qn_op_complain(cx, op, "expected 3 or more operands, but found %u", op->operand_count);
  }
  const qn_type *type = qn_op_operand(op, 0)->type;
  if (!qn_is_signless(type)) {
    return qn_op_complain(cx, op, "operand #0 must be signless integer or index, but got %s",
                          qn_type_quoted(cx, type));
  }
  if (qn_op_operand(op, 1)->type != type || qn_op_operand(op, 2)->type != type) {
    return qn_op_complain(
        cx, op, "failed to verify that all of {lowerBound, upperBound, step} have same type");
  }
  uint32_t carried = op->operand_count - 3;
  if (op->result_count != carried) {
    return qn_op_complain(cx, op, "mismatch in number of loop-carried values and defined values");
  }
  if (!verify_single_block(cx, op, 0)) return false;
  const qn_block *body = qn_op_body(op);
  if (body->arg_count != carried + 1 || body->args[0]->type != type) {
    return qn_op_complain(cx, op,
                          "expects the induction variable and %u loop-carried values as arguments "
                          "of its body",
                          carried);
  }
  for (uint32_t i = 0; i < carried; i++) {
    const qn_type *init = qn_op_operand(op, 3 + i)->type;
    if (op->results[i].type != init || body->args[1 + i]->type != init) {
      return qn_op_complain(cx, op,
                            "types mismatch between loop-carried value %u, its argument "
                            "and the defined value",
                            i);
    }
  }
  return true;
}

bool qn_verify_scf_if(qn_ir_context *cx, const qn_op *op) {
  const qn_type *condition = qn_op_operand(op, 0)->type;
  if (!qn_is_i(condition, 1)) {
    return qn_op_complain(cx, op, "operand #0 must be 1-bit signless integer, but got %s",
                          qn_type_quoted(cx, condition));
  }
  if (!verify_single_block(cx, op, 0)) return false;
  const qn_region *otherwise = &op->regions[1];
  if (!otherwise->first && op->result_count) {
    return qn_op_complain(cx, op, "must have an else block if defining values");
  }
  if (otherwise->first && !verify_single_block(cx, op, 1)) return false;
  for (uint32_t i = 0; i < 2; i++) {
    if (op->regions[i].first && op->regions[i].first->arg_count) {
      return qn_op_complain(cx, op, "region #%u should have no arguments", i);
    }
  }
  return true;
}

/* Whether the operands of `from`, from index `first` on, match the arguments of a block. */
static bool fit(const qn_op *from, uint32_t first, const qn_block *to) {
  if (from->operand_count != first + to->arg_count) return false;
  for (uint32_t i = 0; i < to->arg_count; i++)
    if (qn_op_operand(from, first + i)->type != to->args[i]->type) return false;
  return true;
}

static bool results_fit(const qn_op *op, const qn_block *block) {
  if (op->result_count != block->arg_count) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->results[i].type != block->args[i]->type) return false;
  return true;
}

bool qn_verify_scf_while(qn_ir_context *cx, const qn_op *op) {
  if (!verify_single_block(cx, op, 0) || !verify_single_block(cx, op, 1)) return false;
  const qn_block *before = op->regions[0].first, *after = op->regions[1].first;
  if (!before->last || before->last->kind != QN_OP_SCF_CONDITION)
    return qn_op_complain(cx, op, "expects region #0 to end in 'scf.condition'");
  if (!after->last || after->last->kind != QN_OP_SCF_YIELD)
    return qn_op_complain(cx, op, "expects region #1 to end in 'scf.yield'");
  if (!fit(op, 0, before))
    return qn_op_complain(cx, op,
                          "expects as many arguments of region #0 as operands, of their types");
  if (!results_fit(op, after))
    return qn_op_complain(cx, op,
                          "expects as many arguments of region #1 as results, of their types");
  return true;
}

bool qn_verify_scf_condition(qn_ir_context *cx, const qn_op *op) {
  const qn_op *parent = qn_op_parent(op);
  if (!parent || parent->kind != QN_OP_SCF_WHILE || op->block->region != &parent->regions[0])
    return qn_op_complain(cx, op, "expects to be in the first region of 'scf.while'");
  if (op->operand_count == 0 || !qn_is_i(qn_op_operand(op, 0)->type, 1))
    return qn_op_complain(cx, op, "expects a 1-bit signless integer as operand #0");
  const qn_block *after = parent->regions[1].first;
  if (after && !fit(op, 1, after))
    return qn_op_complain(
        cx, op, "passes values that do not match the arguments of region #1 of its parent");
  return true;
}

bool qn_verify_scf_yield(qn_ir_context *cx, const qn_op *op) {
  const qn_op *parent = qn_op_parent(op);
  if (!parent || !qn_op_has(parent, QN_CONTROL)) {
    return qn_op_complain(cx, op, "expects parent op to be one of 'scf.for, scf.if, scf.while'");
  }
  if (parent->kind == QN_OP_SCF_WHILE) {
    const qn_block *before = parent->regions[0].first;
    if (op->block->region == &parent->regions[1] && before && fit(op, 0, before)) return true;
    return qn_op_complain(cx, op, "yields other values than region #0 of its parent takes");
  }
  if (op->operand_count != parent->result_count) {
    return qn_op_complain(cx, op, "yields %u values, but its parent defines %u", op->operand_count,
                          parent->result_count);
  }
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_type *is = qn_op_operand(op, i)->type, *wanted = parent->results[i].type;
    if (is == wanted) continue;
    return qn_op_complain(cx, op, "type of yielded value %u (%s) doesn't match the result (%s)", i,
                          qn_type_quoted(cx, is), qn_type_quoted(cx, wanted));
  }
  return true;
}
