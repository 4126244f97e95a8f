/* Looking at the time while LLVM makes machine code, which takes seconds for all of a model, and
 * which nothing may jump out of.
 *
 * LLVM warns of every function whose frame is larger than its attribute allows: of nearly every one
 * that takes long, when that is 0. Its handler of warnings is called between two passes, and when
 * the time is over it says of all functions that their code is elsewhere: the back end passes by
 * those. What it has made then is thrown away.
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
