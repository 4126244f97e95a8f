/* The structs and functions of runtime/abi.h as LLVM types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_ABI_H
#define QN_CODEGEN_ABI_H

#include "codegen/layout.h"
#include "codegen/llvm.h"

typedef struct qn_cg_abi {
  LLVMTypeRef tensor, size, call, probe, step, loop, model;
  LLVMTypeRef prepared_model; /* qn_abi_model of QN_ABI_VERSION_PREPARED */
  LLVMTypeRef kernel;         /* void (ptr args, index lo, index hi) */
  LLVMTypeRef invoke;         /* void (ptr call) */
  LLVMTypeRef reset;          /* void (ptr states) */
  LLVMTypeRef prepare;        /* void (ptr prepared) */
  LLVMTypeRef supported;      /* i32 () */
  LLVMTypeRef parallel_for;   /* void (ptr pool, ptr kernel, ptr args, index count) */
  LLVMTypeRef step_fn;        /* void (ptr user, index k) */
} qn_cg_abi;

/* The LLVM type of a struct. */
LLVMTypeRef *qn_cg_abi_type(qn_cg_abi *abi, qn_cg_abi_struct_id id);
/* `index`: LLVM's type of qn_abi_index. */
void qn_cg_abi_init(qn_cg_abi *abi, LLVMContextRef llvm, LLVMTypeRef index);

#endif
