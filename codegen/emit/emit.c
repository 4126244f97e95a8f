/* Helpers of the emitters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"

static LLVMValueRef constant_splat(LLVMTypeRef type, LLVMValueRef scalar) {
  LLVMValueRef lanes[QN_CODEGEN_MAX_LANES];
  unsigned count = LLVMGetVectorSize(type);
  for (unsigned i = 0; i < count; i++) lanes[i] = scalar;
  return LLVMConstVector(lanes, count);
}

LLVMValueRef e_int(LLVMTypeRef type, int64_t v) {
  LLVMTypeRef element = e_scalar(type);
  unsigned width = LLVMGetIntTypeWidth(element);
  QN_ASSERT(width >= 1 && width <= 64);
  uint64_t mask = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
  LLVMValueRef scalar = LLVMConstInt(element, (uint64_t)v & mask, 0);
  return e_is_vector(type) ? constant_splat(type, scalar) : scalar;
}

LLVMValueRef e_float(LLVMTypeRef type, double v) {
  LLVMValueRef scalar = LLVMConstReal(e_scalar(type), v);
  return e_is_vector(type) ? constant_splat(type, scalar) : scalar;
}

LLVMValueRef e_shuffle(const qn_cg *cg, LLVMValueRef a, LLVMValueRef b, const int32_t *lanes,
                       unsigned count) {
  LLVMValueRef mask[QN_CODEGEN_MAX_LANES];
  QN_ASSERT(count >= 1 && count <= QN_CODEGEN_MAX_LANES);
  for (unsigned i = 0; i < count; i++)
    mask[i] = lanes[i] < 0 ? LLVMGetPoison(cg->i32) : e_i32(cg, lanes[i]);
  return LLVMBuildShuffleVector(cg->b, a, b, LLVMConstVector(mask, count), "");
}

LLVMValueRef e_lanes_of(const qn_cg *cg, LLVMValueRef a, LLVMValueRef b, unsigned first,
                        unsigned stride, unsigned count) {
  int32_t lanes[QN_CODEGEN_MAX_LANES];
  QN_ASSERT(count <= QN_CODEGEN_MAX_LANES);
  for (unsigned i = 0; i < count; i++) lanes[i] = (int32_t)(first + i * stride);
  return e_shuffle(cg, a, b, lanes, count);
}

LLVMValueRef e_splat(const qn_cg *cg, LLVMValueRef scalar, unsigned lanes) {
  QN_ASSERT(lanes >= 1 && !e_is_vector(LLVMTypeOf(scalar)));
  LLVMValueRef empty = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(scalar), lanes));
  LLVMValueRef one = LLVMBuildInsertElement(cg->b, empty, scalar, e_i64(cg, 0), "");
  return e_lanes_of(cg, one, empty, 0, 0, lanes);
}

bool e_is_sum_with_constant(LLVMValueRef index) {
  return LLVMIsAInstruction(index) && LLVMGetInstructionOpcode(index) == LLVMAdd &&
         LLVMIsAConstantInt(LLVMGetOperand(index, 1));
}

/* Adds constants last, so that addresses that differ in a constant share the rest. */
LLVMValueRef e_at(const qn_cg *cg, LLVMTypeRef element, LLVMValueRef base, LLVMValueRef index) {
  if (e_is_sum_with_constant(index)) {
    LLVMValueRef rest = LLVMGetOperand(index, 0), constant = LLVMGetOperand(index, 1);
    base = LLVMBuildGEP2(cg->b, element, base, &rest, 1, "");
    return LLVMBuildGEP2(cg->b, element, base, &constant, 1, "");
  }
  return LLVMBuildInBoundsGEP2(cg->b, element, base, &index, 1, "");
}

LLVMValueRef e_load(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef address, unsigned align) {
  QN_ASSERT(align > 0 && (align & (align - 1)) == 0);
  LLVMValueRef load = LLVMBuildLoad2(cg->b, type, address, "");
  LLVMSetAlignment(load, align);
  return load;
}

void e_store(const qn_cg *cg, LLVMValueRef value, LLVMValueRef address, unsigned align) {
  QN_ASSERT(align > 0 && (align & (align - 1)) == 0);
  LLVMSetAlignment(LLVMBuildStore(cg->b, value, address), align);
}

bool e_is_zero(const qn_value *value) {
  const qn_attr *payload = qn_value_constant(value);
  if (!payload || !qn_attr_is_elements(payload) || !payload->dense.splat) return false;
  for (size_t i = 0; i < payload->dense.bytes.size; i++)
    if (payload->dense.bytes.data[i] != 0) return false;
  return true;
}

LLVMValueRef e_generic(const qn_cg *cg, const char *name, LLVMTypeRef overload, LLVMValueRef *args,
                       unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  QN_ASSERT(id != 0);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(cg->module, id, &overload, 1);
  return LLVMBuildCall2(cg->b, LLVMGlobalGetValueType(function), function, args, count, "");
}

LLVMValueRef e_native(const qn_cg *cg, const char *name, LLVMTypeRef *overloads,
                      unsigned overload_count, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned count) {
  enum { MAX_ARGS = 6 };
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  if (id == 0) return NULL;
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(cg->module, id, overloads, overload_count);
  LLVMTypeRef type = LLVMGlobalGetValueType(function), params[MAX_ARGS];
  LLVMValueRef cast[MAX_ARGS];
  QN_ASSERT(count <= MAX_ARGS && LLVMCountParamTypes(type) == count);
  LLVMGetParamTypes(type, params);
  for (unsigned i = 0; i < count; i++) cast[i] = LLVMBuildBitCast(cg->b, args[i], params[i], "");
  LLVMValueRef call = LLVMBuildCall2(cg->b, type, function, cast, count, "");
  return LLVMBuildBitCast(cg->b, call, result, "");
}

LLVMValueRef e_clamp(const qn_cg *cg, LLVMValueRef v, int64_t lo, int64_t hi) {
  QN_ASSERT(lo <= hi);
  LLVMTypeRef type = LLVMTypeOf(v);
  LLVMValueRef low = e_generic(cg, "llvm.smax", type, (LLVMValueRef[]){v, e_int(type, lo)}, 2);
  return e_generic(cg, "llvm.smin", type, (LLVMValueRef[]){low, e_int(type, hi)}, 2);
}
