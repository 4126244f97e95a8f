/* The structs of codegen/layout.h as LLVM types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/abi.h"

#include "base/check.h"

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

LLVMTypeRef *qn_cg_abi_type(qn_cg_abi *abi, qn_cg_abi_struct_id id) {
  LLVMTypeRef *const types[QN_ABI_STRUCT_COUNT] = {&abi->tensor, &abi->size,          &abi->call,
                                                   &abi->probe,  &abi->step,          &abi->loop,
                                                   &abi->model,  &abi->prepared_model};
  return types[id];
}

void qn_cg_abi_init(qn_cg_abi *abi, LLVMContextRef llvm, LLVMTypeRef index) {
  LLVMTypeRef p = LLVMPointerTypeInContext(llvm, 0);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(llvm), none = LLVMVoidTypeInContext(llvm);
  unsigned count;
  const qn_cg_abi_struct *structs = qn_cg_abi_structs(&count);
  for (unsigned i = 0; i < count; i++) *qn_cg_abi_type(abi, i) = make_struct(llvm, &structs[i]);
  abi->kernel = LLVMFunctionType(none, (LLVMTypeRef[]){p, index, index}, 3, 0);
  abi->invoke = LLVMFunctionType(i32, (LLVMTypeRef[]){p}, 1, 0);
  abi->reset = LLVMFunctionType(none, (LLVMTypeRef[]){p}, 1, 0);
  abi->prepare = LLVMFunctionType(none, (LLVMTypeRef[]){p}, 1, 0);
  abi->supported = LLVMFunctionType(i32, NULL, 0, 0);
  abi->parallel_for = LLVMFunctionType(none, (LLVMTypeRef[]){p, p, p, index}, 4, 0);
  abi->step_fn = LLVMFunctionType(none, (LLVMTypeRef[]){p, index}, 2, 0);
}
