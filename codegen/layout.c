/* The structs of runtime/abi.h as tables of fields, which necessarily repeat that header.
 * qn_cg_init asserts that the target's data layout agrees with the offsets computed from them.
 * qn_cg_abi_place asserts that, for the host's pointer width, they agree with the C compiler that
 * built this library.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/layout.h"

#include "base/check.h"

#define FIELD(type, field, kind)                                                                   \
  { QN_ABI_FIELD_##kind, offsetof(qn_abi_##type, field), #field }
#define POINTER(type, field, declaration)                                                          \
  { QN_ABI_FIELD_POINTER, offsetof(qn_abi_##type, field), declaration }

static const qn_cg_abi_field tensor_fields[] = {POINTER(tensor, name, "const char *name"),
                                                FIELD(tensor, dtype, I32),
                                                FIELD(tensor, rank, I32),
                                                FIELD(tensor, dims, DIMS),
                                                FIELD(tensor, sizes, SIZES),
                                                FIELD(tensor, bytes, I64),
                                                FIELD(tensor, scale, F64),
                                                FIELD(tensor, zero_point, I64),
                                                FIELD(tensor, index, I64),
                                                FIELD(tensor, offset, I64)};
static const qn_cg_abi_field size_fields[] = {POINTER(size, name, "const char *name"),
                                              FIELD(size, bound, I64)};
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
static const qn_cg_abi_field step_fields[] = {POINTER(step, name, "const char *name"),
                                              FIELD(step, macs, I64), FIELD(step, bytes, I64)};
static const qn_cg_abi_field loop_fields[] = {POINTER(loop, name, "const char *name"),
                                              FIELD(loop, limit, I64)};
static const qn_cg_abi_field model_fields[] = {
    FIELD(model, version, I32),
    FIELD(model, input_count, I32),
    FIELD(model, output_count, I32),
    FIELD(model, state_count, I32),
    FIELD(model, size_count, I32),
    FIELD(model, probe_count, I32),
    FIELD(model, step_count, I32),
    FIELD(model, loop_count, I32),
    POINTER(model, inputs, "const struct qn_abi_tensor *inputs"),
    POINTER(model, outputs, "const struct qn_abi_tensor *outputs"),
    POINTER(model, states, "const struct qn_abi_tensor *states"),
    POINTER(model, sizes, "const struct qn_abi_size *sizes"),
    POINTER(model, probes, "const struct qn_abi_probe *probes"),
    POINTER(model, steps, "const struct qn_abi_step *steps"),
    POINTER(model, loops, "const struct qn_abi_loop *loops"),
    FIELD(model, arena_bytes, I64),
    FIELD(model, state_bytes, I64),
    POINTER(model, invoke, "int32_t (*invoke)(const $_call *call)"),
    POINTER(model, reset, "void (*reset)(void *states)"),
    POINTER(model, supported, "int32_t (*supported)(void)"),
    POINTER(model, target, "const char *target"),
    POINTER(model, numerics, "const char *numerics"),
    FIELD(model, prepared_bytes, I64),
    POINTER(model, prepare, "void (*prepare)(void *prepared)")};
enum { PREPARED_FIELDS = 2 }; /* at the end, of QN_ABI_VERSION_PREPARED only */
#undef FIELD
#undef POINTER

#define STRUCT(type)                                                                               \
  { "qn_abi_" #type, sizeof(qn_abi_##type), type##_fields, QN_COUNT(type##_fields) }
static const qn_cg_abi_struct structs[QN_ABI_STRUCT_COUNT] = {
    [QN_ABI_STRUCT_TENSOR] = STRUCT(tensor),
    [QN_ABI_STRUCT_SIZE] = STRUCT(size),
    [QN_ABI_STRUCT_CALL] = STRUCT(call),
    [QN_ABI_STRUCT_PROBE] = STRUCT(probe),
    [QN_ABI_STRUCT_STEP] = STRUCT(step),
    [QN_ABI_STRUCT_LOOP] = STRUCT(loop),
    [QN_ABI_STRUCT_MODEL] = {"qn_abi_model", offsetof(qn_abi_model, prepared_bytes), model_fields,
                             QN_COUNT(model_fields) - PREPARED_FIELDS},
    [QN_ABI_STRUCT_PREPARED_MODEL] = {"qn_abi_prepared_model", sizeof(qn_abi_model), model_fields,
                                      QN_COUNT(model_fields)}};
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
