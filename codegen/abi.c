/* The structs of runtime/abi.h as tables of fields, which necessarily repeat that header. The LLVM
 * types, and the field offsets for a pointer width, are computed from the tables. qn_cg_init
 * asserts that the target's data layout agrees with these offsets. qn_cg_abi_place asserts that,
 * for the host's pointer width, they agree with the C compiler that built this library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/abi.h"

#include "base/check.h"

#define FIELD(type, field, kind)                                                                   \
  { QN_ABI_FIELD_##kind, offsetof(qn_abi_##type, field) }

static const qn_cg_abi_field tensor_fields[] = {
    FIELD(tensor, name, POINTER), FIELD(tensor, dtype, I32),      FIELD(tensor, rank, I32),
    FIELD(tensor, dims, DIMS),    FIELD(tensor, sizes, SIZES),    FIELD(tensor, bytes, I64),
    FIELD(tensor, scale, F64),    FIELD(tensor, zero_point, I64), FIELD(tensor, index, I64),
    FIELD(tensor, offset, I64)};
static const qn_cg_abi_field size_fields[] = {FIELD(size, name, POINTER), FIELD(size, bound, I64)};
static const qn_cg_abi_field call_fields[] = {[QN_CALL_INPUTS] = FIELD(call, inputs, POINTER),
                                              [QN_CALL_OUTPUTS] = FIELD(call, outputs, POINTER),
                                              [QN_CALL_ARENA] = FIELD(call, arena, POINTER),
                                              [QN_CALL_STATES] = FIELD(call, states, POINTER),
                                              [QN_CALL_SIZES] = FIELD(call, sizes, POINTER),
                                              [QN_CALL_PARALLEL_FOR] =
                                                  FIELD(call, parallel_for, POINTER),
                                              [QN_CALL_POOL] = FIELD(call, pool, POINTER),
                                              [QN_CALL_STEP] = FIELD(call, step, POINTER),
                                              [QN_CALL_USER] = FIELD(call, user, POINTER),
                                              [QN_CALL_PREPARED] = FIELD(call, prepared, POINTER)};
static const qn_cg_abi_field probe_fields[] = {FIELD(probe, index, I64), FIELD(probe, offset, I64),
                                               FIELD(probe, bytes, I64), FIELD(probe, output, I64),
                                               FIELD(probe, size, I64)};
static const qn_cg_abi_field step_fields[] = {FIELD(step, name, POINTER), FIELD(step, macs, I64),
                                              FIELD(step, bytes, I64)};
static const qn_cg_abi_field loop_fields[] = {FIELD(loop, name, POINTER), FIELD(loop, limit, I64)};
static const qn_cg_abi_field model_fields[] = {
    FIELD(model, version, I32),        FIELD(model, input_count, I32),
    FIELD(model, output_count, I32),   FIELD(model, state_count, I32),
    FIELD(model, size_count, I32),     FIELD(model, probe_count, I32),
    FIELD(model, step_count, I32),     FIELD(model, loop_count, I32),
    FIELD(model, inputs, POINTER),     FIELD(model, outputs, POINTER),
    FIELD(model, states, POINTER),     FIELD(model, sizes, POINTER),
    FIELD(model, probes, POINTER),     FIELD(model, steps, POINTER),
    FIELD(model, loops, POINTER),      FIELD(model, arena_bytes, I64),
    FIELD(model, state_bytes, I64),    FIELD(model, invoke, POINTER),
    FIELD(model, reset, POINTER),      FIELD(model, supported, POINTER),
    FIELD(model, target, POINTER),     FIELD(model, numerics, POINTER),
    FIELD(model, prepared_bytes, I64), FIELD(model, prepare, POINTER)};
enum { PREPARED_FIELDS = 2 }; /* at the end, of QN_ABI_VERSION_PREPARED only */
#undef FIELD

#define STRUCT(type)                                                                               \
  {                                                                                                \
    "qn_abi_" #type, offsetof(qn_cg_abi, type), sizeof(qn_abi_##type), type##_fields,              \
        QN_COUNT(type##_fields)                                                                    \
  }
static const qn_cg_abi_struct structs[] = {
    STRUCT(tensor),
    STRUCT(size),
    STRUCT(call),
    STRUCT(probe),
    STRUCT(step),
    STRUCT(loop),
    {"qn_abi_model", offsetof(qn_cg_abi, model), offsetof(qn_abi_model, prepared_bytes),
     model_fields, QN_COUNT(model_fields) - PREPARED_FIELDS},
    {"qn_abi_prepared_model", offsetof(qn_cg_abi, prepared_model), sizeof(qn_abi_model),
     model_fields, QN_COUNT(model_fields)}};
#undef STRUCT

const qn_cg_abi_struct *qn_cg_abi_structs(unsigned *out_count) {
  *out_count = QN_COUNT(structs);
  return structs;
}

/* ---- layout ---- */

size_t qn_cg_abi_place(const qn_cg_abi_struct *type, unsigned pointer_bytes, size_t *out_offsets) {
  /* Size and alignment of a type; 0: those of a pointer. */
  static const struct {
    size_t size, align;
  } kinds[] = {[QN_ABI_FIELD_POINTER] = {0, 0},
               [QN_ABI_FIELD_I32] = {4, 4},
               [QN_ABI_FIELD_I64] = {8, 8},
               [QN_ABI_FIELD_F64] = {8, 8},
               [QN_ABI_FIELD_DIMS] = {8 * QN_ABI_MAX_RANK, 8},
               [QN_ABI_FIELD_SIZES] = {4 * QN_ABI_MAX_RANK, 4}};
  size_t end = 0, most = 1;
  QN_ASSERT(type->count <= QN_CG_ABI_MAX_FIELDS);
  for (unsigned i = 0; i < type->count; i++) {
    size_t size = kinds[type->fields[i].kind].size, align = kinds[type->fields[i].kind].align;
    if (size == 0) size = align = pointer_bytes;
    out_offsets[i] = (end + align - 1) / align * align;
    end = out_offsets[i] + size;
    if (align > most) most = align;
    QN_ASSERT(pointer_bytes != sizeof(void *) || out_offsets[i] == type->fields[i].offset);
  }
  size_t size = (end + most - 1) / most * most;
  QN_ASSERT(pointer_bytes != sizeof(void *) || size == type->size);
  return size;
}

/* ---- LLVM's types ---- */

static LLVMTypeRef make_struct(LLVMContextRef llvm, const qn_cg_abi_struct *type) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm), i64 = LLVMInt64TypeInContext(llvm);
  LLVMTypeRef kinds[] = {[QN_ABI_FIELD_POINTER] = LLVMPointerTypeInContext(llvm, 0),
                         [QN_ABI_FIELD_I32] = i32,
                         [QN_ABI_FIELD_I64] = i64,
                         [QN_ABI_FIELD_F64] = LLVMDoubleTypeInContext(llvm),
                         [QN_ABI_FIELD_DIMS] = LLVMArrayType2(i64, QN_ABI_MAX_RANK),
                         [QN_ABI_FIELD_SIZES] = LLVMArrayType2(i32, QN_ABI_MAX_RANK)};
  LLVMTypeRef fields[QN_CG_ABI_MAX_FIELDS];
  QN_ASSERT(type->count <= QN_COUNT(fields));
  for (unsigned i = 0; i < type->count; i++) fields[i] = kinds[type->fields[i].kind];
  LLVMTypeRef made = LLVMStructCreateNamed(llvm, type->name);
  LLVMStructSetBody(made, fields, type->count, 0);
  return made;
}

void qn_cg_abi_init(qn_cg_abi *abi, LLVMContextRef llvm, LLVMTypeRef index) {
  LLVMTypeRef p = LLVMPointerTypeInContext(llvm, 0);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm), none = LLVMVoidTypeInContext(llvm);
  for (size_t i = 0; i < QN_COUNT(structs); i++)
    *(LLVMTypeRef *)((char *)abi + structs[i].type_offset) = make_struct(llvm, &structs[i]);
  abi->kernel = LLVMFunctionType(none, (LLVMTypeRef[]){p, index, index}, 3, 0);
  abi->invoke = LLVMFunctionType(i32, (LLVMTypeRef[]){p}, 1, 0);
  abi->reset = LLVMFunctionType(none, (LLVMTypeRef[]){p}, 1, 0);
  abi->prepare = LLVMFunctionType(none, (LLVMTypeRef[]){p}, 1, 0);
  abi->supported = LLVMFunctionType(i32, NULL, 0, 0);
  abi->parallel_for = LLVMFunctionType(none, (LLVMTypeRef[]){p, p, p, index}, 4, 0);
  abi->step_fn = LLVMFunctionType(none, (LLVMTypeRef[]){p, index}, 2, 0);
}
