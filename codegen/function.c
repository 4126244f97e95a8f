/* Functions: kernels with the ABI's signature, and the entry point SYMBOL_invoke, which binds
 * buffers and starts the kernels one after the other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "ir/walk.h"

static LLVMAttributeRef enum_attribute(const qn_cg *cg, const char *name) {
  unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  QN_ASSERT(kind != 0);
  return LLVMCreateEnumAttribute(cg->llvm, kind, 0);
}

static void string_attribute(const qn_cg *cg, LLVMValueRef function, const char *name,
                             qn_str value) {
  LLVMAttributeRef attribute = LLVMCreateStringAttribute(cg->llvm, name, (unsigned)strlen(name),
                                                         value.data, (unsigned)value.size);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, attribute);
}

LLVMValueRef qn_cg_add_function(qn_cg *cg, const char *name, LLVMTypeRef type,
                                LLVMLinkage linkage) {
  const qn_codegen_target *target = &cg->source->options->target;
  LLVMValueRef function = LLVMAddFunction(cg->module, name, type);
  LLVMSetLinkage(function, linkage);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, enum_attribute(cg, "nounwind"));
  string_attribute(cg, function, "no-builtins", qn_str_of(""));
  string_attribute(cg, function, "target-cpu", target->cpu);
  string_attribute(cg, function, "target-features", target->features);
  /* Both widths are the level's: some CPUs are tuned to split 512-bit vectors otherwise. */
  char bits[16];
  snprintf(bits, sizeof bits, "%u", cg->level->vector_bytes * 8);
  string_attribute(cg, function, "prefer-vector-width", qn_str_of(bits));
  string_attribute(cg, function, "min-legal-vector-width", qn_str_of(bits));
  return function;
}

/* Starts filling it: the builder stands in its entry block. */
static void enter(qn_cg *cg, LLVMValueRef function) {
  cg->function = function;
  LLVMPositionBuilderAtEnd(cg->b, LLVMAppendBasicBlockInContext(cg->llvm, function, "entry"));
}

/* ---- kernels ---- */

static void fill_kernel(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  uint32_t buffers = body->arg_count - 2;
  enter(cg, qn_cg_symbol(cg, op));
  LLVMValueRef args = LLVMGetParam(cg->function, 0);
  for (uint32_t i = 0; i < buffers; i++)
    cg->values[body->args[i]->id] =
        e_load(cg, cg->ptr, e_at(cg, cg->ptr, args, e_i64(cg, i)), sizeof(void *));
  cg->values[body->args[buffers]->id] = LLVMGetParam(cg->function, 1);
  cg->values[body->args[buffers + 1]->id] = LLVMGetParam(cg->function, 2);
  qn_cg_emit_block(cg, body);
}

/* ---- SYMBOL_invoke ---- */

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
  enter(cg, cg->tell);
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

/* void launch(call, kernel, args, count, k, small): tells, then runs the kernel over [0, count), with
 * the caller's threads when it has some, there is more than one unit, and the work is not small. */
static void define_launch(qn_cg *cg) {
  LLVMTypeRef params[] = {cg->ptr, cg->ptr, cg->ptr, cg->i64, cg->i64, cg->i1};
  LLVMTypeRef type = LLVMFunctionType(cg->none, params, QN_COUNT(params), 0);
  cg->launch = qn_cg_add_function(cg, "launch", type, LLVMInternalLinkage);
  enter(cg, cg->launch);
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

static LLVMValueRef bound_buffer(const qn_cg *cg, qn_binding binding) {
  if (binding.role == QN_ROLE_ARENA) return call_field(cg, cg->call, QN_CALL_ARENA);
  unsigned field = binding.role == QN_ROLE_INPUT ? QN_CALL_INPUTS : QN_CALL_OUTPUTS;
  LLVMValueRef list = call_field(cg, cg->call, field);
  return e_load(cg, cg->ptr, e_at(cg, cg->ptr, list, e_i64(cg, binding.number)), sizeof(void *));
}

static void fill_invoke(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  unsigned most = 1;
  QN_FOR_EACH_OP(launch, body)
  if (launch->kind == QN_OP_QUERN_LAUNCH && launch->operand_count > most)
    most = launch->operand_count;
  enter(cg, cg->invoke);
  cg->call = LLVMGetParam(cg->invoke, 0);
  cg->launch_args = LLVMBuildAlloca(cg->b, LLVMArrayType2(cg->ptr, most), "args");
  for (uint32_t i = 0; i < body->arg_count; i++)
    cg->values[body->args[i]->id] = bound_buffer(cg, cg->source->interface.bindings[i]);
  qn_cg_emit_block(cg, body);
  cg->call = NULL;
}

/* ---- emitters ---- */

void qn_emit_func(qn_cg *cg, const qn_op *op) {
  if (op == cg->source->interface.main)
    fill_invoke(cg, op);
  else
    fill_kernel(cg, op);
}

void qn_emit_func_return(qn_cg *cg, const qn_op *op) {
  (void)op;
  if (cg->call) {
    LLVMValueRef args[] = {cg->call, e_i64(cg, cg->step)};
    LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(cg->tell), cg->tell, args, QN_COUNT(args), "");
  }
  LLVMBuildRetVoid(cg->b);
}

void qn_emit_func_call(qn_cg *cg, const qn_op *op) {
  (void)cg;
  (void)op;
  QN_UNREACHABLE("check.c refuses func.call");
}
