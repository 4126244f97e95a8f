/* The float half of math: fused multiply-add and rounding to integers.
 *
 * If a level has no instruction for rounding, LLVM might call the C library, which generated code
 * must not need. For such levels, rounding is built from exact operations:
 *   roundeven: (|x| + 2^23) - 2^23 for |x| < 2^23 (2^52 for f64), with the sign of x
 *   floor: roundeven(x), minus 1 if that is above x;  ceil(x) = -floor(-x)
 *   trunc: floor(|x|) with the sign of x
 *
 * NaN, infinities and integers are returned unchanged.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "codegen/emit/emit.h"

static LLVMValueRef unary(const qn_cg *cg, const char *name, LLVMValueRef x) {
  return e_generic(cg, name, LLVMTypeOf(x), &x, 1);
}

static LLVMValueRef with_sign(const qn_cg *cg, LLVMValueRef magnitude, LLVMValueRef sign) {
  return e_generic(cg, "llvm.copysign", LLVMTypeOf(sign), (LLVMValueRef[]){magnitude, sign}, 2);
}

static bool has_rounding(const qn_cg *cg) { return cg->level->rounding; }

LLVMValueRef e_round_even(const qn_cg *cg, LLVMValueRef x) {
  if (has_rounding(cg)) return unary(cg, "llvm.roundeven", x);
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef magic = e_float(type, e_is_double(type) ? 0x1p52 : 0x1p23);
  LLVMValueRef magnitude = unary(cg, "llvm.fabs", x);
  LLVMValueRef sum = LLVMBuildFAdd(cg->b, magnitude, magic, "");
  LLVMValueRef rounded = with_sign(cg, LLVMBuildFSub(cg->b, sum, magic, ""), x);
  LLVMValueRef small = LLVMBuildFCmp(cg->b, LLVMRealOLT, magnitude, magic, "");
  return LLVMBuildSelect(cg->b, small, rounded, x, "");
}

static LLVMValueRef round_down(const qn_cg *cg, LLVMValueRef x) {
  if (has_rounding(cg)) return unary(cg, "llvm.floor", x);
  LLVMValueRef rounded = e_round_even(cg, x);
  LLVMValueRef less = LLVMBuildFSub(cg->b, rounded, e_float(LLVMTypeOf(x), 1), "");
  LLVMValueRef above = LLVMBuildFCmp(cg->b, LLVMRealOGT, rounded, x, "");
  return LLVMBuildSelect(cg->b, above, less, rounded, "");
}

static LLVMValueRef round_up(const qn_cg *cg, LLVMValueRef x) {
  if (has_rounding(cg)) return unary(cg, "llvm.ceil", x);
  return LLVMBuildFNeg(cg->b, round_down(cg, LLVMBuildFNeg(cg->b, x, "")), "");
}

static LLVMValueRef round_toward_zero(const qn_cg *cg, LLVMValueRef x) {
  if (has_rounding(cg)) return unary(cg, "llvm.trunc", x);
  return with_sign(cg, round_down(cg, unary(cg, "llvm.fabs", x)), x);
}

/* Rounds half away from zero; x - trunc(x) is exact. */
static LLVMValueRef round_half_away(const qn_cg *cg, LLVMValueRef x) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef whole = round_toward_zero(cg, x);
  LLVMValueRef fraction = unary(cg, "llvm.fabs", LLVMBuildFSub(cg->b, x, whole, ""));
  LLVMValueRef away = LLVMBuildFCmp(cg->b, LLVMRealOGE, fraction, e_float(type, 0.5), "");
  LLVMValueRef next = LLVMBuildFAdd(cg->b, whole, with_sign(cg, e_float(type, 1), x), "");
  return LLVMBuildSelect(cg->b, away, next, whole, "");
}

#define UNARY(stem, function)                                                                      \
  void qn_emit_##stem(qn_cg *cg, const qn_op *op) {                                                \
    e_set_float(cg, op, function(cg, e_float_operand(cg, op, 0)));                                 \
  }
UNARY(math_roundeven, e_round_even)
UNARY(math_floor, round_down)
UNARY(math_ceil, round_up)
UNARY(math_trunc, round_toward_zero)
UNARY(math_round, round_half_away)
#undef UNARY

void qn_emit_math_absf(qn_cg *cg, const qn_op *op) {
  LLVMValueRef x = e_operand(cg, op, 0);
  bool narrow = e_is_narrow(qn_op_result(op, 0)->type);
  e_set(cg, op,
        narrow ? LLVMBuildAnd(cg->b, x, e_int(LLVMTypeOf(x), 0x7FFF), "")
               : unary(cg, "llvm.fabs", x));
}

/* f32 fused multiply-add without the instruction: in f64 the product is exact, and the sum is
 * rounded to odd, so that the conversion to f32 rounds once. check.c rejects f64. */
static LLVMValueRef fma_without_instruction(const qn_cg *cg, LLVMValueRef *args) {
  LLVMTypeRef type = LLVMTypeOf(args[0]), wide = e_like(type, cg->f64);
  for (uint32_t i = 0; i < 3; i++) args[i] = LLVMBuildFPExt(cg->b, args[i], wide, "");
  return LLVMBuildFPTrunc(cg->b, e_narrow_fma(cg, args[0], args[1], args[2]), type, "");
}

void qn_emit_math_fma(qn_cg *cg, const qn_op *op) {
  LLVMValueRef args[3];
  for (uint32_t i = 0; i < 3; i++) args[i] = e_float_operand(cg, op, i);
  if (e_is_narrow(qn_op_result(op, 0)->type))
    e_set_float(cg, op, e_narrow_fma(cg, args[0], args[1], args[2]));
  else if (!cg->level->fma)
    e_set(cg, op, fma_without_instruction(cg, args));
  else
    e_set(cg, op, e_generic(cg, "llvm.fma", e_result_type(cg, op), args, 3));
}
