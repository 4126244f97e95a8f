/* Functions. Most are kernels with the ABI's signature.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/emit/tiles.h"
#include "codegen/machine/machine.h"
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
  char bits[16];
  snprintf(bits, sizeof bits, "%u", cg->level->vector_bytes * 8);
  for (const char *const *width = cg->architecture->width_attributes; *width; width++)
    string_attribute(cg, function, *width, qn_str_of(bits));
  return function;
}

void qn_cg_enter(qn_cg *cg, LLVMValueRef function) {
  cg->function = function;
  LLVMPositionBuilderAtEnd(cg->b, LLVMAppendBasicBlockInContext(cg->llvm, function, "entry"));
}

/* ---- kernels ---- */

static void fill_kernel(qn_cg *cg, const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  uint32_t buffers = body->arg_count - 2;
  qn_cg_enter(cg, qn_cg_symbol(cg, op));
  LLVMValueRef args = LLVMGetParam(cg->function, 0);
  for (uint32_t i = 0; i < buffers; i++)
    cg->values[body->args[i]->id] =
        e_load(cg, cg->ptr, e_at(cg, cg->ptr, args, e_i64(cg, i)), sizeof(void *));
  cg->values[body->args[buffers]->id] = LLVMGetParam(cg->function, 1);
  cg->values[body->args[buffers + 1]->id] = LLVMGetParam(cg->function, 2);
  cg->tiles = qn_cg_number_tiles(cg, op);
  qn_cg_begin_tiles(cg);
  qn_cg_emit_block(cg, body);
  cg->tiles = NULL;
}

/* ---- emitters ---- */

void qn_emit_func(qn_cg *cg, const qn_op *op) {
  if (op == cg->source->interface.main)
    qn_cg_fill_invoke(cg, op);
  else
    fill_kernel(cg, op);
}

void qn_emit_func_return(qn_cg *cg, const qn_op *op) {
  (void)op;
  if (cg->call) {
    e_tell(cg, cg->step);
    LLVMBuildRet(cg->b, e_i32(cg, 0));
    return;
  }
  qn_cg_end_tiles(cg);
  LLVMBuildRetVoid(cg->b);
}

void qn_emit_func_call(qn_cg *cg, const qn_op *op) {
  (void)cg;
  (void)op;
  QN_UNREACHABLE("check.c rejects func.call");
}
