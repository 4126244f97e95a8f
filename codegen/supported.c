/* SYMBOL_supported: whether this CPU runs the code. It executes on every CPU of the architecture,
 * so that a program can call it before the first illegal instruction.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"

LLVMValueRef qn_cg_add_supported(qn_cg *cg, const char *name) {
  const struct {
    const char *name, *value;
  } attributes[] = {{"no-builtins", ""},
                    {"target-cpu", cg->architecture->cpu},
                    {"target-features", cg->architecture->features}};
  LLVMValueRef function = LLVMAddFunction(cg->module, name, cg->abi.supported);
  for (size_t i = 0; i < QN_COUNT(attributes); i++)
    LLVMAddTargetDependentFunctionAttr(function, attributes[i].name, attributes[i].value);
  if (cg->architecture->unwinds_by_library) qn_cg_never_unwinds(cg, function);
  const char *section = cg->source->options->code_section;
  if (section) LLVMSetSection(function, section);
  return function;
}

void qn_cg_define_supported(qn_cg *cg) {
  const qn_cg_architecture *a = cg->architecture;
  qn_cg_enter(cg, cg->supported);
  LLVMValueRef has =
      a->supports ? a->supports(cg, &cg->source->options->target) : LLVMConstInt(cg->i1, 1, 0);
  LLVMBuildRet(cg->b, LLVMBuildZExt(cg->b, has, cg->i32, ""));
}
