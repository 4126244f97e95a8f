/* The structs of runtime/abi.h as tables of fields, from which both back ends make them, and their
 * layout by the width of pointers. No LLVM.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_LAYOUT_H
#define QN_CODEGEN_LAYOUT_H

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
  const char *text; /* the name; of a pointer that C output declares, the declaration, in which "$"
                       is the symbol of the model */
} qn_cg_abi_field;

enum { QN_CG_ABI_MAX_FIELDS = 24 };

typedef struct qn_cg_abi_struct {
  const char *name;
  size_t size; /* size for the C compiler that built this library */
  const qn_cg_abi_field *fields;
  unsigned count;
} qn_cg_abi_struct;
/* The structs in an order in which each follows those that it refers to. */
typedef enum qn_cg_abi_struct_id {
  QN_ABI_STRUCT_TENSOR,
  QN_ABI_STRUCT_SIZE,
  QN_ABI_STRUCT_CALL,
  QN_ABI_STRUCT_PROBE,
  QN_ABI_STRUCT_STEP,
  QN_ABI_STRUCT_LOOP,
  QN_ABI_STRUCT_MODEL,
  QN_ABI_STRUCT_PREPARED_MODEL, /* qn_abi_model of QN_ABI_VERSION_PREPARED */
  QN_ABI_STRUCT_COUNT
} qn_cg_abi_struct_id;
/* [qn_cg_abi_struct_id] */
const qn_cg_abi_struct *qn_cg_abi_structs(unsigned *out_count);

/* Computes the offsets at which C compilers for a target place the fields: each at the next
 * multiple of its alignment. On all targets the alignment is the field's size, or that of its
 * elements. Returns the size of the struct. */
size_t qn_cg_abi_place(const qn_cg_abi_struct *type, unsigned pointer_bytes, size_t *out_offsets);

#endif
