/* Helpers of the emitters, and the table that dispatches to them. Builder calls cannot fail and are
 * not checked, because check.c has rejected every op without a translation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CODEGEN_EMIT_H
#define QN_CODEGEN_EMIT_H

#include "codegen/context.h"

/* Emits one op and stores its results in the value map with e_set. */
typedef void qn_emit_fn(qn_cg *cg, const qn_op *op);
/* [op kind] one entry for every row of the op tables that may occur at the loops stage, else NULL.
 * An op without an emitter does not link. */
extern qn_emit_fn *const qn_emitters[]; /* by kind */

#define OP(stem, ...) qn_emit_fn qn_emit_##stem;
#include "ir/ops/arith.def"
#include "ir/ops/builtin.def"
#include "ir/ops/func.def"
#include "ir/ops/math.def"
#include "ir/ops/memref.def"
#include "ir/ops/quern.def"
#include "ir/ops/scf.def"
#include "ir/ops/vector.def"
#undef OP

static inline LLVMValueRef e_value(const qn_cg *cg, const qn_value *value) {
  return cg->values[value->id];
}
static inline LLVMValueRef e_operand(const qn_cg *cg, const qn_op *op, uint32_t i) {
  return e_value(cg, qn_op_operand(op, i));
}
static inline void e_set(qn_cg *cg, const qn_op *op, LLVMValueRef value) {
  cg->values[qn_op_result(op, 0)->id] = value;
}
/* LLVM type of the result. */
static inline LLVMTypeRef e_result_type(const qn_cg *cg, const qn_op *op) {
  return qn_cg_type(cg, qn_op_result(op, 0)->type);
}

/* ---- types ---- */

static inline bool e_is_vector(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}
static inline LLVMTypeRef e_scalar(LLVMTypeRef type) {
  return e_is_vector(type) ? LLVMGetElementType(type) : type;
}
/* Lanes of a vector; 1 of a scalar. */
static inline unsigned e_lanes(LLVMTypeRef type) {
  return e_is_vector(type) ? LLVMGetVectorSize(type) : 1;
}
/* A vector with the lanes of `shape` and another element; a scalar stays scalar. */
static inline LLVMTypeRef e_like(LLVMTypeRef shape, LLVMTypeRef element) {
  return e_is_vector(shape) ? LLVMVectorType(element, LLVMGetVectorSize(shape)) : element;
}
static inline bool e_is_double(LLVMTypeRef type) {
  return LLVMGetTypeKind(e_scalar(type)) == LLVMDoubleTypeKind;
}

/* ---- constants ---- */

static inline LLVMValueRef e_i32(const qn_cg *cg, int32_t v) {
  return LLVMConstInt(cg->i32, (uint32_t)v, 0);
}
static inline LLVMValueRef e_i64(const qn_cg *cg, int64_t v) {
  return LLVMConstInt(cg->i64, (uint64_t)v, 0);
}
static inline LLVMValueRef e_index(const qn_cg *cg, int64_t v) {
  return LLVMConstInt(cg->index, (uint64_t)v, 1);
}
/* An integer or float constant in every lane of `type`; integers are truncated to its width. */
LLVMValueRef e_int(LLVMTypeRef type, int64_t v);
LLVMValueRef e_float(LLVMTypeRef type, double v);

/* ---- floats ---- */

/* f16 and bf16 are represented as 16-bit integers and computed in f64 (narrow.c); f32 and f64 are
 * native. Returns float operand i, widened if narrow; and sets the result from such a value. */
LLVMValueRef e_float_operand(const qn_cg *cg, const qn_op *op, uint32_t i);
void e_set_float(qn_cg *cg, const qn_op *op, LLVMValueRef value);
/* Whether elements are f16 or bf16. */
static inline bool e_is_narrow(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  return qn_type_is_float(element, QN_F16) || qn_type_is_float(element, QN_BF16);
}
/* The type that computes with elements of a float type. */
LLVMTypeRef e_float_type(const qn_cg *cg, const qn_type *type);
/* Emits arith.extf or arith.truncf. */
void e_convert_float(qn_cg *cg, const qn_op *op);
/* A constant of a narrow float type in every lane of `type`. */
LLVMValueRef e_narrow_constant(LLVMTypeRef type, const qn_type *narrow_type, double value);
/* An integer, and a * b + c of widened operands, as an f64 whose rounding to a narrow type is
 * correct. */
LLVMValueRef e_int_to_double(const qn_cg *cg, LLVMValueRef x, bool is_signed);
LLVMValueRef e_narrow_fma(const qn_cg *cg, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c);

/* ---- instructions ---- */

/* Whether the value is a constant of zeros. */
bool e_is_zero(const qn_value *value);
/* Lanes first, first + stride, ... of the concatenation of a and b. */
LLVMValueRef e_lanes_of(const qn_cg *cg, LLVMValueRef a, LLVMValueRef b, unsigned first,
                        unsigned stride, unsigned count);
LLVMValueRef e_shuffle(const qn_cg *cg, LLVMValueRef a, LLVMValueRef b, const int32_t *lanes,
                       unsigned count);
LLVMValueRef e_splat(const qn_cg *cg, LLVMValueRef scalar, unsigned lanes);
/* Whether the index is the sum of an instruction's result, its first operand, and a constant. */
bool e_is_sum_with_constant(LLVMValueRef index);
/* Address of element `index` (in units of `element`). */
LLVMValueRef e_at(const qn_cg *cg, LLVMTypeRef element, LLVMValueRef base, LLVMValueRef index);
LLVMValueRef e_load(const qn_cg *cg, LLVMTypeRef type, LLVMValueRef address, unsigned align);
void e_store(const qn_cg *cg, LLVMValueRef value, LLVMValueRef address, unsigned align);
/* Calls an overloaded generic intrinsic ("llvm.smax") for one type. */
LLVMValueRef e_generic(const qn_cg *cg, const char *name, LLVMTypeRef overload, LLVMValueRef *args,
                       unsigned count);
/* Calls a target intrinsic with the given overload types. Bitcasts arguments to the types of its
 * declaration, and the result to `result`. NULL if this LLVM does not have it. */
LLVMValueRef e_native(const qn_cg *cg, const char *name, LLVMTypeRef *overloads,
                      unsigned overload_count, LLVMTypeRef result, LLVMValueRef *args,
                      unsigned count);
/* Rounds to the nearest integer, ties to even (round.c). */
LLVMValueRef e_round_even(const qn_cg *cg, LLVMValueRef x);
/* max(lo, min(hi, v)), signed. */
LLVMValueRef e_clamp(const qn_cg *cg, LLVMValueRef v, int64_t lo, int64_t hi);

/* An empty block at the end of the function that is filled. */
static inline LLVMBasicBlockRef e_block(const qn_cg *cg, const char *name) {
  return LLVMAppendBasicBlockInContext(cg->llvm, cg->function, name);
}

/* ---- SYMBOL_invoke ---- */

/* A field of the qn_abi_call to which `call` points (helpers.c). */
LLVMValueRef e_call_field(const qn_cg *cg, LLVMValueRef call, unsigned field);
/* Calls the caller's `step` callback, if there is one, with step k. */
void e_tell(const qn_cg *cg, int64_t k);
/* Calls the `step` callback for the end of the last step, and returns 0 from the function. */
void e_end_invoke(const qn_cg *cg);
/* From here on, counts the iterations of all loops of @main, the function `op`. */
void e_count_rounds(qn_cg *cg, const qn_op *op);

#endif
