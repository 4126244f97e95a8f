/* Elementary functions: the operations of quant/elementary.inc as LLVM instructions, on scalars and
 * vectors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "quant/elementary.h"

#include <math.h>

#include "codegen/emit/emit.h"

#define QN_ELEMENTARY_NAN NAN
#define QN_ELEMENTARY_INFINITY INFINITY

/* The types of f32, f64 and corresponding integers, as scalars or vectors. */
typedef struct shape {
  const qn_cg *cg;
  LLVMTypeRef f, d, i, l;
} shape;
typedef const shape *K;
typedef LLVMValueRef F, D, I, L, M;

#define BINARY(name, build)                                                                        \
  static LLVMValueRef name(K k, LLVMValueRef x, LLVMValueRef y) {                                  \
    return build(k->cg->b, x, y, "");                                                              \
  }
BINARY(f_add, LLVMBuildFAdd)
BINARY(f_sub, LLVMBuildFSub)
BINARY(f_mul, LLVMBuildFMul)
BINARY(d_add, LLVMBuildFAdd)
BINARY(d_sub, LLVMBuildFSub)
BINARY(d_mul, LLVMBuildFMul)
BINARY(d_div, LLVMBuildFDiv)
BINARY(i_add, LLVMBuildAdd)
BINARY(i_sub, LLVMBuildSub)
BINARY(i_and, LLVMBuildAnd)
BINARY(i_xor, LLVMBuildXor)
BINARY(l_add, LLVMBuildAdd)
BINARY(l_sub, LLVMBuildSub)
BINARY(l_mul, LLVMBuildMul)
BINARY(l_and, LLVMBuildAnd)
BINARY(l_or, LLVMBuildOr)
BINARY(l_xor, LLVMBuildXor)
BINARY(l_shr_by, LLVMBuildLShr)
#undef BINARY

#define COMPARISON(name, build, predicate)                                                         \
  static M name(K k, LLVMValueRef x, LLVMValueRef y) {                                             \
    return build(k->cg->b, predicate, x, y, "");                                                   \
  }
COMPARISON(f_less, LLVMBuildFCmp, LLVMRealOLT)
COMPARISON(f_equal, LLVMBuildFCmp, LLVMRealOEQ)
COMPARISON(d_less, LLVMBuildFCmp, LLVMRealOLT)
COMPARISON(d_equal, LLVMBuildFCmp, LLVMRealOEQ)
COMPARISON(i_above, LLVMBuildICmp, LLVMIntUGT)
COMPARISON(l_above, LLVMBuildICmp, LLVMIntUGT)
COMPARISON(l_equal, LLVMBuildICmp, LLVMIntEQ)
#undef COMPARISON

static M is_nan(K k, LLVMValueRef x) { return LLVMBuildFCmp(k->cg->b, LLVMRealUNO, x, x, ""); }
static M f_is_nan(K k, F x) { return is_nan(k, x); }
static M d_is_nan(K k, D x) { return is_nan(k, x); }

static LLVMValueRef choose(K k, M m, LLVMValueRef x, LLVMValueRef y) {
  return LLVMBuildSelect(k->cg->b, m, x, y, "");
}
static F f_if(K k, M m, F x, F y) { return choose(k, m, x, y); }
static D d_if(K k, M m, D x, D y) { return choose(k, m, x, y); }
static I i_if(K k, M m, I x, I y) { return choose(k, m, x, y); }
static L l_if(K k, M m, L x, L y) { return choose(k, m, x, y); }

static F f_num(K k, float x) { return e_float(k->f, (double)x); }
static D d_num(K k, double x) { return e_float(k->d, x); }
static I i_num(K k, uint32_t x) { return e_int(k->i, x); }
static L l_num(K k, uint64_t x) { return e_int(k->l, (int64_t)x); }

static F f_root(K k, F x) { return e_generic(k->cg, "llvm.sqrt", k->f, &x, 1); }
static D d_root(K k, D x) { return e_generic(k->cg, "llvm.sqrt", k->d, &x, 1); }

static I i_shl(K k, I x, int by) { return LLVMBuildShl(k->cg->b, x, i_num(k, (uint32_t)by), ""); }
static I i_sar(K k, I x, int by) { return LLVMBuildAShr(k->cg->b, x, i_num(k, (uint32_t)by), ""); }
static L l_shl(K k, L x, int by) { return LLVMBuildShl(k->cg->b, x, l_num(k, (uint64_t)by), ""); }
static L l_shr(K k, L x, int by) { return LLVMBuildLShr(k->cg->b, x, l_num(k, (uint64_t)by), ""); }

#define CONVERSION(name, build, type)                                                              \
  static LLVMValueRef name(K k, LLVMValueRef x) { return build(k->cg->b, x, k->type, ""); }
CONVERSION(d_of_f, LLVMBuildFPExt, d)
CONVERSION(f_of_d, LLVMBuildFPTrunc, f)
CONVERSION(d_of_signed, LLVMBuildSIToFP, d)
CONVERSION(f_bits, LLVMBuildBitCast, i)
CONVERSION(f_of_bits, LLVMBuildBitCast, f)
CONVERSION(d_bits, LLVMBuildBitCast, l)
CONVERSION(d_of_bits, LLVMBuildBitCast, d)
#undef CONVERSION

#include "quant/elementary.inc"

/* Functions of one or two arguments; check.c has rejected f64 where a function lacks it. */
typedef LLVMValueRef function_1(K k, LLVMValueRef x);
typedef LLVMValueRef function_2(K k, LLVMValueRef x, LLVMValueRef y);
typedef struct definition {
  function_1 *single_1, *wide_1;
  function_2 *single_2, *wide_2;
} definition;

static void emit(qn_cg *cg, const qn_op *op, const definition *d) {
  LLVMValueRef x[2] = {0}, y;
  const qn_type *type = qn_op_result(op, 0)->type;
  LLVMTypeRef held = qn_cg_type(cg, type);
  const shape k = {cg, e_like(held, cg->f32), e_like(held, cg->f64), e_like(held, cg->i32),
                   e_like(held, cg->i64)};
  bool wide = e_is_double(held), narrow = e_is_narrow(type);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    x[i] = e_float_operand(cg, op, i);
    if (narrow) x[i] = f_of_d(&k, x[i]);
  }
  if (op->operand_count == 1)
    y = (wide ? d->wide_1 : d->single_1)(&k, x[0]);
  else
    y = (wide ? d->wide_2 : d->single_2)(&k, x[0], x[1]);
  e_set_float(cg, op, y);
}

#define WIDE_0(name) NULL
#define WIDE_1(name) d_##name
#define FUNCTION(dialect, DIALECT, name, NAME, arguments, has_f64, milliulps)                      \
  void qn_emit_##dialect##_##name(qn_cg *cg, const qn_op *op) {                                    \
    static const definition d = {.single_##arguments = f_##name,                                   \
                                 .wide_##arguments = WIDE_##has_f64(name)};                        \
    emit(cg, op, &d);                                                                              \
  }
#include "quant/elementary.def"
#undef FUNCTION
