/* What LLVM says, collected as text and then sent to our diagnostics. The only place that takes
 * LLVMErrorRef and messages apart. Collecting and reporting are two steps because parts are
 * translated by several threads, and diagnostics belong to one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_ERROR_H
#define QN_CODEGEN_ERROR_H

#include "codegen/context.h"

/* Consumes the error. QN_OK for LLVMErrorSuccess, else QN_INTERNAL and the line "while <doing>:
 * <message>" in `notes`. */
QN_NODISCARD qn_status qn_llvm_error(qn_llvm_notes notes, const char *doing, LLVMErrorRef error);
/* The same for functions that return a bool and a message; disposes the message (NULL is allowed).
 */
QN_NODISCARD qn_status qn_llvm_message(qn_llvm_notes notes, const char *doing, LLVMBool failed,
                                       char *message);
/* A line of ours. */
void qn_llvm_note(qn_llvm_notes notes, const char *doing, const char *message);
/* Collects in cg->notes the errors that LLVM reports through its context; its own handler would
 * end the process. Warnings are occasions to look at the time, and dropped like remarks. */
void qn_llvm_capture(qn_cg *cg);
/* Reports and clears: QN_OK when there were none, else QN_INTERNAL. */
QN_NODISCARD qn_status qn_llvm_report(qn_ir_context *cx, qn_llvm_notes notes);

/* What LLVM can't return from is said before it ends the process: "quern: LLVM failed while
 * compiling NAME: REASON". Once per process. */
void qn_llvm_install_last_words(void);
/* What this thread has LLVM do, for that; NULL at its end. Kept. */
void qn_llvm_working_on(const char *name);

#endif
