/* Converts LLVM's errors (LLVMErrorRef, bool and message, context diagnostics, fatal errors) to
 * ours.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/error.h"

#include <llvm-c/ErrorHandling.h>
#include <stdio.h>

void qn_llvm_note(qn_llvm_notes notes, const char *doing, const char *message) {
  size_t used = strlen(notes), room = QN_LLVM_NOTES - used;
  QN_ASSERT(used < QN_LLVM_NOTES);
  int size = snprintf(notes + used, room, "%s: %s", doing, message ? message : "out of memory");
  if (size < 0) return;
  if ((size_t)size + 1 >= room) size = (int)room - 2; /* truncated */
  if (size < 0) return;
  notes[used + (size_t)size] = '\n';
  notes[used + (size_t)size + 1] = '\0';
}

static void note_doing(qn_llvm_notes notes, const char *doing, const char *message) {
  char what[64];
  snprintf(what, sizeof what, "while %s", doing);
  qn_llvm_note(notes, what, message);
}

qn_status qn_llvm_error(qn_llvm_notes notes, const char *doing, LLVMErrorRef error) {
  if (!error) return QN_OK;
  char *message = LLVMGetErrorMessage(error);
  note_doing(notes, doing, message);
  LLVMDisposeErrorMessage(message);
  return QN_INTERNAL;
}

qn_status qn_llvm_message(qn_llvm_notes notes, const char *doing, LLVMBool failed, char *message) {
  if (failed) note_doing(notes, doing, message ? message : "no message");
  if (message) LLVMDisposeMessage(message);
  return failed ? QN_INTERNAL : QN_OK;
}

static void collect(LLVMDiagnosticInfoRef info, void *user) {
  qn_cg *cg = user;
  LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
  if (severity == LLVMDSWarning) {
    qn_cg_look(cg);
    qn_cg_note_frame(cg, info);
  }
  if (severity != LLVMDSError) return;
  char *text = LLVMGetDiagInfoDescription(info);
  qn_llvm_note(cg->notes, "LLVM", text);
  LLVMDisposeMessage(text);
}

void qn_llvm_capture(qn_cg *cg) { LLVMContextSetDiagnosticHandler(cg->llvm, collect, cg); }

qn_status qn_llvm_report(qn_ir_context *cx, qn_llvm_notes notes) {
  qn_str rest = qn_str_of(notes);
  bool any = rest.size > 0;
  while (rest.size > 0) {
    const char *end = memchr(rest.data, '\n', rest.size);
    qn_str line = {rest.data, end ? (size_t)(end - rest.data) : rest.size};
    qn_error(&cx->diag, cx->diag.unknown, QN_INTERNAL, "%.*s", QN_STR_ARG(line));
    size_t used = line.size + (end != NULL);
    rest = (qn_str){rest.data + used, rest.size - used};
  }
  notes[0] = '\0';
  return any ? QN_INTERNAL : QN_OK;
}

/* ---- fatal errors ---- */

static _Thread_local const char *working_on;

void qn_llvm_working_on(const char *name) { working_on = name; }

/* Prints directly to standard error, because a diagnostic handler of the context could try to
 * continue. */
static void say(const char *reason) {
  fprintf(stderr, "quern: LLVM failed while compiling %s: %s\n",
          working_on ? working_on : "nothing of Quern's", reason);
  fflush(stderr);
}

void qn_llvm_install_last_words(void) { LLVMInstallFatalErrorHandler(say); }
