/* f16 and bf16: held as 16-bit integers, computed in f64, rounded back once.
 *
 * No instruction and no LLVM type of these formats is used but by quern.widen_half, because LLVM
 * would call a library on CPUs without them. Widening is exact. A sum, difference, product or
 * quotient rounded to p bits and then to q bits equals the result rounded once to q bits if p >= 2q
 * + 2. f64 has p = 53, f16 q = 11 and bf16 q = 8, and no f16 or bf16 value is subnormal in f64. For
 * integers and a * b + c this does not hold, so their f64 result is first rounded to odd.
 *
 * The final rounding is to nearest even. Overflow gives infinity, subnormals are kept, and a
 * computed or converted NaN becomes the positive quiet NaN without payload. So results do not
 * depend on the CPU. The interpreter computes the same (eval/ops/arith_float.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"
#include "ir/types/float_format.h"

enum { DOUBLE_BIAS = 1023, DOUBLE_MANTISSA = 52 };
static const int64_t double_infinity = INT64_C(0x7FF) << DOUBLE_MANTISSA;

/* Bit layout of a narrow format. */
typedef struct layout {
  int mantissa, bias;
  int64_t infinity, nan;
} layout;

static layout layout_of_kind(qn_float_kind kind) {
  int mantissa = (int)qn_float_format_of(kind)->mantissa;
  int bias = (1 << (14 - mantissa)) - 1;
  int64_t infinity = (INT64_C(2) * bias + 1) << mantissa;
  return (layout){mantissa, bias, infinity, infinity | INT64_C(1) << (mantissa - 1)};
}
static layout layout_of(const qn_type *type) {
  return layout_of_kind(qn_type_element(type)->float_kind);
}

/* ---- instructions with a constant ---- */

typedef LLVMValueRef build_binary(LLVMBuilderRef b, LLVMValueRef left, LLVMValueRef right,
                                  const char *name);
static LLVMValueRef with(const qn_cg *cg, build_binary *build, LLVMValueRef x, int64_t constant) {
  return build(cg->b, x, e_int(LLVMTypeOf(x), constant), "");
}

static LLVMValueRef test(const qn_cg *cg, LLVMIntPredicate predicate, LLVMValueRef x,
                         int64_t constant) {
  return LLVMBuildICmp(cg->b, predicate, x, e_int(LLVMTypeOf(x), constant), "");
}

static LLVMValueRef choose(const qn_cg *cg, LLVMValueRef condition, LLVMValueRef x,
                           LLVMValueRef otherwise) {
  return LLVMBuildSelect(cg->b, condition, x, otherwise, "");
}

static LLVMValueRef bits_of(const qn_cg *cg, LLVMValueRef x) {
  return LLVMBuildBitCast(cg->b, x, e_like(LLVMTypeOf(x), cg->i64), "");
}

static LLVMValueRef double_of(const qn_cg *cg, LLVMValueRef bits) {
  return LLVMBuildBitCast(cg->b, bits, e_like(LLVMTypeOf(bits), cg->f64), "");
}

/* ---- the two conversions ---- */

/* Moves exponent and mantissa to their positions in an f64, and corrects the exponent's bias by a
 * product with a power of two, which also normalizes subnormals. */
static LLVMValueRef widen(const qn_cg *cg, LLVMValueRef x, layout from) {
  LLVMTypeRef type = e_like(LLVMTypeOf(x), cg->i64);
  LLVMValueRef wide = LLVMBuildZExt(cg->b, x, type, "");
  LLVMValueRef magnitude = with(cg, LLVMBuildAnd, wide, 0x7FFF);
  LLVMValueRef placed = with(cg, LLVMBuildShl, magnitude, DOUBLE_MANTISSA - from.mantissa);
  LLVMValueRef factor = e_float(e_like(type, cg->f64), ldexp(1, DOUBLE_BIAS - from.bias));
  LLVMValueRef finite = bits_of(cg, LLVMBuildFMul(cg->b, double_of(cg, placed), factor, ""));
  LLVMValueRef special = with(cg, LLVMBuildOr, placed, double_infinity);
  LLVMValueRef is_special = test(cg, LLVMIntUGE, magnitude, from.infinity);
  LLVMValueRef sign = with(cg, LLVMBuildShl, with(cg, LLVMBuildAnd, wide, 0x8000), 48);
  return double_of(cg, LLVMBuildOr(cg->b, choose(cg, is_special, special, finite), sign, ""));
}

/* Bits of the nearest narrow value to an f64 that is at least the smallest normal one. */
static LLVMValueRef round_normal(const qn_cg *cg, LLVMValueRef magnitude, layout to) {
  int drop = DOUBLE_MANTISSA - to.mantissa;
  LLVMValueRef odd = with(cg, LLVMBuildAnd, with(cg, LLVMBuildLShr, magnitude, drop), 1);
  LLVMValueRef half = with(cg, LLVMBuildAdd, magnitude, (INT64_C(1) << (drop - 1)) - 1);
  LLVMValueRef kept = with(cg, LLVMBuildLShr, LLVMBuildAdd(cg->b, half, odd, ""), drop);
  int64_t bias = (int64_t)(DOUBLE_BIAS - to.bias) << to.mantissa;
  LLVMValueRef args[] = {with(cg, LLVMBuildSub, kept, bias),
                         e_int(LLVMTypeOf(magnitude), to.infinity)};
  return e_generic(cg, "llvm.umin", LLVMTypeOf(magnitude), args, 2);
}

/* As round_normal, below the smallest normal value: adding an anchor whose last place is the step
 * of subnormals rounds. */
static LLVMValueRef round_subnormal(const qn_cg *cg, LLVMValueRef magnitude, layout to) {
  int anchor = 1 - to.bias - to.mantissa + DOUBLE_MANTISSA;
  LLVMValueRef x = double_of(cg, magnitude);
  LLVMValueRef sum = LLVMBuildFAdd(cg->b, x, e_float(LLVMTypeOf(x), ldexp(1, anchor)), "");
  return with(cg, LLVMBuildSub, bits_of(cg, sum),
              (int64_t)(anchor + DOUBLE_BIAS) << DOUBLE_MANTISSA);
}

static LLVMValueRef narrow(const qn_cg *cg, LLVMValueRef x, layout to) {
  LLVMValueRef bits = bits_of(cg, x), magnitude = with(cg, LLVMBuildAnd, bits, INT64_MAX);
  int64_t least_normal = (int64_t)(1 - to.bias + DOUBLE_BIAS) << DOUBLE_MANTISSA;
  LLVMValueRef normal = round_normal(cg, magnitude, to);
  LLVMValueRef subnormal = round_subnormal(cg, magnitude, to);
  LLVMValueRef is_subnormal = test(cg, LLVMIntULT, magnitude, least_normal);
  LLVMValueRef rounded = choose(cg, is_subnormal, subnormal, normal);
  LLVMValueRef sign = with(cg, LLVMBuildAnd, with(cg, LLVMBuildLShr, bits, 48), 0x8000);
  LLVMValueRef result = LLVMBuildOr(cg->b, rounded, sign, "");
  LLVMValueRef is_nan = test(cg, LLVMIntUGT, magnitude, double_infinity);
  result = choose(cg, is_nan, e_int(LLVMTypeOf(result), to.nan), result);
  return LLVMBuildTrunc(cg->b, result, e_like(LLVMTypeOf(x), cg->i16), "");
}

/* ---- for the emitters ---- */

LLVMValueRef e_float_operand(const qn_cg *cg, const qn_op *op, uint32_t i) {
  const qn_type *type = qn_op_operand(op, i)->type;
  LLVMValueRef value = e_operand(cg, op, i);
  return e_is_narrow(type) ? widen(cg, value, layout_of(type)) : value;
}

/* f32 <-> f64. */
static LLVMValueRef resize(const qn_cg *cg, LLVMValueRef x, LLVMTypeRef element) {
  LLVMTypeRef type = e_like(LLVMTypeOf(x), element);
  if (type == LLVMTypeOf(x)) return x;
  return element == cg->f64 ? LLVMBuildFPExt(cg->b, x, type, "")
                            : LLVMBuildFPTrunc(cg->b, x, type, "");
}

void e_set_float(qn_cg *cg, const qn_op *op, LLVMValueRef value) {
  const qn_type *type = qn_op_result(op, 0)->type;
  if (e_is_narrow(type)) value = narrow(cg, resize(cg, value, cg->f64), layout_of(type));
  e_set(cg, op, value);
}

LLVMTypeRef e_float_type(const qn_cg *cg, const qn_type *type) {
  LLVMTypeRef held = qn_cg_type(cg, type);
  return e_is_narrow(type) ? e_like(held, cg->f64) : held;
}

void e_convert_float(qn_cg *cg, const qn_op *op) {
  LLVMValueRef x = e_float_operand(cg, op, 0);
  LLVMTypeRef type = e_float_type(cg, qn_op_result(op, 0)->type);
  LLVMValueRef result = resize(cg, x, e_scalar(type));
  if (e_is_narrow(qn_op_operand(op, 0)->type)) {
    LLVMValueRef is_nan = LLVMBuildFCmp(cg->b, LLVMRealUNO, x, x, "");
    result = choose(cg, is_nan, e_float(type, NAN), result);
  }
  e_set_float(cg, op, result);
}

/* LLVM has one instruction for f16 to f32, which calls a library on CPUs without such an
 * instruction. */
void qn_emit_quern_widen_half(qn_cg *cg, const qn_op *op) {
  enum { WIDTH = 16 };
  LLVMValueRef x = e_operand(cg, op, 0);
  LLVMTypeRef result = e_result_type(cg, op);
  if (!qn_cg_has(cg, QN_FORM_WIDEN_HALF, WIDTH)) {
    e_set(cg, op, resize(cg, widen(cg, x, layout_of_kind(QN_F16)), cg->f32));
    return;
  }
  x = LLVMBuildBitCast(cg->b, x, e_like(result, LLVMHalfTypeInContext(cg->llvm)), "");
  e_set(cg, op, LLVMBuildFPExt(cg->b, x, result, ""));
}

LLVMValueRef e_narrow_constant(LLVMTypeRef type, const qn_type *narrow_type, double value) {
  QN_ASSERT(e_is_narrow(narrow_type));
  return e_int(type, (int64_t)qn_float_encode(qn_type_element(narrow_type)->float_kind, value));
}

/* ---- rounding to odd ---- */

/* x| with the bits below the last of 53 collected in that bit (sticky bit). */
static LLVMValueRef odd_magnitude(const qn_cg *cg, LLVMValueRef x) {
  LLVMTypeRef type = LLVMTypeOf(x);
  LLVMValueRef rest = test(cg, LLVMIntNE, with(cg, LLVMBuildAnd, x, 2047), 0);
  LLVMValueRef kept = with(cg, LLVMBuildLShr, x, 11);
  kept = LLVMBuildOr(cg->b, kept, LLVMBuildZExt(cg->b, rest, type, ""), "");
  LLVMValueRef fits = test(cg, LLVMIntEQ, with(cg, LLVMBuildLShr, x, 53), 0);
  return choose(cg, fits, x, with(cg, LLVMBuildShl, kept, 11));
}

LLVMValueRef e_int_to_double(const qn_cg *cg, LLVMValueRef x, bool is_signed) {
  LLVMTypeRef type = LLVMTypeOf(x), wide = e_like(type, cg->i64), result = e_like(type, cg->f64);
  if (LLVMGetIntTypeWidth(e_scalar(type)) <= 53)
    return is_signed ? LLVMBuildSIToFP(cg->b, x, result, "")
                     : LLVMBuildUIToFP(cg->b, x, result, "");
  x = LLVMBuildIntCast2(cg->b, x, wide, is_signed, "");
  LLVMValueRef negative = test(cg, LLVMIntSLT, x, 0);
  LLVMValueRef magnitude = is_signed ? choose(cg, negative, LLVMBuildNeg(cg->b, x, ""), x) : x;
  LLVMValueRef value = LLVMBuildUIToFP(cg->b, odd_magnitude(cg, magnitude), result, "");
  return is_signed ? choose(cg, negative, LLVMBuildFNeg(cg->b, value, ""), value) : value;
}

LLVMValueRef e_narrow_fma(const qn_cg *cg, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
  LLVMValueRef product = LLVMBuildFMul(cg->b, a, b, ""); /* exact */
  LLVMValueRef sum = LLVMBuildFAdd(cg->b, product, c, "");
  LLVMValueRef part = LLVMBuildFSub(cg->b, sum, product, "");
  LLVMValueRef lost = LLVMBuildFSub(cg->b, product, LLVMBuildFSub(cg->b, sum, part, ""), "");
  LLVMValueRef error = LLVMBuildFAdd(cg->b, lost, LLVMBuildFSub(cg->b, c, part, ""), "");
  LLVMValueRef bits = bits_of(cg, sum), zero = e_float(LLVMTypeOf(sum), 0);
  /* False for NaN and infinities, whose error is NaN. */
  LLVMValueRef inexact = LLVMBuildFCmp(cg->b, LLVMRealONE, error, zero, "");
  LLVMValueRef even = test(cg, LLVMIntEQ, with(cg, LLVMBuildAnd, bits, 1), 0);
  LLVMValueRef signs = LLVMBuildXor(cg->b, bits, bits_of(cg, error), "");
  LLVMValueRef grows = test(cg, LLVMIntSGE, signs, 0);
  LLVMValueRef less = with(cg, LLVMBuildSub, bits, 1), more = with(cg, LLVMBuildAdd, bits, 1);
  LLVMValueRef moved = choose(cg, grows, more, less);
  LLVMValueRef moves = LLVMBuildAnd(cg->b, inexact, even, "");
  return double_of(cg, choose(cg, moves, moved, bits));
}
