/* ml.reexpress (requantize to another type). Constants are rewritten at compile time, for any
 * scheme and width. 8-bit tensors with one scale each become a table of all 256 results. Wider
 * tensors are computed in f64 if that rounds every value like the exact quotient.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>

#include "ir/cast_form/cast_form.h"
#include "ir/generic.h"
#include "lower/integer/integer.h"

static qn_status fail(qn_integer *in, const qn_op *op, const char *problem) {
  return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED, "'%.*s' has no integer form: %s",
                  QN_STR_ARG(op->name), problem);
}

static qn_value *constant_before(qn_integer *in, qn_op *op, const qn_attr *value,
                                 const qn_type *type) {
  qn_builder b = qn_builder_before(in->module, op);
  return qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_status lower_constant(qn_integer *in, qn_op *op, const qn_attr *value) {
  const qn_attr *result;
  int64_t element;
  const char *problem =
      qn_reexpress_constant(in->cx, in->scratch, value, qn_reexpression_of(op), &result, &element);
  if (problem)
    return qn_error(&in->cx->diag, op->loc, QN_INVALID, "'%.*s' op %s: element %lld",
                    QN_STR_ARG(op->name), problem, (long long)element);
  qn_integer_replace(in, op, constant_before(in, op, result, qn_op_result(op, 0)->type));
  return QN_OK;
}

/* ---- wide tensors ---- */

/* x = *mantissa * 2^exponent with an odd mantissa. */
static int odd_parts(double x, double *mantissa) {
  int exponent;
  *mantissa = ldexp(frexp(x, &exponent), 53);
  for (exponent -= 53; fmod(*mantissa, 2) == 0; exponent++) *mantissa /= 2;
  return exponent;
}

static double furthest(double zero_point, double lo, double hi) {
  return fmax(fabs(lo - zero_point), fabs(hi - zero_point));
}

/* Whether round(f64(n) * a / b) equals the rounding of the exact quotient for all stored values.
 * The product must be exact. A quotient that is not a multiple of 1/2 differs from every such
 * multiple by at least 1 / (2 d), where d is its denominator; this must exceed the error of the
 * division. Outside the range of results the rounding does not matter. */
static bool f64_decides(const qn_quant_uniform *from, const qn_quant_uniform *to) {
  double a, b, from_zero = (double)from->zero_points[0], to_zero = (double)to->zero_points[0];
  int exponent_a = odd_parts(from->scales[0], &a), exponent_b = odd_parts(to->scales[0], &b);
  double bits = 8 * qn_type_bytes(from->storage);
  double lo = from->is_signed ? -exp2(bits - 1) : 0;
  double hi = exp2(from->is_signed ? bits - 1 : bits);
  double n = furthest(from_zero, lo, hi),
         result = furthest(to_zero, (double)to->min, (double)to->max);
  double denominator = exponent_b > exponent_a ? ldexp(b, exponent_b - exponent_a) : b;
  bool normal = abs(exponent_a) < 400 && abs(exponent_b) < 400;
  return normal && n * a < 0x1p53 && 2 * denominator * (result + 1) < 0x1p53;
}

static const char *wide_problem(const qn_op *op, const qn_reexpression *r) {
  const qn_type *type = r->from;
  const qn_quant_uniform *from = qn_type_quant(type), *to = qn_type_quant(r->to);
  if (!from || !to || from->scheme != QN_PER_LAYER || to->scheme != QN_PER_LAYER)
    return "the input or the result has more than one scale";
  if (from->storage->integer.width > 32 || to->storage->integer.width > 32)
    return "the input or the result is stored in more than 32 bits";
  if (!type->shaped.ranked || qn_type_elements(type) < 0 ||
      type->shaped.rank > QN_GENERIC_MAX_LOOPS)
    return "the shape is not static";
  if (!r->exact && qn_op_overflow(op) == QN_OVERFLOW_ERROR)
    return "integers can't report what the result can't hold";
  if (!f64_decides(from, to)) return "f64 does not decide all roundings for these scales";
  return NULL;
}

static qn_value *float_op(qn_builder *b, qn_op_kind kind, qn_value *x, double constant) {
  return qn_build_binary(b, kind, x, qn_build_float(b, constant, x->type));
}

/* One element: clamp(round((x - zx) * a / b) + zy). */
static qn_value *reexpress_element(qn_builder *b, const qn_reexpression *r, qn_value *x,
                                   const qn_type *stored) {
  const qn_quant_uniform *from = qn_type_quant(r->from), *to = qn_type_quant(r->to);
  const qn_type *i64 = qn_type_i(b->cx, 64), *f64 = qn_type_float(b->cx, QN_F64);
  x = qn_build_unary(b, from->is_signed ? QN_OP_ARITH_EXTSI : QN_OP_ARITH_EXTUI, x, i64);
  x = qn_build_binary(b, QN_OP_ARITH_SUBI, x, qn_build_int(b, from->zero_points[0], i64));
  x = qn_build_unary(b, QN_OP_ARITH_SITOFP, x, f64);
  x = float_op(b, QN_OP_ARITH_MULF, x, from->scales[0]);
  x = float_op(b, QN_OP_ARITH_DIVF, x, to->scales[0]);
  x = qn_build_unary(b, qn_rounding_op(r->rounding), x, f64);
  x = float_op(b, QN_OP_ARITH_ADDF, x, (double)to->zero_points[0]);
  x = float_op(b, QN_OP_ARITH_MAXIMUMF, x, (double)to->min);
  x = float_op(b, QN_OP_ARITH_MINIMUMF, x, (double)to->max);
  return qn_build_unary(b, QN_OP_ARITH_TRUNCI, qn_build_unary(b, QN_OP_ARITH_FPTOSI, x, i64),
                        stored);
}

static const qn_type *stored_as(const qn_integer *in, const qn_type *quantized) {
  uint32_t width = 8 * qn_type_bytes(qn_type_quant(quantized)->storage);
  return qn_type_with_element(in->cx, quantized, qn_type_i(in->cx, width));
}

static qn_status lower_wide(qn_integer *in, qn_op *op, const qn_reexpression *r) {
  const char *problem = wide_problem(op, r);
  if (problem) return fail(in, op, problem);
  qn_builder b = qn_builder_before(in->module, op);
  qn_value *x = qn_build_unary(&b, QN_OP_QUANT_SCAST, qn_op_operand(op, 0), stored_as(in, r->from));
  const qn_type *stored = stored_as(in, r->to);
  uint32_t rank = stored->shaped.rank;
  const qn_attr *map = qn_generic_identity(in->cx, rank);
  qn_value *empty = qn_build_1(&b, QN_OP_TENSOR_EMPTY, stored, NULL, 0, NULL);
  qn_op *generic = qn_generic_open(
      &b,
      &(qn_generic){.operands = {x, empty}, .maps = {map, map}, .operand_count = 2, .loops = rank});
  qn_value *element = qn_op_body(generic)->args[0];
  qn_value *y =
      qn_generic_close(&b, generic, reexpress_element(&b, r, element, qn_type_element(stored)));
  qn_integer_replace(in, op, qn_build_unary(&b, QN_OP_QUANT_SCAST, y, r->to));
  return QN_OK;
}

/* ---- the op ---- */

static bool is_bytewise(const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  return q && q->storage->integer.width == 8 && q->scheme == QN_PER_LAYER;
}

qn_status qn_integer_ml_reexpress(qn_integer *in, qn_op *op) {
  const qn_attr *value = qn_value_constant(qn_op_operand(op, 0));
  if (value) return lower_constant(in, op, value);
  qn_reexpression wide = qn_reexpression_of(op);
  if (!is_bytewise(wide.from) || !is_bytewise(wide.to)) return lower_wide(in, op, &wide);
  const qn_quant_uniform *x = qn_type_quant(wide.from);
  qn_reexpression r = qn_reexpression_of(op);
  uint8_t table[256] = {0};
  for (int byte = 0; byte < 256; byte++) {
    int64_t stored = x->is_signed ? (int8_t)byte : byte, result;
    const char *problem = qn_reexpression_next(&r, stored, &result);
    bool possible = stored >= x->min && stored <= x->max;
    if (problem && possible) return fail(in, op, "a table can't report what the result can't hold");
    table[byte] = (uint8_t)result;
  }
  qn_builder b = qn_builder_before(in->module, op);
  qn_integer_replace(in, op,
                     qn_plan_lut(&b, qn_op_operand(op, 0), table, qn_op_result(op, 0)->type));
  return QN_OK;
}
