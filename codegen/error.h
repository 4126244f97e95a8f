/* What LLVM says, collected as text and then sent to our diagnostics. The only place that takes
 * LLVMErrorRef and messages apart. Collecting and reporting are two steps because parts are
 * translated by several threads, and diagnostics belong to one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_ERROR_H
#define QN_CODEGEN_ERROR_H

#include "codegen/context.h"

/* Consumes the error. QN_OK for LLVMErrorSuccess, else QN_INTERNAL and the line "while <doing>:
 * <message>" in `problems`. */
QN_NODISCARD qn_status qn_llvm_error(qn_text *problems, const char *doing, LLVMErrorRef error);
/* The same for functions that return a bool and a message; disposes the message (NULL is allowed).
 */
QN_NODISCARD qn_status qn_llvm_message(qn_text *problems, const char *doing, LLVMBool failed,
                                       char *message);
/* Collects in cg->problems the errors that LLVM reports through its context; its own handler would
 * end the process. Warnings and remarks are dropped. */
void qn_llvm_capture(qn_cg *cg);
/* Reports and clears: QN_OK when there were none, else QN_INTERNAL. */
QN_NODISCARD qn_status qn_llvm_report(qn_ir_context *cx, qn_text *problems);

#endif
