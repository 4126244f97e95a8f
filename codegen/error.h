/* What LLVM says, as diagnostics. The only place that takes LLVMErrorRef and messages apart.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_ERROR_H
#define QN_CODEGEN_ERROR_H

#include "codegen/context.h"

/* Consumes the error. QN_OK for LLVMErrorSuccess, else QN_INTERNAL with "while <doing>: <message>". */
QN_NODISCARD qn_status qn_llvm_error(qn_ir_context *cx, const char *doing, LLVMErrorRef error);
/* The same for functions that return a bool and a message; disposes the message (NULL is allowed). */
QN_NODISCARD qn_status qn_llvm_message(qn_ir_context *cx, const char *doing, LLVMBool failed, char *message);
/* Sends what LLVM reports through its context to our diagnostics and counts errors in cg->errors;
 * LLVM's own handler would end the process. */
void qn_llvm_capture(qn_cg *cg);

#endif
