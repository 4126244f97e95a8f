/* The entry point SYMBOL_invoke, which binds buffers and starts the kernels one after the other.
 *
 * LLVM's back end takes time that grows with the square of a block's length. So many launches are
 * dealt out to functions of a fixed number of them, where each makes what its launches need: views
 * of buffers, constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "ir/walk.h"

enum { LAUNCHES_AT_ONCE = 128 };

/* ---- helpers ---- */

static LLVMValueRef call_field(const qn_cg *cg, LLVMValueRef call, unsigned field) {
  LLVMValueRef address = LLVMBuildStructGEP2(cg->b, cg->abi.call, call, field, "");
  return e_load(cg, cg->ptr, address, sizeof(void *));
}

static LLVMBasicBlockRef add_block(const qn_cg *cg, const char *name) {
  return LLVMAppendBasicBlockInContext(cg->llvm, cg->function, name);
}

/* void tell(call, k): calls the step callback, if there is one. */
static void define_tell(qn_cg *cg) {
  LLVMTypeRef type = LLVMFunctionType(cg->none, (LLVMTypeRef[]){cg->ptr, cg->i64}, 2, 0);
  cg->tell = qn_cg_add_function(cg, "tell", type, LLVMInternalLinkage);
  qn_cg_enter(cg, cg->tell);
  LLVMValueRef call = LLVMGetParam(cg->tell, 0), k = LLVMGetParam(cg->tell, 1);
  LLVMBasicBlockRef told = add_block(cg, "told"), done = add_block(cg, "done");
  LLVMValueRef step = call_field(cg, call, QN_CALL_STEP);
  LLVMBuildCondBr(cg->b, LLVMBuildIsNull(cg->b, step, ""), done, told);
  LLVMPositionBuilderAtEnd(cg->b, told);
  LLVMValueRef args[] = {call_field(cg, call, QN_CALL_USER), k};
  LLVMBuildCall2(cg->b, cg->abi.step_fn, step, args, QN_COUNT(args), "");
  LLVMBuildBr(cg->b, done);
  LLVMPositionBuilderAtEnd(cg->b, done);
  LLVMBuildRetVoid(cg->b);
}

/* void launch(call, kernel, args, count, k, small): tells, then runs the kernel over [0, count),
 * with the caller's threads when it has some, there is more than one unit, and the work is not
 * small. */
static void define_launch(qn_cg *cg) {
  LLVMTypeRef params[] = {cg->ptr, cg->ptr, cg->ptr, cg->i64, cg->i64, cg->i1};
  LLVMTypeRef type = LLVMFunctionType(cg->none, params, QN_COUNT(params), 0);
  cg->launch = qn_cg_add_function(cg, "launch", type, LLVMInternalLinkage);
  qn_cg_enter(cg, cg->launch);
  LLVMValueRef p[QN_COUNT(params)];
  LLVMGetParams(cg->launch, p);
  LLVMValueRef call = p[0], kernel = p[1], args = p[2], count = p[3];
  LLVMBasicBlockRef threads = add_block(cg, "threads"), alone = add_block(cg, "alone");
  LLVMValueRef tell_args[] = {call, p[4]};
  LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(cg->tell), cg->tell, tell_args, QN_COUNT(tell_args),
                 "");
  LLVMValueRef parallel_for = call_field(cg, call, QN_CALL_PARALLEL_FOR);
  LLVMValueRef has_threads = LLVMBuildIsNotNull(cg->b, parallel_for, "");
  LLVMValueRef many = LLVMBuildICmp(cg->b, LLVMIntSGT, count, e_i64(cg, 1), "");
  LLVMValueRef worth = LLVMBuildAnd(cg->b, many, LLVMBuildNot(cg->b, p[5], ""), "");
  LLVMBuildCondBr(cg->b, LLVMBuildAnd(cg->b, has_threads, worth, ""), threads, alone);

  LLVMPositionBuilderAtEnd(cg->b, threads);
  LLVMValueRef for_args[] = {call_field(cg, call, QN_CALL_POOL), kernel, args, count};
  LLVMBuildCall2(cg->b, cg->abi.parallel_for, parallel_for, for_args, QN_COUNT(for_args), "");
  LLVMBuildRetVoid(cg->b);

  LLVMPositionBuilderAtEnd(cg->b, alone);
  LLVMValueRef kernel_args[] = {args, e_i64(cg, 0), count};
  LLVMBuildCall2(cg->b, cg->abi.kernel, kernel, kernel_args, QN_COUNT(kernel_args), "");
  LLVMBuildRetVoid(cg->b);
}

void qn_cg_define_helpers(qn_cg *cg) {
  define_tell(cg);
  define_launch(cg);
}

/* ---- arguments ---- */

/* The value of an argument of @main. */
static LLVMValueRef bound_argument(const qn_cg *cg, qn_binding binding) {
  static const unsigned list_of[] = {[QN_ROLE_INPUT] = QN_CALL_INPUTS,
                                     [QN_ROLE_OUTPUT] = QN_CALL_OUTPUTS,
                                     [QN_ROLE_STATE] = QN_CALL_STATES,
                                     [QN_ROLE_SHAPE] = QN_CALL_SIZES,
                                     [QN_ROLE_ARENA] = QN_CALL_ARENA};
  LLVMValueRef field = call_field(cg, cg->call, list_of[binding.role]);
  LLVMValueRef number = e_i64(cg, binding.number);
  const qn_abi_model *m = &cg->source->interface.model;
  switch (binding.role) {
  case QN_ROLE_ARENA:
    return field;
  case QN_ROLE_STATE:
    return e_at(cg, cg->i8, field, e_i64(cg, (int64_t)m->states[binding.number].offset));
  case QN_ROLE_SHAPE:
    return e_load(cg, cg->i64, e_at(cg, cg->i64, field, number), sizeof(int64_t));
  default:
    return e_load(cg, cg->ptr, e_at(cg, cg->ptr, field, number), sizeof(void *));
  }
}

static void begin_launches(qn_cg *cg, LLVMValueRef function, unsigned most) {
  qn_cg_enter(cg, function);
  cg->call = LLVMGetParam(function, 0);
  cg->launch_args = LLVMBuildAlloca(cg->b, LLVMArrayType2(cg->ptr, most), "args");
}

/* ---- in one function ---- */

static void fill_whole(qn_cg *cg, const qn_block *body) {
  for (uint32_t i = 0; i < body->arg_count; i++)
    cg->values[body->args[i]->id] = bound_argument(cg, cg->source->interface.bindings[i]);
  qn_cg_emit_block(cg, body);
}

/* ---- in many functions ---- */

/* Whether each op can be made again where a launch needs it, from arguments and constants alone. */
static bool can_be_dealt_out(const qn_block *body) {
  QN_FOR_EACH_OP(op, body) {
    if (op->kind == QN_OP_QUERN_LAUNCH || qn_op_has(op, QN_TERMINATOR)) continue;
    if (!qn_op_has(op, QN_PURE) || op->region_count > 0) return false;
    for (uint32_t i = 0; i < op->operand_count; i++) {
      const qn_op *made_by = qn_op_operand(op, i)->op;
      if (made_by && made_by->operand_count > 0) return false;
    }
  }
  return true;
}

typedef struct dealer {
  qn_cg *cg;
  uint32_t *made_in; /* function, by value id; 0: nowhere */
  uint32_t function;
} dealer;

/* Two levels deep at most, see can_be_dealt_out. */
static void make(dealer *d, const qn_value *value) {
  if (d->made_in[value->id] == d->function) return;
  d->made_in[value->id] = d->function;
  if (!value->op) {
    qn_binding binding = d->cg->source->interface.bindings[value->index];
    d->cg->values[value->id] = bound_argument(d->cg, binding);
    return;
  }
  for (uint32_t i = 0; i < value->op->operand_count; i++) make(d, qn_op_operand(value->op, i));
  qn_emitters[value->op->kind](d->cg, value->op);
}

/* Emits launches from `op` on into a function of their own; returns the one behind them. */
static const qn_op *fill_some(dealer *d, LLVMValueRef function, const qn_op *op, unsigned most) {
  qn_cg *cg = d->cg;
  begin_launches(cg, function, most);
  d->function++;
  for (int count = 0; count < LAUNCHES_AT_ONCE && !qn_op_has(op, QN_TERMINATOR); op = op->next) {
    if (op->kind != QN_OP_QUERN_LAUNCH) continue;
    for (uint32_t i = 0; i < op->operand_count; i++) make(d, qn_op_operand(op, i));
    qn_emit_quern_launch(cg, op);
    count++;
  }
  LLVMBuildRetVoid(cg->b);
  return op;
}

static void deal_out(qn_cg *cg, const qn_block *body, unsigned most) {
  dealer d = {.cg = cg};
  d.made_in = QN_NEW_ARRAY(&cg->arena, cg->source->module->value_count, uint32_t);
  LLVMTypeRef type = LLVMFunctionType(cg->none, &cg->ptr, 1, 0);
  LLVMBasicBlockRef entry = LLVMGetInsertBlock(cg->b);
  LLVMValueRef call = cg->call;
  for (const qn_op *op = body->first; !qn_op_has(op, QN_TERMINATOR);) {
    LLVMValueRef some = qn_cg_add_function(cg, "launches", type, LLVMInternalLinkage);
    op = fill_some(&d, some, op, most);
    LLVMPositionBuilderAtEnd(cg->b, entry);
    LLVMBuildCall2(cg->b, type, some, &call, 1, "");
  }
  cg->function = cg->invoke;
  cg->call = call;
  qn_emit_func_return(cg, body->last);
}

void qn_cg_fill_invoke(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  unsigned most = 1;
  int64_t launches = 0;
  QN_FOR_EACH_OP(launch, body) {
    if (launch->kind != QN_OP_QUERN_LAUNCH) continue;
    launches++;
    if (launch->operand_count > most) most = launch->operand_count;
  }
  begin_launches(cg, cg->invoke, most);
  if (launches > LAUNCHES_AT_ONCE && can_be_dealt_out(body))
    deal_out(cg, body, most);
  else
    fill_whole(cg, body);
  cg->call = NULL;
}
