/* LLVM's three ways to fail (LLVMErrorRef, bool and message, context diagnostics) become ours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/error.h"

qn_status qn_llvm_error(qn_ir_context *cx, const char *doing, LLVMErrorRef error) {
  if (!error) return QN_OK;
  char *message = LLVMGetErrorMessage(error);
  qn_status status =
      qn_error(&cx->diag, cx->diag.unknown, QN_INTERNAL, "while %s: %s", doing, message);
  LLVMDisposeErrorMessage(message);
  return status;
}

qn_status qn_llvm_message(qn_ir_context *cx, const char *doing, LLVMBool failed, char *message) {
  qn_status status = QN_OK;
  if (failed)
    status = qn_error(&cx->diag, cx->diag.unknown, QN_INTERNAL, "while %s: %s", doing,
                      message ? message : "no message");
  if (message) LLVMDisposeMessage(message);
  return status;
}

static void handle(LLVMDiagnosticInfoRef info, void *user) {
  qn_cg *cg = user;
  char *text = LLVMGetDiagInfoDescription(info);
  switch (LLVMGetDiagInfoSeverity(info)) {
    case LLVMDSError:
      cg->errors++;
      qn_error(&cg->cx->diag, cg->cx->diag.unknown, QN_INTERNAL, "LLVM: %s", text);
      break;
    case LLVMDSWarning:
      qn_warning(&cg->cx->diag, cg->cx->diag.unknown, "LLVM: %s", text);
      break;
    case LLVMDSRemark:
    case LLVMDSNote: break;
  }
  LLVMDisposeMessage(text);
}

void qn_llvm_capture(qn_cg *cg) { LLVMContextSetDiagnosticHandler(cg->llvm, handle, cg); }
