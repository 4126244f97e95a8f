/* The entry point SYMBOL_invoke, which binds buffers and runs the kernels one after the other.
 *
 * The time of LLVM's back end grows with the square of a block's length, so many launches become a
 * table (launches.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "ir/walk.h"

enum { FEW_LAUNCHES = 128 };

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

void e_tell(const qn_cg *cg, int64_t k) {
  LLVMValueRef args[] = {cg->call, e_i64(cg, k)};
  LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(cg->tell), cg->tell, args, QN_COUNT(args), "");
}

/* void launch(call, kernel, args, count, k, small): calls the step callback, then runs the kernel
 * over [0, count). It uses the caller's threads if there are any, there is more than one work item,
 * and the work is not small. */
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

static void begin_launches(qn_cg *cg, unsigned most) {
  qn_cg_enter(cg, cg->invoke);
  cg->call = LLVMGetParam(cg->invoke, 0);
  cg->launch_args = LLVMBuildAlloca(cg->b, LLVMArrayType2(cg->ptr, most), "args");
}

static void fill_with_code(qn_cg *cg, const qn_op *op, unsigned most) {
  const qn_block *body = qn_op_body(op);
  begin_launches(cg, most);
  e_count_rounds(cg, op);
  for (uint32_t i = 0; i < body->arg_count; i++)
    cg->values[body->args[i]->id] = bound_argument(cg, cg->source->interface.bindings[i]);
  qn_cg_emit_block(cg, body);
}

/* Whether @main contains ops other than launches. */
static bool does_more(const qn_block *body) {
  QN_FOR_EACH_OP(op, body) {
    bool plain = qn_op_has(op, QN_PURE | QN_TERMINATOR) || op->kind == QN_OP_QUERN_LAUNCH;
    if (!plain) return true;
  }
  return false;
}

/* Fills SYMBOL_invoke: from a table if there are many launches and nothing else; @main of a text
 * may contain anything. */
void qn_cg_fill_invoke(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  unsigned most = 1;
  int64_t launches = 0;
  QN_FOR_EACH_NESTED_OP(launch, op) {
    if (launch->kind != QN_OP_QUERN_LAUNCH) continue;
    launches++;
    if (launch->operand_count > most) most = launch->operand_count;
  }
  bool few = launches <= FEW_LAUNCHES || does_more(body);
  if (few || !qn_cg_fill_from_table(cg, body)) fill_with_code(cg, op, most);
  cg->call = cg->rounds = cg->iterations = NULL;
}
