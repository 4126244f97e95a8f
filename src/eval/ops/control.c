/* Evaluators of builtin, func, cf, scf and quern.launch: ops that run blocks, call functions or
 * select a successor.
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

/* An unrealized cast is defined between equal types only. */
qn_status qn_eval_unrealized_cast(qn_eval *ev, const qn_op *op) {
  bool same = op->operand_count == op->result_count;
  for (uint32_t i = 0; same && i < op->result_count; i++)
    same = qn_op_operand(op, i)->type == op->results[i].type;
  if (!same) return qn_eval_fail(ev, op, "converts between types by an undefined rule");
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_eval_assign(ev, &op->results[i], qn_eval_operand(ev, op, i));
  return QN_OK;
}

/* Terminators: the code that runs the block reads the operands. */
qn_status qn_eval_func_return(qn_eval *ev, const qn_op *op) {
  (void)ev, (void)op;
  return QN_OK;
}
qn_status qn_eval_scf_condition(qn_eval *ev, const qn_op *op) {
  (void)ev, (void)op;
  return QN_OK;
}
qn_status qn_eval_scf_yield(qn_eval *ev, const qn_op *op) {
  (void)ev, (void)op;
  return QN_OK;
}

static qn_status call(qn_eval *ev, const qn_op *op, const qn_op *callee, uint32_t first_operand) {
  uint32_t count = op->operand_count - first_operand;
  const qn_rt_value **args = QN_NEW_ARRAY(ev->arena, count + 1, const qn_rt_value *);
  for (uint32_t i = 0; i < count; i++) args[i] = qn_eval_operand(ev, op, first_operand + i);
  const qn_op *last = NULL;
  QN_TRY(qn_eval_enter(ev, callee, args, count, &last));
  if (last->operand_count != op->result_count) return qn_eval_fail(ev, op, "result count differs");
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_eval_assign(ev, &op->results[i], qn_eval_operand(ev, last, i));
  return QN_OK;
}

qn_status qn_eval_func_call(qn_eval *ev, const qn_op *op) {
  const qn_op *callee = qn_eval_symbol(ev, qn_op_callee(op));
  if (!callee || callee->kind != QN_OP_FUNC)
    return qn_eval_fail(ev, op, "calls an unknown function");
  return call(ev, op, callee, 0);
}

/* Represents a function as a value: `data` is the address of its op. */
qn_status qn_eval_func_constant(qn_eval *ev, const qn_op *op) {
  const qn_op *func = qn_eval_symbol(ev, qn_op_function(op));
  if (!func || func->kind != QN_OP_FUNC) return qn_eval_fail(ev, op, "names an unknown function");
  qn_eval_result(ev, op, 0)->data = (uint8_t *)(uintptr_t)func;
  return QN_OK;
}

qn_status qn_eval_func_call_indirect(qn_eval *ev, const qn_op *op) {
  const qn_op *callee = (const qn_op *)(const void *)qn_eval_operand(ev, op, 0)->data;
  if (!callee) return qn_eval_fail(ev, op, "calls a function that was not given");
  return call(ev, op, callee, 1);
}

/* ---- branches: the code that runs the blocks follows ev->taken ---- */

qn_status qn_eval_cf_br(qn_eval *ev, const qn_op *op) {
  (void)op;
  ev->taken = 0;
  return QN_OK;
}

qn_status qn_eval_cf_cond_br(qn_eval *ev, const qn_op *op) {
  ev->taken = qn_eval_operand(ev, op, 0)->i ? 0 : 1;
  return QN_OK;
}

qn_status qn_eval_cf_assert(qn_eval *ev, const qn_op *op) {
  if (qn_eval_operand(ev, op, 0)->i) return QN_OK;
  return qn_eval_fail(ev, op, "failed: %.*s", QN_STR_ARG(qn_op_msg(op)));
}

/* ---- structured control flow ---- */

qn_status qn_eval_scf_for(qn_eval *ev, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  int64_t lower = qn_eval_operand(ev, op, 0)->i, upper = qn_eval_operand(ev, op, 1)->i;
  int64_t step = qn_eval_operand(ev, op, 2)->i;
  if (step <= 0) return qn_eval_fail(ev, op, "has step %lld", (long long)step);
  uint32_t carried = op->operand_count - 3;
  for (uint32_t i = 0; i < carried; i++)
    qn_eval_assign(ev, body->args[i + 1], qn_eval_operand(ev, op, i + 3));
  qn_rt_value *induction = &ev->values[body->args[0]->id];
  for (int64_t i = lower; i < upper;) {
    *induction = (qn_rt_value){.type = body->args[0]->type, .i = i};
    QN_TRY(qn_eval_block(ev, body));
    qn_eval_assign_args(ev, body, 1, body->last, 0, carried);
    if (__builtin_add_overflow(i, step, &i)) break;
  }
  for (uint32_t i = 0; i < carried; i++)
    qn_eval_assign(ev, &op->results[i], &ev->values[body->args[i + 1]->id]);
  return QN_OK;
}

qn_status qn_eval_scf_if(qn_eval *ev, const qn_op *op) {
  const qn_region *taken = &op->regions[qn_eval_operand(ev, op, 0)->i ? 0 : 1];
  if (!taken->first) return QN_OK; /* scf.if has no else block */
  QN_TRY(qn_eval_block(ev, taken->first));
  const qn_op *yield = taken->first->last;
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_eval_assign(ev, &op->results[i], qn_eval_operand(ev, yield, i));
  return QN_OK;
}

/* Runs scf.while. Such loops may not terminate, so the call is aborted after a limit of iterations
 * of all of them. */
qn_status qn_eval_scf_while(qn_eval *ev, const qn_op *op) {
  const qn_block *before = op->regions[0].first, *after = op->regions[1].first;
  int64_t limit = qn_op_max_iterations(ev->module->op);
  qn_eval_assign_args(ev, before, 0, op, 0, before->arg_count);
  for (;;) {
    QN_TRY(qn_eval_block(ev, before));
    if (!qn_eval_operand(ev, before->last, 0)->i) break;
    if (ev->rounds == limit)
      return qn_error(&ev->cx->diag, op->loc, QN_LIMIT,
                      "'%.*s' op would go on after %lld iterations of all loops",
                      QN_STR_ARG(op->name), (long long)limit);
    ev->rounds++;
    qn_eval_assign_args(ev, after, 0, before->last, 1, after->arg_count);
    QN_TRY(qn_eval_block(ev, after));
    qn_eval_assign_args(ev, before, 0, after->last, 0, before->arg_count);
  }
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_eval_assign(ev, &op->results[i], qn_eval_operand(ev, before->last, 1 + i));
  return QN_OK;
}

/* Runs a launch in two halves, the later one first, so that a kernel that depends on the order of
 * its work items gives wrong results here. */
qn_status qn_eval_quern_launch(qn_eval *ev, const qn_op *op) {
  const qn_op *kernel = qn_eval_symbol(ev, qn_op_kernel(op));
  if (!kernel || kernel->kind != QN_OP_FUNC)
    return qn_eval_fail(ev, op, "launches an unknown kernel");
  uint32_t buffers = op->operand_count - 1;
  const qn_rt_value **args = QN_NEW_ARRAY(ev->arena, buffers + 2, const qn_rt_value *);
  for (uint32_t i = 0; i < buffers; i++) args[i] = qn_eval_operand(ev, op, i);
  const qn_rt_value *count = qn_eval_operand(ev, op, buffers);
  qn_rt_value zero = {.type = count->type}, middle = {.type = count->type, .i = count->i / 2};
  args[buffers] = &middle;
  args[buffers + 1] = count;
  const qn_op *last;
  if (count->i > middle.i) QN_TRY(qn_eval_enter(ev, kernel, args, buffers + 2, &last));
  args[buffers] = &zero;
  args[buffers + 1] = &middle;
  return middle.i > 0 ? qn_eval_enter(ev, kernel, args, buffers + 2, &last) : QN_OK;
}
