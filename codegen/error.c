/* LLVM's three ways to fail (LLVMErrorRef, bool and message, context diagnostics) become ours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/error.h"

qn_status qn_llvm_error(qn_text *problems, const char *doing, LLVMErrorRef error) {
  if (!error) return QN_OK;
  char *message = LLVMGetErrorMessage(error);
  qn_text_format(problems, "while %s: %s\n", doing, message);
  LLVMDisposeErrorMessage(message);
  return QN_INTERNAL;
}

qn_status qn_llvm_message(qn_text *problems, const char *doing, LLVMBool failed, char *message) {
  if (failed) qn_text_format(problems, "while %s: %s\n", doing, message ? message : "no message");
  if (message) LLVMDisposeMessage(message);
  return failed ? QN_INTERNAL : QN_OK;
}

static void collect(LLVMDiagnosticInfoRef info, void *user) {
  qn_cg *cg = user;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError) return;
  char *text = LLVMGetDiagInfoDescription(info);
  qn_text_format(&cg->problems, "LLVM: %s\n", text);
  LLVMDisposeMessage(text);
}

void qn_llvm_capture(qn_cg *cg) { LLVMContextSetDiagnosticHandler(cg->llvm, collect, cg); }

qn_status qn_llvm_report(qn_ir_context *cx, qn_text *problems) {
  qn_str rest = qn_text_view(problems);
  bool any = rest.size > 0;
  while (rest.size > 0) {
    const char *end = memchr(rest.data, '\n', rest.size);
    qn_str line = {rest.data, end ? (size_t)(end - rest.data) : rest.size};
    qn_error(&cx->diag, cx->diag.unknown, QN_INTERNAL, "%.*s", QN_STR_ARG(line));
    size_t used = line.size + (end != NULL);
    rest = (qn_str){rest.data + used, rest.size - used};
  }
  qn_text_clear(problems);
  return any ? QN_INTERNAL : QN_OK;
}
