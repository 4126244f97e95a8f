/* The structs of runtime/abi.h as LLVM types. abi.c asserts that every offset agrees.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_ABI_H
#define QN_CODEGEN_ABI_H

#include "codegen/llvm.h"
#include "runtime/abi.h"

/* Field indices of qn_abi_call, the only struct that generated code reads. */
enum {
  QN_CALL_INPUTS,
  QN_CALL_OUTPUTS,
  QN_CALL_ARENA,
  QN_CALL_STATES,
  QN_CALL_SIZES,
  QN_CALL_PARALLEL_FOR,
  QN_CALL_POOL,
  QN_CALL_STEP,
  QN_CALL_USER,
};

typedef struct qn_cg_abi {
  LLVMTypeRef tensor, size, call, probe, step, loop, model;
  LLVMTypeRef kernel;       /* void (ptr args, i64 lo, i64 hi) */
  LLVMTypeRef invoke;       /* void (ptr call) */
  LLVMTypeRef reset;        /* void (ptr states) */
  LLVMTypeRef supported;    /* i32 () */
  LLVMTypeRef parallel_for; /* void (ptr pool, ptr kernel, ptr args, i64 count) */
  LLVMTypeRef step_fn;      /* void (ptr user, i64 k) */
} qn_cg_abi;

void qn_cg_abi_init(qn_cg_abi *abi, LLVMContextRef llvm);

/* Field offsets and size of a struct as the C compiler lays it out. The LLVM type must agree on
 * every supported target. */
typedef struct qn_cg_abi_layout {
  const char *name;
  size_t type_offset; /* offset of the LLVM type in qn_cg_abi */
  size_t size;
  const size_t *offsets;
  unsigned count;
} qn_cg_abi_layout;
const qn_cg_abi_layout *qn_cg_abi_layouts(unsigned *out_count);

#endif
