/* Rows of floats in steps of their own ranges, as the kernels of the runtimes have them
 * (docs/arithmetic.md 15). All stays in f32, in which steps are exact, but for the zero points of
 * two profiles, which are found in f64.
 *
 * Two places of a row round and convert on their own: whole blocks of 8 elements, and the rest.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>

#include "ir/float_form/fixed.h"
#include "ir/float_form/hybrid.h"

enum { OEQ = 1, OGT = 2, OGE = 3, OLT = 4, OLE = 5, UNO = 14, BLOCK = 8 };
static const double INT_END = 2147483648.0; /* beyond int32 */

typedef struct input {
  qn_form *f;
  const qn_type *f32;
  uint32_t rows;
  qn_value *low, *high; /* per row: its ends; low: NULL where magnitudes count */
  qn_value *scale, *inverse, *zero;
} input;

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *real(qn_form *f, double value, const qn_value *like) {
  return qn_build_float(f->b, value, like->type);
}
static qn_value *magnitude(qn_form *f, qn_value *x) {
  return qn_build_unary(f->b, QN_OP_MATH_ABSF, x, x->type);
}
/* Where a compares so with the number, `yes`, else `no`. */
static qn_value *where(qn_form *f, int64_t predicate, qn_value *a, double number, qn_value *yes,
                       qn_value *no) {
  qn_value *is = qn_form_compare_reals(f, predicate, a, real(f, number, a));
  return qn_build_select(f->b, is, yes, no);
}
/* x from `least` on, which a NaN becomes; and up to `most`. */
static qn_value *at_least(qn_form *f, qn_value *x, double least) {
  return where(f, OGT, x, least, x, real(f, least, x));
}
static qn_value *at_most(qn_form *f, qn_value *x, double most) {
  return where(f, OLT, x, most, x, real(f, most, x));
}

qn_value *qn_form_flushed(qn_form *f, qn_value *x) {
  return where(f, OLT, magnitude(f, x), FLT_MIN, binary(f, QN_OP_ARITH_MULF, x, real(f, 0, x)), x);
}

/* ---- ranges ---- */

qn_value *qn_form_extreme(qn_form *f, qn_op_kind kind, qn_value *x, uint32_t kept,
                          bool of_magnitudes) {
  static const int64_t one[] = {1};
  uint32_t rank = x->type->shaped.rank;
  const qn_type *element = qn_type_element(x->type);
  const qn_type *type =
      qn_type_tensor(f->cx, element, kept ? kept : 1, kept ? x->type->shaped.dims : one);
  qn_value *start = qn_form_fill_with(f, type, qn_attr_float(f->cx, 0, element));
  qn_form_access from = qn_form_whole(f, x), to = qn_form_whole(f, start);
  if (!kept) to.at[0] = qn_affine_const(f->cx, 0);
  uint64_t reduced = ((UINT64_C(1) << rank) - 1) & ~((UINT64_C(1) << kept) - 1);
  qn_op *generic = qn_form_open(f, rank, reduced, &from, 1, &to);
  qn_value *value = qn_form_element(generic, 0);
  if (of_magnitudes) value = magnitude(f, value);
  return qn_form_close(f, generic, binary(f, kind, qn_form_element(generic, 1), value));
}

/* body(low, high) of every row; of magnitudes, both are the greatest. */
typedef qn_value *row_fn(qn_form *f, qn_value *low, qn_value *high);
static qn_value *per_row(input *in, row_fn *body) {
  qn_form *f = in->f;
  const qn_type *type = qn_type_tensor(f->cx, in->f32, in->rows, f->operands[0]->type->shaped.dims);
  qn_form_access inputs[] = {qn_form_whole(f, in->low ? in->low : in->high),
                             qn_form_whole(f, in->high)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, type));
  qn_op *generic = qn_form_open(f, in->rows, 0, inputs, 2, &output);
  return qn_form_close(f, generic,
                       body(f, qn_form_element(generic, 0), qn_form_element(generic, 1)));
}

/* Where the range is empty everything is 0, in steps of 1. */
static qn_value *symmetric_scale(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *scale = binary(f, QN_OP_ARITH_DIVF, low, real(f, INT8_MAX, high));
  return where(f, OEQ, high, 0, real(f, 1, high), scale);
}
static qn_value *symmetric_inverse(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, INT8_MAX, high), low);
  return where(f, OEQ, high, 0, real(f, 0, high), inverse);
}

static qn_value *width(qn_form *f, qn_value *low, qn_value *high) {
  return binary(f, QN_OP_ARITH_SUBF, high, low);
}
static qn_value *asymmetric_scale(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *range = width(f, low, high);
  qn_value *scale = binary(f, QN_OP_ARITH_DIVF, range, real(f, UINT8_MAX, range));
  return where(f, OEQ, range, 0, real(f, 1, range), scale);
}
static qn_value *asymmetric_inverse(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *range = width(f, low, high), *scale = asymmetric_scale(f, low, high);
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, 1, scale), scale);
  inverse = where(f, OEQ, scale, 0, real(f, 0, scale), inverse);
  return where(f, OEQ, range, 0, real(f, 0, range), inverse);
}

/* The zero point from the end that is nearer in steps. */
static qn_value *nearer_end(qn_form *f, qn_value *lows, qn_value *highs) {
  qn_value *least = real(f, INT8_MIN, lows), *most = real(f, INT8_MAX, lows);
  qn_value *from_low = binary(f, QN_OP_ARITH_SUBF, least, lows);
  qn_value *from_high = binary(f, QN_OP_ARITH_SUBF, most, highs);
  qn_value *low_error = binary(f, QN_OP_ARITH_ADDF, real(f, -INT8_MIN, lows), magnitude(f, lows));
  qn_value *high_error = binary(f, QN_OP_ARITH_ADDF, most, magnitude(f, highs));
  qn_value *is_less = qn_form_compare_reals(f, OLT, low_error, high_error);
  return qn_build_select(f->b, is_less, from_low, from_high);
}
/* In f64, but for the difference of the ends. */
static qn_value *asymmetric_zero(qn_form *f, qn_value *low, qn_value *high) {
  const qn_type *f64 = qn_type_float(f->cx, QN_F64);
  qn_value *range = width(f, low, high);
  qn_value *scale = qn_build_unary(f->b, QN_OP_ARITH_EXTF, range, f64);
  scale = binary(f, QN_OP_ARITH_DIVF, scale, real(f, UINT8_MAX, scale));
  qn_value *lows = qn_build_unary(f->b, QN_OP_ARITH_EXTF, low, f64);
  qn_value *highs = qn_build_unary(f->b, QN_OP_ARITH_EXTF, high, f64);
  qn_value *zero = nearer_end(f, binary(f, QN_OP_ARITH_DIVF, lows, scale),
                              binary(f, QN_OP_ARITH_DIVF, highs, scale));
  zero = qn_build_select(f->b, qn_form_compare_reals(f, UNO, zero, zero), real(f, 0, zero), zero);
  zero = at_most(f, at_least(f, zero, INT8_MIN), INT8_MAX);
  zero = qn_build_unary(f->b, QN_OP_MATH_ROUND, zero, f64);
  zero = qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, zero, range->type);
  return where(f, OEQ, range, 0, real(f, 0, range), zero);
}

/* Without denormals, all in f32. */
static qn_value *dynamic_inverse(qn_form *f, qn_value *low, qn_value *high) {
  low = qn_form_flushed(f, low), high = qn_form_flushed(f, high);
  qn_value *range = qn_form_flushed(f, width(f, low, high));
  qn_value *inverse = binary(f, QN_OP_ARITH_DIVF, real(f, UINT8_MAX, range), range);
  qn_value *is_empty = qn_form_compare_reals(f, OEQ, low, high);
  return qn_form_flushed(f, qn_build_select(f->b, is_empty, real(f, 1, range), inverse));
}
static qn_value *dynamic_scale(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *inverse = dynamic_inverse(f, low, high);
  return qn_form_flushed(f, binary(f, QN_OP_ARITH_DIVF, real(f, 1, inverse), inverse));
}
static qn_value *dynamic_zero(qn_form *f, qn_value *low, qn_value *high) {
  qn_value *inverse = dynamic_inverse(f, low, high);
  qn_value *least = real(f, INT8_MIN, low), *most = real(f, INT8_MAX, low);
  qn_value *lows = binary(f, QN_OP_ARITH_MULF, qn_form_flushed(f, low), inverse);
  qn_value *highs = binary(f, QN_OP_ARITH_MULF, qn_form_flushed(f, high), inverse);
  lows = qn_form_flushed(f, lows), highs = qn_form_flushed(f, highs);
  qn_value *sum = binary(f, QN_OP_ARITH_ADDF, binary(f, QN_OP_ARITH_ADDF, least, lows),
                         binary(f, QN_OP_ARITH_ADDF, most, highs));
  qn_value *zero = where(f, OGT, sum, 0, binary(f, QN_OP_ARITH_SUBF, least, lows),
                         binary(f, QN_OP_ARITH_SUBF, most, highs));
  zero = at_most(f, at_least(f, zero, INT8_MIN), INT8_MAX);
  return qn_build_unary(f->b, QN_OP_MATH_ROUNDEVEN, zero, zero->type);
}

static void find_ranges(input *in) {
  const qn_hybrid_numbers *n = &in->f->numbers->hybrid;
  qn_value *x = in->f->operands[0];
  bool ends = n->dynamic || n->asymmetric;
  in->high = qn_form_extreme(in->f, QN_OP_ARITH_MAXIMUMF, x, in->rows, !ends);
  if (ends) in->low = qn_form_extreme(in->f, QN_OP_ARITH_MINIMUMF, x, in->rows, false);
  row_fn *const fns[3][3] = {{symmetric_scale, symmetric_inverse, NULL},
                             {asymmetric_scale, asymmetric_inverse, asymmetric_zero},
                             {dynamic_scale, dynamic_inverse, dynamic_zero}};
  row_fn *const *fn = fns[n->dynamic ? 2 : n->asymmetric];
  in->scale = per_row(in, fn[0]);
  in->inverse = per_row(in, fn[1]);
  if (fn[2]) in->zero = per_row(in, fn[2]);
}

/* ---- elements ---- */

/* What is added to the magnitude before it is cut: a half in whole blocks, in the rest the number
 * below, with which the sum rounds halves away and nothing else. Shaped like a row; NULL: there
 * are blocks only. */
static qn_value *halves(input *in) {
  qn_form *f = in->f;
  const qn_type *x = f->operands[0]->type;
  const qn_type *type =
      qn_type_tensor(f->cx, in->f32, x->shaped.rank - in->rows, x->shaped.dims + in->rows);
  int64_t count = qn_type_elements(type), whole = count - count % BLOCK;
  if (whole == count) return NULL;
  float *values = qn_arena_array(&f->b->module->arena, (size_t)count, sizeof *values);
  for (int64_t i = 0; i < count; i++) values[i] = i < whole ? 0.5F : 0.5F - FLT_EPSILON / 4;
  const qn_bytes bytes = {(const uint8_t *)values, (size_t)count * sizeof *values};
  const qn_attr *value = qn_attr_dense(f->cx, type, bytes, false);
  return qn_build_1(f->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

/* v to the nearest integer, of two the greater magnitude. */
static qn_value *rounded(qn_form *f, qn_value *v, qn_value *half) {
  qn_value *negative = qn_build_unary(f->b, QN_OP_ARITH_NEGF, half, half->type);
  qn_value *sum = binary(f, QN_OP_ARITH_ADDF, v, where(f, OLT, v, 0, negative, half));
  return qn_build_unary(f->b, QN_OP_MATH_TRUNC, sum, sum->type);
}

/* Where conversions to int32 in the rest give their lowest value whatever is beyond. */
static qn_value *symmetric_element(qn_form *f, qn_value *v, qn_value *half, bool has_rest) {
  qn_value *t = rounded(f, v, half), *low = real(f, -INT8_MAX, t), *rest = t;
  if (has_rest) rest = where(f, OLT, t, INT_END, t, low), t = where(f, OLT, half, 0.5, rest, t);
  return at_most(f, at_least(f, t, -INT8_MAX), INT8_MAX);
}

/* In blocks the zero point is added to an int32, which wraps. */
static qn_value *asymmetric_element(qn_form *f, qn_value *v, qn_value *half, bool has_rest,
                                    qn_value *zero) {
  qn_value *t = rounded(f, v, half), *least = real(f, INT8_MIN, t), *most = real(f, INT8_MAX, t);
  qn_value *sum = binary(f, QN_OP_ARITH_ADDF, t, zero);
  qn_value *q = at_most(f, at_least(f, sum, INT8_MIN), INT8_MAX);
  qn_value *below = where(f, OLT, zero, 0, most, least);
  qn_value *above = where(f, OGT, zero, 0, least, most);
  qn_value *block = where(f, OGT, t, -INT_END, q, below);
  block = where(f, OGE, t, INT_END, above, block);
  if (has_rest) {
    qn_value *is_nan = qn_form_compare_reals(f, UNO, t, t);
    qn_value *rest = qn_build_select(f->b, is_nan, real(f, 0, t), q);
    block = where(f, OLT, half, 0.5, rest, block);
  }
  return binary(f, QN_OP_ARITH_SUBF, block, zero);
}

static qn_value *dynamic_element(qn_form *f, qn_value *v, qn_value *zero) {
  qn_value *most = binary(f, QN_OP_ARITH_SUBF, real(f, INT8_MAX, zero), zero);
  v = qn_build_select(f->b, qn_form_compare_reals(f, OLT, v, most), v, most);
  v = qn_build_unary(f->b, QN_OP_MATH_ROUNDEVEN, v, v->type);
  qn_value *q = at_least(f, binary(f, QN_OP_ARITH_ADDF, v, zero), INT8_MIN);
  return binary(f, QN_OP_ARITH_SUBF, q, zero);
}

static qn_value *in_steps(input *in) {
  qn_form *f = in->f;
  qn_value *x = f->operands[0];
  bool dynamic = f->numbers->hybrid.dynamic;
  qn_value *row = dynamic ? NULL : halves(in);
  uint32_t count = 0, zero = 0, half = 0, rank = x->type->shaped.rank;
  qn_form_access inputs[4];
  inputs[count++] = qn_form_whole(f, x);
  inputs[count++] = qn_form_whole(f, in->inverse);
  if (in->zero) inputs[zero = count++] = qn_form_whole(f, in->zero);
  if (row) {
    inputs[half = count++] = (qn_form_access){.value = row};
    for (uint32_t i = in->rows; i < rank; i++) inputs[half].at[i - in->rows] = qn_form_dim(f, i);
  }
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, x->type));
  qn_op *generic = qn_form_open(f, rank, 0, inputs, count, &output);
  qn_value *v = qn_form_element(generic, 0);
  qn_value *z = zero ? qn_form_element(generic, zero) : NULL;
  if (dynamic) v = qn_form_flushed(f, v);
  v = binary(f, QN_OP_ARITH_MULF, v, qn_form_element(generic, 1));
  qn_value *h = row ? qn_form_element(generic, half) : real(f, 0.5, v);
  v = dynamic ? dynamic_element(f, v, z)
      : z     ? asymmetric_element(f, v, h, row != NULL, z)
              : symmetric_element(f, v, h, row != NULL);
  return qn_form_close(f, generic, v);
}

qn_hybrid_input qn_form_hybrid_input(qn_form *f, uint32_t rows) {
  input in = {.f = f, .f32 = qn_type_float(f->cx, QN_F32), .rows = rows};
  find_ranges(&in);
  return (qn_hybrid_input){.rows = rows,
                           .steps = in_steps(&in),
                           .scale = in.scale,
                           .extent = in.low ? per_row(&in, width) : in.high};
}
