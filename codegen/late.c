/* Time limit while LLVM generates machine code. That takes seconds for a whole model, and longjmp
 * must not leave LLVM.
 *
 * LLVM warns about every function whose frame exceeds an attribute; with a limit of 0, about nearly
 * every function that takes long. Its warning handler runs between two passes. Once the time limit
 * has passed, the handler marks all functions as available externally, so that the back end skips
 * them. The output is then discarded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/context.h"

static LLVMAttributeRef warn_of_frames(const qn_cg *cg) {
  static const char name[] = "warn-stack-size", limit[] = "0";
  return LLVMCreateStringAttribute(cg->llvm, name, sizeof name - 1, limit, sizeof limit - 1);
}

static LLVMValueRef next_with_code(LLVMValueRef function) {
  while (function && LLVMIsDeclaration(function)) function = LLVMGetNextFunction(function);
  return function;
}

static LLVMValueRef first_with_code(const qn_cg *cg) {
  return next_with_code(LLVMGetFirstFunction(cg->module));
}

void qn_cg_begin_looking(qn_cg *cg) {
  LLVMAttributeRef warn = warn_of_frames(cg);
  LLVMValueRef f = first_with_code(cg);
  for (; f; f = next_with_code(LLVMGetNextFunction(f)))
    LLVMAddAttributeAtIndex(f, LLVMAttributeFunctionIndex, warn);
}

void qn_cg_look(qn_cg *cg) {
  if (cg->late || !qn_guard_is_late()) return;
  cg->late = true;
  LLVMValueRef f = first_with_code(cg);
  for (; f; f = next_with_code(LLVMGetNextFunction(f)))
    LLVMSetLinkage(f, LLVMAvailableExternallyLinkage);
}
