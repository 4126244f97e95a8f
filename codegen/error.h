/* Errors and messages of LLVM, collected as text and then reported as our diagnostics. No other
 * file handles LLVMErrorRef and messages. Collecting and reporting are separate steps, because
 * several threads translate parts, and diagnostics belong to one thread.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_ERROR_H
#define QN_CODEGEN_ERROR_H

#include "codegen/context.h"

/* Consumes the error. QN_OK for LLVMErrorSuccess, else QN_INTERNAL and the line "while <doing>:
 * <message>" in `notes`. */
QN_NODISCARD qn_status qn_llvm_error(qn_llvm_notes notes, const char *doing, LLVMErrorRef error);
/* As qn_llvm_error, for functions that return a bool and a message; disposes the message (NULL is
 * allowed). */
QN_NODISCARD qn_status qn_llvm_message(qn_llvm_notes notes, const char *doing, LLVMBool failed,
                                       char *message);
/* Adds a line to `notes`. */
void qn_llvm_note(qn_llvm_notes notes, const char *doing, const char *message);
/* Collects errors that LLVM reports through its context in cg->notes; LLVM's own handler would end
 * the process. Warnings trigger the time check and are dropped like remarks. */
void qn_llvm_capture(qn_cg *cg);
/* Reports and clears the notes. Returns QN_OK if there were none, else QN_INTERNAL. */
QN_NODISCARD qn_status qn_llvm_report(qn_ir_context *cx, qn_llvm_notes notes);

/* Installs a handler that prints fatal errors of LLVM before LLVM ends the process: "quern: LLVM
 * failed while compiling NAME: REASON". Once per process. */
void qn_llvm_install_last_words(void);
/* Sets the name that this message contains for the current thread, which must stay valid; NULL when
 * the work ends. */
void qn_llvm_working_on(const char *name);

#endif
