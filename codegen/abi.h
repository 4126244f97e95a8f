/* The structs of runtime/abi.h as LLVM types, and their layout by the width of pointers.
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
  QN_CALL_PREPARED,
};

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

/* `index`: LLVM's type of qn_abi_index. */
void qn_cg_abi_init(qn_cg_abi *abi, LLVMContextRef llvm, LLVMTypeRef index);

typedef enum qn_cg_abi_kind {
  QN_ABI_FIELD_POINTER,
  QN_ABI_FIELD_I32,
  QN_ABI_FIELD_I64,
  QN_ABI_FIELD_F64,
  QN_ABI_FIELD_DIMS,  /* i64[QN_ABI_MAX_RANK] */
  QN_ABI_FIELD_SIZES, /* i32[QN_ABI_MAX_RANK] */
} qn_cg_abi_kind;

/* A field, and its position for the C compiler that built this library. */
typedef struct qn_cg_abi_field {
  qn_cg_abi_kind kind;
  size_t offset;
} qn_cg_abi_field;

enum { QN_CG_ABI_MAX_FIELDS = 24 };

typedef struct qn_cg_abi_struct {
  const char *name;
  size_t type_offset; /* offset of the LLVM type in qn_cg_abi */
  size_t size;        /* size for the C compiler that built this library */
  const qn_cg_abi_field *fields;
  unsigned count;
} qn_cg_abi_struct;
const qn_cg_abi_struct *qn_cg_abi_structs(unsigned *out_count);

/* Computes the offsets at which C compilers for a target place the fields: each at the next
 * multiple of its alignment. On all targets the alignment is the field's size, or that of its
 * elements. Returns the size of the struct. */
size_t qn_cg_abi_place(const qn_cg_abi_struct *type, unsigned pointer_bytes, size_t *out_offsets);

#endif
