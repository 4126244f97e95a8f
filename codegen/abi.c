/* LLVM types for the structs of runtime/abi.h. The field lists below necessarily repeat that
 * header. The offset tables come from the C compiler, and qn_cg_init asserts that the target's data
 * layout places every field at the same offset.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/abi.h"

#include "base/check.h"

static LLVMTypeRef make_struct(LLVMContextRef llvm, const char *name, LLVMTypeRef *fields,
                               unsigned count) {
  LLVMTypeRef type = LLVMStructCreateNamed(llvm, name);
  LLVMStructSetBody(type, fields, count, 0);
  return type;
}

void qn_cg_abi_init(qn_cg_abi *abi, LLVMContextRef llvm) {
  LLVMTypeRef p = LLVMPointerTypeInContext(llvm, 0);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm), i64 = LLVMInt64TypeInContext(llvm);
  LLVMTypeRef f64 = LLVMDoubleTypeInContext(llvm), none = LLVMVoidTypeInContext(llvm);
  LLVMTypeRef dims = LLVMArrayType2(i64, QN_ABI_MAX_RANK);
  LLVMTypeRef sizes = LLVMArrayType2(i32, QN_ABI_MAX_RANK);
  LLVMTypeRef tensor[] = {p, i32, i32, dims, sizes, i64, f64, i64, i64, i64};
  LLVMTypeRef size[] = {p, i64};
  LLVMTypeRef call[] = {p, p, p, p, p, p, p, p, p};
  LLVMTypeRef probe[] = {i64, i64, i64, i64, i64};
  LLVMTypeRef step[] = {p, i64, i64};
  LLVMTypeRef loop[] = {p, i64};
  LLVMTypeRef model[] = {i32, i32, i32, i32, i32, i32, i32, i32, p, p, p,
                         p,   p,   p,   p,   i64, i64, p,   p,   p, p, p};
  abi->tensor = make_struct(llvm, "qn_abi_tensor", tensor, QN_COUNT(tensor));
  abi->size = make_struct(llvm, "qn_abi_size", size, QN_COUNT(size));
  abi->call = make_struct(llvm, "qn_abi_call", call, QN_COUNT(call));
  abi->probe = make_struct(llvm, "qn_abi_probe", probe, QN_COUNT(probe));
  abi->loop = make_struct(llvm, "qn_abi_loop", loop, QN_COUNT(loop));
  abi->step = make_struct(llvm, "qn_abi_step", step, QN_COUNT(step));
  abi->model = make_struct(llvm, "qn_abi_model", model, QN_COUNT(model));
  abi->kernel = LLVMFunctionType(none, (LLVMTypeRef[]){p, i64, i64}, 3, 0);
  abi->invoke = LLVMFunctionType(i32, (LLVMTypeRef[]){p}, 1, 0);
  abi->reset = LLVMFunctionType(none, (LLVMTypeRef[]){p}, 1, 0);
  abi->supported = LLVMFunctionType(i32, NULL, 0, 0);
  abi->parallel_for = LLVMFunctionType(none, (LLVMTypeRef[]){p, p, p, i64}, 4, 0);
  abi->step_fn = LLVMFunctionType(none, (LLVMTypeRef[]){p, i64}, 2, 0);
}

#define AT(type, field) offsetof(qn_abi_##type, field)
static const size_t tensor_offsets[] = {
    AT(tensor, name),  AT(tensor, dtype), AT(tensor, rank),  AT(tensor, dims),
    AT(tensor, sizes), AT(tensor, bytes), AT(tensor, scale), AT(tensor, zero_point),
    AT(tensor, index), AT(tensor, offset)};
static const size_t size_offsets[] = {AT(size, name), AT(size, bound)};
static const size_t call_offsets[] = {
    [QN_CALL_INPUTS] = AT(call, inputs), [QN_CALL_OUTPUTS] = AT(call, outputs),
    [QN_CALL_ARENA] = AT(call, arena),   [QN_CALL_STATES] = AT(call, states),
    [QN_CALL_SIZES] = AT(call, sizes),   [QN_CALL_PARALLEL_FOR] = AT(call, parallel_for),
    [QN_CALL_POOL] = AT(call, pool),     [QN_CALL_STEP] = AT(call, step),
    [QN_CALL_USER] = AT(call, user)};
static const size_t probe_offsets[] = {AT(probe, index), AT(probe, offset), AT(probe, bytes),
                                       AT(probe, output), AT(probe, size)};
static const size_t loop_offsets[] = {AT(loop, name), AT(loop, limit)};
static const size_t step_offsets[] = {AT(step, name), AT(step, macs), AT(step, bytes)};
static const size_t model_offsets[] = {
    AT(model, version),     AT(model, input_count), AT(model, output_count), AT(model, state_count),
    AT(model, size_count),  AT(model, probe_count), AT(model, step_count),   AT(model, loop_count),
    AT(model, inputs),      AT(model, outputs),     AT(model, states),       AT(model, sizes),
    AT(model, probes),      AT(model, steps),       AT(model, loops),        AT(model, arena_bytes),
    AT(model, state_bytes), AT(model, invoke),      AT(model, reset),        AT(model, supported),
    AT(model, target),      AT(model, numerics)};
#undef AT

#define LAYOUT(type)                                                                               \
  {                                                                                                \
#type, offsetof(qn_cg_abi, type), sizeof(qn_abi_##type), type##_offsets,                       \
        QN_COUNT(type##_offsets)                                                                   \
  }
static const qn_cg_abi_layout layouts[] = {LAYOUT(tensor), LAYOUT(size), LAYOUT(call),
                                           LAYOUT(probe),  LAYOUT(step), LAYOUT(loop),
                                           LAYOUT(model)};
#undef LAYOUT

const qn_cg_abi_layout *qn_cg_abi_layouts(unsigned *out_count) {
  *out_count = QN_COUNT(layouts);
  return layouts;
}
