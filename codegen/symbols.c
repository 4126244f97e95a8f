/* The named objects of the LLVM module: functions, most of them kernels with the ABI's signature,
 * and constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"

/* ---- functions ---- */

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

void qn_cg_never_unwinds(const qn_cg *cg, LLVMValueRef function) {
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, enum_attribute(cg, "nounwind"));
}

LLVMValueRef qn_cg_add_function(qn_cg *cg, const char *name, LLVMTypeRef type,
                                LLVMLinkage linkage) {
  const qn_codegen_target *target = &cg->source->options->target;
  LLVMValueRef function = LLVMAddFunction(cg->module, name, type);
  LLVMSetLinkage(function, linkage);
  qn_cg_never_unwinds(cg, function);
  string_attribute(cg, function, "no-builtins", qn_str_of(""));
  string_attribute(cg, function, "target-cpu", target->cpu);
  string_attribute(cg, function, "target-features", target->features);
  const char *tune = cg->level->llvm_tune;
  if (target->tune.size)
    string_attribute(cg, function, "tune-cpu", target->tune);
  else if (tune && qn_str_is(target->cpu, cg->level->llvm_cpu))
    string_attribute(cg, function, "tune-cpu", qn_str_of(tune));
  char bits[16];
  snprintf(bits, sizeof bits, "%u", cg->level->vector_bytes * 8);
  for (const char *const *width = cg->architecture->width_attributes; *width; width++)
    string_attribute(cg, function, *width, qn_str_of(bits));
  /* The time of a short loop depends on its place in a cache line: a copy in rows of 21 bytes took
   * a quarter longer. So the order of functions must not decide it. */
  LLVMSetAlignment(function, cg->level->line_bytes);
  const char *section = cg->source->options->code_section;
  if (section) LLVMSetSection(function, section);
  return function;
}

void qn_cg_enter(qn_cg *cg, LLVMValueRef function) {
  cg->function = function;
  LLVMPositionBuilderAtEnd(cg->b, LLVMAppendBasicBlockInContext(cg->llvm, function, "entry"));
}

/* ---- kernels and constants ---- */

/* The name may be changed by LLVM if there is one part, because the symbol is local. */
const char *qn_cg_symbol_name(qn_cg *cg, const qn_op *op) {
  qn_str name = qn_op_sym_name(op);
  if (qn_cg_is_whole(cg->source)) return name.data;
  return qn_arena_format(&cg->arena, QN_PART_PREFIX "%.*s", QN_STR_ARG(name)).data;
}

LLVMLinkage qn_cg_symbol_linkage(const qn_cg *cg, LLVMLinkage alone) {
  return qn_cg_is_whole(cg->source) ? alone : LLVMExternalLinkage;
}

LLVMValueRef qn_cg_symbol(qn_cg *cg, const qn_op *op) {
  LLVMValueRef known = qn_map_get(&cg->symbols, op);
  if (known) return known;
  QN_ASSERT(op->kind == QN_OP_FUNC || op->kind == QN_OP_MEMREF_GLOBAL);
  const char *name = qn_cg_symbol_name(cg, op);
  if (op->kind == QN_OP_FUNC)
    known =
        qn_cg_add_function(cg, name, cg->abi.kernel, qn_cg_symbol_linkage(cg, LLVMInternalLinkage));
  else
    known = LLVMAddGlobal(cg->module, cg->i8, name); /* of another part: only its address is used */
  qn_map_set(&cg->symbols, op, known);
  return known;
}

LLVMValueRef qn_cg_private_constant(qn_cg *cg, const char *name, LLVMValueRef content) {
  LLVMValueRef global = LLVMAddGlobal(cg->module, LLVMTypeOf(content), name);
  LLVMSetInitializer(global, content);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return global;
}
