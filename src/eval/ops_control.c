/* Evaluators of builtin, func, scf and quern.launch: what runs blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "eval/eval_op.h"

qn_status qn_eval_module(qn_eval *ev, const qn_op *op) {
  return qn_eval_fail(ev, op, "can't be executed inside of a function");
}
qn_status qn_eval_func(qn_eval *ev, const qn_op *op) {
  return qn_eval_fail(ev, op, "can't be executed inside of a function");
}

/* Terminators: whoever runs the block reads the operands. */
qn_status qn_eval_func_return(qn_eval *ev, const qn_op *op) {
  (void)ev, (void)op;
  return QN_OK;
}
qn_status qn_eval_scf_yield(qn_eval *ev, const qn_op *op) {
  (void)ev, (void)op;
  return QN_OK;
}

qn_status qn_eval_func_call(qn_eval *ev, const qn_op *op) {
  const qn_op *callee = qn_eval_symbol(ev, qn_op_string(op, "callee", ""));
  if (!callee || callee->kind != QN_OP_FUNC) return qn_eval_fail(ev, op, "calls an unknown function");
  const qn_rt_value **args = QN_NEW_ARRAY(ev->arena, op->operand_count + 1, const qn_rt_value *);
  for (uint32_t i = 0; i < op->operand_count; i++) args[i] = qn_eval_operand(ev, op, i);
  QN_TRY(qn_eval_enter(ev, callee, args, op->operand_count));
  const qn_op *last = qn_op_body(callee)->last;
  if (last->operand_count != op->result_count) return qn_eval_fail(ev, op, "result count differs");
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_eval_assign(ev, &op->results[i], qn_eval_operand(ev, last, i));
  return QN_OK;
}

/* Whether an operand of the yield is an argument of the same block at another position: then the
 * values must be staged, or an early assignment would destroy what a later one reads. */
static bool rotates(const qn_op *yield, const qn_block *body, uint32_t first_arg) {
  for (uint32_t i = 0; i < yield->operand_count; i++) {
    const qn_value *value = qn_op_operand(yield, i);
    if (value->block == body && value != body->args[first_arg + i]) return true;
  }
  return false;
}

/* The arguments have their storage already, so nothing that outlives the mark is allocated here. */
static void stage_and_assign(qn_eval *ev, const qn_op *yield, const qn_block *body) {
  qn_arena_mark mark = qn_arena_get_mark(ev->arena);
  qn_rt_value *staged = QN_NEW_ARRAY(ev->arena, yield->operand_count, qn_rt_value);
  for (uint32_t i = 0; i < yield->operand_count; i++) {
    staged[i] = *qn_eval_operand(ev, yield, i);
    if (staged[i].type->kind != QN_TYPE_MEMREF && staged[i].size > 0)
      staged[i].data = qn_arena_copy(ev->arena, staged[i].data, (size_t)staged[i].size);
  }
  for (uint32_t i = 0; i < yield->operand_count; i++)
    qn_eval_assign(ev, body->args[i + 1], &staged[i]);
  qn_arena_rewind(ev->arena, mark);
}

qn_status qn_eval_scf_for(qn_eval *ev, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  int64_t lower = qn_eval_operand(ev, op, 0)->i, upper = qn_eval_operand(ev, op, 1)->i;
  int64_t step = qn_eval_operand(ev, op, 2)->i;
  if (step <= 0) return qn_eval_fail(ev, op, "has step %lld", (long long)step);
  uint32_t carried = op->operand_count - 3;
  for (uint32_t i = 0; i < carried; i++)
    qn_eval_assign(ev, body->args[i + 1], qn_eval_operand(ev, op, i + 3));
  const qn_op *yield = body->last;
  bool staged = rotates(yield, body, 1);
  qn_rt_value *induction = &ev->values[body->args[0]->id];
  for (int64_t i = lower; i < upper;) {
    *induction = (qn_rt_value){.type = body->args[0]->type, .i = i};
    QN_TRY(qn_eval_block(ev, body));
    if (staged) {
      stage_and_assign(ev, yield, body);
    } else {
      for (uint32_t k = 0; k < carried; k++)
        qn_eval_assign(ev, body->args[k + 1], qn_eval_operand(ev, yield, k));
    }
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  for (uint32_t i = 0; i < carried; i++)
    qn_eval_assign(ev, &op->results[i], &ev->values[body->args[i + 1]->id]);
  return QN_OK;
}

qn_status qn_eval_scf_if(qn_eval *ev, const qn_op *op) {
  const qn_region *taken = &op->regions[qn_eval_operand(ev, op, 0)->i ? 0 : 1];
  if (!taken->first) return QN_OK; /* no else */
  QN_TRY(qn_eval_block(ev, taken->first));
  const qn_op *yield = taken->first->last;
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_eval_assign(ev, &op->results[i], qn_eval_operand(ev, yield, i));
  return QN_OK;
}

/* Two chunks, the later one first: a kernel that depends on the order of its units is found here. */
qn_status qn_eval_quern_launch(qn_eval *ev, const qn_op *op) {
  const qn_op *kernel = qn_eval_symbol(ev, qn_op_string(op, "kernel", ""));
  if (!kernel || kernel->kind != QN_OP_FUNC) return qn_eval_fail(ev, op, "launches an unknown kernel");
  uint32_t buffers = op->operand_count - 1;
  const qn_rt_value **args = QN_NEW_ARRAY(ev->arena, buffers + 2, const qn_rt_value *);
  for (uint32_t i = 0; i < buffers; i++) args[i] = qn_eval_operand(ev, op, i);
  const qn_rt_value *count = qn_eval_operand(ev, op, buffers);
  qn_rt_value zero = {.type = count->type}, middle = {.type = count->type, .i = count->i / 2};
  args[buffers] = &middle;
  args[buffers + 1] = count;
  if (count->i > middle.i) QN_TRY(qn_eval_enter(ev, kernel, args, buffers + 2));
  args[buffers] = &zero;
  args[buffers + 1] = &middle;
  return middle.i > 0 ? qn_eval_enter(ev, kernel, args, buffers + 2) : QN_OK;
}
