/* The LLVM types of values, in registers and in memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"

static LLVMTypeRef scalar_type(const qn_cg *cg, const qn_type *type) {
  if (type->kind == QN_TYPE_INDEX) return cg->index;
  if (e_is_narrow(type)) return cg->i16;
  if (type->kind == QN_TYPE_FLOAT) return type->float_kind == QN_F64 ? cg->f64 : cg->f32;
  return LLVMIntTypeInContext(cg->llvm, type->integer.width);
}

LLVMTypeRef qn_cg_type(const qn_cg *cg, const qn_type *type) {
  if (type->kind == QN_TYPE_MEMREF) return cg->ptr;
  if (type->kind != QN_TYPE_VECTOR) return scalar_type(cg, type);
  QN_ASSERT(type->shaped.rank == 1 && type->shaped.dims[0] >= 1);
  QN_ASSERT(type->shaped.dims[0] <= QN_CODEGEN_MAX_LANES);
  return LLVMVectorType(scalar_type(cg, type->shaped.element), (unsigned)type->shaped.dims[0]);
}

LLVMTypeRef qn_cg_memory_type(const qn_cg *cg, const qn_type *type) {
  LLVMTypeRef value = qn_cg_type(cg, type);
  return e_scalar(value) == cg->i1 ? e_like(value, cg->i8) : value;
}
