/* The functions that SYMBOL_invoke calls for every launch and at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"

LLVMValueRef e_call_field(const qn_cg *cg, LLVMValueRef call, unsigned field) {
  LLVMValueRef address = LLVMBuildStructGEP2(cg->b, cg->abi.call, call, field, "");
  return e_load(cg, cg->ptr, address, sizeof(void *));
}

/* void tell(call, k): calls the step callback, if there is one. */
static void define_tell(qn_cg *cg) {
  LLVMTypeRef type = LLVMFunctionType(cg->none, (LLVMTypeRef[]){cg->ptr, cg->i64}, 2, 0);
  cg->tell = qn_cg_add_function(cg, "tell", type, LLVMInternalLinkage);
  qn_cg_enter(cg, cg->tell);
  LLVMValueRef call = LLVMGetParam(cg->tell, 0), k = LLVMGetParam(cg->tell, 1);
  LLVMBasicBlockRef told = e_block(cg, "told"), done = e_block(cg, "done");
  LLVMValueRef step = e_call_field(cg, call, QN_CALL_STEP);
  LLVMBuildCondBr(cg->b, LLVMBuildIsNull(cg->b, step, ""), done, told);
  LLVMPositionBuilderAtEnd(cg->b, told);
  LLVMValueRef args[] = {e_call_field(cg, call, QN_CALL_USER), k};
  LLVMBuildCall2(cg->b, cg->abi.step_fn, step, args, QN_COUNT(args), "");
  LLVMBuildBr(cg->b, done);
  LLVMPositionBuilderAtEnd(cg->b, done);
  LLVMBuildRetVoid(cg->b);
}

void e_tell(const qn_cg *cg, int64_t k) {
  LLVMValueRef args[] = {cg->call, e_i64(cg, k)};
  LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(cg->tell), cg->tell, args, QN_COUNT(args), "");
}

void e_end_invoke(const qn_cg *cg) {
  e_tell(cg, cg->step);
  LLVMBuildRet(cg->b, e_i32(cg, 0));
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
  LLVMBasicBlockRef threads = e_block(cg, "threads"), alone = e_block(cg, "alone");
  LLVMValueRef tell_args[] = {call, p[4]};
  LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(cg->tell), cg->tell, tell_args, QN_COUNT(tell_args),
                 "");
  LLVMValueRef parallel_for = e_call_field(cg, call, QN_CALL_PARALLEL_FOR);
  LLVMValueRef has_threads = LLVMBuildIsNotNull(cg->b, parallel_for, "");
  LLVMValueRef many = LLVMBuildICmp(cg->b, LLVMIntSGT, count, e_i64(cg, 1), "");
  LLVMValueRef worth = LLVMBuildAnd(cg->b, many, LLVMBuildNot(cg->b, p[5], ""), "");
  LLVMBuildCondBr(cg->b, LLVMBuildAnd(cg->b, has_threads, worth, ""), threads, alone);

  LLVMPositionBuilderAtEnd(cg->b, threads);
  LLVMValueRef for_args[] = {e_call_field(cg, call, QN_CALL_POOL), kernel, args, count};
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
