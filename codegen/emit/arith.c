/* The arith dialect and the integer half of math: mostly one instruction each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "codegen/emit/emit.h"
#include "codegen/machine/machine.h"
#include "ir/builder.h"

/* Ops with two operands and one builder call. */
#define BINARY(stem, build)                                                                        \
  void qn_emit_##stem(qn_cg *cg, const qn_op *op) {                                                \
    e_set(cg, op, build(cg->b, e_operand(cg, op, 0), e_operand(cg, op, 1), ""));                   \
  }
BINARY(arith_addi, LLVMBuildAdd)
BINARY(arith_subi, LLVMBuildSub)
BINARY(arith_muli, LLVMBuildMul)
BINARY(arith_divsi, LLVMBuildSDiv)
BINARY(arith_divui, LLVMBuildUDiv)
BINARY(arith_remsi, LLVMBuildSRem)
BINARY(arith_remui, LLVMBuildURem)
BINARY(arith_andi, LLVMBuildAnd)
BINARY(arith_ori, LLVMBuildOr)
BINARY(arith_xori, LLVMBuildXor)
BINARY(arith_shli, LLVMBuildShl)
BINARY(arith_shrsi, LLVMBuildAShr)
BINARY(arith_shrui, LLVMBuildLShr)
#undef BINARY

#define FLOAT_BINARY(stem, build)                                                                  \
  void qn_emit_##stem(qn_cg *cg, const qn_op *op) {                                                \
    LLVMValueRef a = e_float_operand(cg, op, 0), b = e_float_operand(cg, op, 1);                   \
    e_set_float(cg, op, build(cg->b, a, b, ""));                                                   \
  }
FLOAT_BINARY(arith_addf, LLVMBuildFAdd)
FLOAT_BINARY(arith_subf, LLVMBuildFSub)
FLOAT_BINARY(arith_mulf, LLVMBuildFMul)
FLOAT_BINARY(arith_divf, LLVMBuildFDiv)
#undef FLOAT_BINARY

/* Ops with two operands and one generic intrinsic that is overloaded on their type. */
#define INTRINSIC(stem, name)                                                                      \
  void qn_emit_##stem(qn_cg *cg, const qn_op *op) {                                                \
    LLVMValueRef args[] = {e_operand(cg, op, 0), e_operand(cg, op, 1)};                            \
    e_set(cg, op, e_generic(cg, name, e_result_type(cg, op), args, 2));                            \
  }
INTRINSIC(arith_maxsi, "llvm.smax")
INTRINSIC(arith_minsi, "llvm.smin")
INTRINSIC(arith_maxui, "llvm.umax")
INTRINSIC(arith_minui, "llvm.umin")
#undef INTRINSIC

#define FLOAT_INTRINSIC(stem, name)                                                                \
  void qn_emit_##stem(qn_cg *cg, const qn_op *op) {                                                \
    LLVMValueRef args[] = {e_float_operand(cg, op, 0), e_float_operand(cg, op, 1)};                \
    e_set_float(cg, op, e_generic(cg, name, LLVMTypeOf(args[0]), args, 2));                        \
  }
FLOAT_INTRINSIC(arith_maximumf, "llvm.maximum")
FLOAT_INTRINSIC(arith_minimumf, "llvm.minimum")
#undef FLOAT_INTRINSIC

/* Whether the value is a constant whose elements are all non-zero. */
static bool is_nonzero(const qn_value *value) {
  const qn_attr *constant = qn_value_constant(value);
  if (!constant) return false;
  if (constant->kind == QN_ATTR_FLOAT) return constant->number != 0 && !isnan(constant->number);
  if (!qn_attr_is_elements(constant)) return false;
  for (int64_t i = 0, count = constant->dense.splat ? 1 : qn_type_elements(constant->type);
       i < count; i++) {
    double x = qn_dense_float(constant, i);
    if (x == 0 || isnan(x)) return false;
  }
  return true;
}

/* Emits arith.maxnumf or arith.minnumf. LLVM's intrinsic `number` may return either of two zeros,
 * which does not matter if one operand is a non-zero constant: then it is a single instruction.
 * Otherwise `any`, which orders zeros, and a selection for NaN operands. */
static void choose_number(qn_cg *cg, const qn_op *op, const char *number, const char *any) {
  LLVMValueRef args[] = {e_float_operand(cg, op, 0), e_float_operand(cg, op, 1)};
  LLVMTypeRef type = LLVMTypeOf(args[0]);
  if (is_nonzero(qn_op_operand(op, 0)) || is_nonzero(qn_op_operand(op, 1))) {
    e_set_float(cg, op, e_generic(cg, number, type, args, 2));
    return;
  }
  LLVMValueRef chosen = e_generic(cg, any, type, args, 2);
  LLVMValueRef first_is_nan = LLVMBuildFCmp(cg->b, LLVMRealUNO, args[0], args[0], "");
  LLVMValueRef second_is_nan = LLVMBuildFCmp(cg->b, LLVMRealUNO, args[1], args[1], "");
  chosen = LLVMBuildSelect(cg->b, second_is_nan, args[0], chosen, "");
  e_set_float(cg, op, LLVMBuildSelect(cg->b, first_is_nan, args[1], chosen, ""));
}
void qn_emit_arith_maxnumf(qn_cg *cg, const qn_op *op) {
  choose_number(cg, op, "llvm.maxnum", "llvm.maximum");
}
void qn_emit_arith_minnumf(qn_cg *cg, const qn_op *op) {
  choose_number(cg, op, "llvm.minnum", "llvm.minimum");
}

/* Conversions that the result type determines. */
#define CONVERSION(stem, build)                                                                    \
  void qn_emit_##stem(qn_cg *cg, const qn_op *op) {                                                \
    e_set(cg, op, build(cg->b, e_operand(cg, op, 0), e_result_type(cg, op), ""));                  \
  }
CONVERSION(arith_extsi, LLVMBuildSExt)
CONVERSION(arith_extui, LLVMBuildZExt)
CONVERSION(arith_trunci, LLVMBuildTrunc)
CONVERSION(arith_bitcast, LLVMBuildBitCast)
#undef CONVERSION

#define FLOAT_TO_INT(stem, build)                                                                  \
  void qn_emit_##stem(qn_cg *cg, const qn_op *op) {                                                \
    e_set(cg, op, build(cg->b, e_float_operand(cg, op, 0), e_result_type(cg, op), ""));            \
  }
FLOAT_TO_INT(arith_fptosi, LLVMBuildFPToSI)
FLOAT_TO_INT(arith_fptoui, LLVMBuildFPToUI)
#undef FLOAT_TO_INT

#define INT_TO_FLOAT(stem, build, is_signed)                                                       \
  void qn_emit_##stem(qn_cg *cg, const qn_op *op) {                                                \
    LLVMValueRef x = e_operand(cg, op, 0);                                                         \
    if (e_is_narrow(qn_op_result(op, 0)->type))                                                    \
      e_set_float(cg, op, e_int_to_double(cg, x, is_signed));                                      \
    else                                                                                           \
      e_set(cg, op, build(cg->b, x, e_result_type(cg, op), ""));                                   \
  }
INT_TO_FLOAT(arith_sitofp, LLVMBuildSIToFP, true)
INT_TO_FLOAT(arith_uitofp, LLVMBuildUIToFP, false)
#undef INT_TO_FLOAT

void qn_emit_arith_extf(qn_cg *cg, const qn_op *op) { e_convert_float(cg, op); }
void qn_emit_arith_truncf(qn_cg *cg, const qn_op *op) { e_convert_float(cg, op); }

static void index_cast(qn_cg *cg, const qn_op *op, LLVMBool is_signed) {
  e_set(cg, op,
        LLVMBuildIntCast2(cg->b, e_operand(cg, op, 0), e_result_type(cg, op), is_signed, ""));
}
void qn_emit_arith_index_cast(qn_cg *cg, const qn_op *op) { index_cast(cg, op, 1); }
void qn_emit_arith_index_castui(qn_cg *cg, const qn_op *op) { index_cast(cg, op, 0); }

/* Truncating quotient, corrected by one if there is a remainder and the signs of divisor and
 * remainder are equal (rounding up) or different (rounding down). */
static void divide_rounded(qn_cg *cg, const qn_op *op, bool up) {
  LLVMValueRef a = e_operand(cg, op, 0), b = e_operand(cg, op, 1);
  LLVMTypeRef type = LLVMTypeOf(a);
  LLVMValueRef zero = e_int(type, 0);
  LLVMValueRef quotient = LLVMBuildSDiv(cg->b, a, b, "");
  LLVMValueRef rest = LLVMBuildSub(cg->b, a, LLVMBuildMul(cg->b, quotient, b, ""), "");
  LLVMValueRef inexact = LLVMBuildICmp(cg->b, LLVMIntNE, rest, zero, "");
  LLVMValueRef signs = LLVMBuildXor(cg->b, rest, b, "");
  LLVMValueRef matches = LLVMBuildICmp(cg->b, up ? LLVMIntSGE : LLVMIntSLT, signs, zero, "");
  LLVMValueRef moved = LLVMBuildAdd(cg->b, quotient, e_int(type, up ? 1 : -1), "");
  LLVMValueRef moves = LLVMBuildAnd(cg->b, inexact, matches, "");
  e_set(cg, op, LLVMBuildSelect(cg->b, moves, moved, quotient, ""));
}
void qn_emit_arith_floordivsi(qn_cg *cg, const qn_op *op) { divide_rounded(cg, op, false); }
void qn_emit_arith_ceildivsi(qn_cg *cg, const qn_op *op) { divide_rounded(cg, op, true); }

void qn_emit_arith_negf(qn_cg *cg, const qn_op *op) {
  LLVMValueRef x = e_operand(cg, op, 0);
  bool narrow = e_is_narrow(qn_op_result(op, 0)->type);
  e_set(cg, op,
        narrow ? LLVMBuildXor(cg->b, x, e_int(LLVMTypeOf(x), 0x8000), "")
               : LLVMBuildFNeg(cg->b, x, ""));
}

/* A float constant in every lane of LLVM type `result`, which represents IR type `type`. */
static LLVMValueRef number(LLVMTypeRef result, const qn_type *type, double value) {
  return e_is_narrow(type) ? e_narrow_constant(result, type, value) : e_float(result, value);
}

static LLVMValueRef lane(LLVMTypeRef type, const qn_attr *dense, int64_t i) {
  if (qn_type_element(dense->type)->kind != QN_TYPE_FLOAT)
    return e_int(type, qn_dense_int(dense, i));
  return number(type, dense->type, qn_dense_float(dense, i));
}

static LLVMValueRef constant_of(const qn_cg *cg, const qn_attr *value, const qn_type *type) {
  LLVMTypeRef result = qn_cg_type(cg, type);
  if (value->kind == QN_ATTR_BOOL) return e_int(result, value->boolean);
  if (value->kind == QN_ATTR_INTEGER) return e_int(result, value->integer);
  if (value->kind == QN_ATTR_FLOAT) return number(result, type, value->number);
  LLVMValueRef lanes[QN_CODEGEN_MAX_LANES];
  unsigned count = e_lanes(result);
  for (unsigned i = 0; i < count; i++)
    lanes[i] = lane(e_scalar(result), value, value->dense.splat ? 0 : (int64_t)i);
  return LLVMConstVector(lanes, count);
}

void qn_emit_arith_constant(qn_cg *cg, const qn_op *op) {
  e_set(cg, op, constant_of(cg, qn_op_find(op, QN_A_VALUE), qn_op_result(op, 0)->type));
}

/* Indexed by MLIR's predicate numbers. */
static const LLVMIntPredicate int_predicates[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSLT, LLVMIntSLE,
                                                  LLVMIntSGT, LLVMIntSGE, LLVMIntULT, LLVMIntULE,
                                                  LLVMIntUGT, LLVMIntUGE};
static const LLVMRealPredicate float_predicates[] = {LLVMRealPredicateFalse,
                                                     LLVMRealOEQ,
                                                     LLVMRealOGT,
                                                     LLVMRealOGE,
                                                     LLVMRealOLT,
                                                     LLVMRealOLE,
                                                     LLVMRealONE,
                                                     LLVMRealORD,
                                                     LLVMRealUEQ,
                                                     LLVMRealUGT,
                                                     LLVMRealUGE,
                                                     LLVMRealULT,
                                                     LLVMRealULE,
                                                     LLVMRealUNE,
                                                     LLVMRealUNO,
                                                     LLVMRealPredicateTrue};

void qn_emit_arith_cmpi(qn_cg *cg, const qn_op *op) {
  QN_ASSERT((size_t)qn_op_predicate(op) < QN_COUNT(int_predicates));
  LLVMIntPredicate predicate = int_predicates[qn_op_predicate(op)];
  e_set(cg, op, LLVMBuildICmp(cg->b, predicate, e_operand(cg, op, 0), e_operand(cg, op, 1), ""));
}

void qn_emit_arith_cmpf(qn_cg *cg, const qn_op *op) {
  QN_ASSERT((size_t)qn_op_predicate(op) < QN_COUNT(float_predicates));
  LLVMRealPredicate predicate = float_predicates[qn_op_predicate(op)];
  LLVMValueRef a = e_float_operand(cg, op, 0), b = e_float_operand(cg, op, 1);
  e_set(cg, op, LLVMBuildFCmp(cg->b, predicate, a, b, ""));
}

/* Selects 32-bit lanes by a sign with shift and bit operations; NULL if there is no instruction for
 * these. A comparison into a mask register occupies the pipes that multiply on Zen 4: a vector of
 * results of a convolution takes a cycle more. LLVM would turn other operations into that. */
static LLVMValueRef select_by_sign(qn_cg *cg, const qn_op *op) {
  enum { BITS = 32, BYTES = BITS / 8 };
  const qn_op *comparison = qn_op_operand(op, 0)->op;
  if (!comparison || comparison->kind != QN_OP_ARITH_CMPI) return NULL;
  const qn_value *x = qn_op_operand(comparison, 0), *zero = qn_op_operand(comparison, 1);
  bool is_sign = qn_op_predicate(comparison) == QN_CMP_SLT && e_is_zero(zero);
  bool words = qn_type_is_int(qn_type_element(x->type), BITS) &&
               qn_type_bytes(qn_type_element(op->results[0].type)) == BYTES;
  if (!is_sign || !words) return NULL;
  LLVMValueRef lanes = e_operand(cg, comparison, 0), yes = e_operand(cg, op, 1);
  LLVMValueRef mask = LLVMBuildAShr(cg->b, lanes, e_int(LLVMTypeOf(lanes), BITS - 1), "");
  LLVMValueRef args[] = {mask, yes, e_operand(cg, op, 2)};
  return qn_cg_instruct(cg, QN_FORM_SELECT_BITS, LLVMTypeOf(yes), args, QN_COUNT(args));
}

void qn_emit_arith_select(qn_cg *cg, const qn_op *op) {
  LLVMValueRef result = select_by_sign(cg, op);
  if (!result)
    result = LLVMBuildSelect(cg->b, e_operand(cg, op, 0), e_operand(cg, op, 1),
                             e_operand(cg, op, 2), "");
  e_set(cg, op, result);
}

/* Emits an intrinsic whose flag for poison is 0: abs(INT_MIN) is INT_MIN and ctlz(0) is the width,
 * as MLIR defines. */
static void defined_everywhere(qn_cg *cg, const qn_op *op, const char *name) {
  LLVMValueRef args[] = {e_operand(cg, op, 0), LLVMConstInt(cg->i1, 0, 0)};
  e_set(cg, op, e_generic(cg, name, e_result_type(cg, op), args, 2));
}
void qn_emit_math_absi(qn_cg *cg, const qn_op *op) { defined_everywhere(cg, op, "llvm.abs"); }
void qn_emit_math_ctlz(qn_cg *cg, const qn_op *op) { defined_everywhere(cg, op, "llvm.ctlz"); }
