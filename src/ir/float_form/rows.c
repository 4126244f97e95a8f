/* Decompositions in fixed point, with the operations of runtime/fixed.h in the same order: L2
 * normalization of rows, log-softmax, where the values that belong to a row are computed once per
 * row, and quotients of integers that are too wide for a table of all pairs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/fixed.h"

/* ---- scalars: C leaves the order of arguments unspecified, so at most one argument builds ops
 * ---- */

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *number(qn_form *f, int64_t value) {
  return qn_build_int(f->b, value, qn_type_i(f->cx, 32));
}
static qn_value *add(qn_form *f, qn_value *a, qn_value *b) {
  return binary(f, QN_OP_ARITH_ADDI, a, b);
}
static qn_value *sub(qn_form *f, qn_value *a, qn_value *b) {
  return binary(f, QN_OP_ARITH_SUBI, a, b);
}
static qn_value *shl(qn_form *f, qn_value *a, qn_value *n) {
  return binary(f, QN_OP_ARITH_SHLI, a, n);
}
static qn_value *shr(qn_form *f, qn_value *a, qn_value *n) {
  return binary(f, QN_OP_ARITH_SHRSI, a, n);
}
static qn_value *add_number(qn_form *f, qn_value *a, int64_t b) { return add(f, a, number(f, b)); }
static qn_value *sub_number(qn_form *f, qn_value *a, int64_t b) { return sub(f, a, number(f, b)); }
static qn_value *number_sub(qn_form *f, int64_t a, qn_value *b) { return sub(f, number(f, a), b); }
static qn_value *shl_by(qn_form *f, qn_value *a, int64_t n) { return shl(f, a, number(f, n)); }
static qn_value *shr_by(qn_form *f, qn_value *a, int64_t n) { return shr(f, a, number(f, n)); }
static qn_value *times(qn_form *f, qn_value *a, int32_t b) {
  return qn_form_rdhm32(f, a, number(f, b));
}
static qn_value *is(qn_form *f, qn_cmpi predicate, qn_value *a, int64_t b) {
  return qn_build_cmpi(f->b, predicate, a, qn_build_int(f->b, b, a->type));
}
static qn_value *least(qn_form *f, qn_value *a, qn_value *b) {
  return binary(f, QN_OP_ARITH_MINSI, a, b);
}
static qn_value *most(qn_form *f, qn_value *a, qn_value *b) {
  return binary(f, QN_OP_ARITH_MAXSI, a, b);
}
static qn_value *zeros_of(qn_form *f, qn_value *x) {
  return qn_build_unary(f->b, QN_OP_MATH_CTLZ, x, x->type);
}

/* qn_sat_shl32 with a shift of 0 to 31. */
static qn_value *sat_shl(qn_form *f, qn_value *x, qn_value *n) {
  qn_value *wide = qn_form_widened(f, x, false, 64);
  wide = shl(f, wide, qn_form_widened(f, n, false, 64));
  wide = most(f, wide, qn_build_int(f->b, INT32_MIN, wide->type));
  wide = least(f, wide, qn_build_int(f->b, INT32_MAX, wide->type));
  return qn_form_widened(f, wide, false, 32);
}

static qn_value *sat_shl_by(qn_form *f, qn_value *x, int64_t n) {
  return sat_shl(f, x, number(f, n));
}

/* qn_rdivp2 with a shift of 0 to 31 that is not constant. */
static qn_value *divided_by_power(qn_form *f, qn_value *x, qn_value *n) {
  qn_value *wide = qn_form_widened(f, x, false, 64), *by = qn_form_widened(f, n, false, 64);
  qn_value *one = qn_build_int(f->b, 1, wide->type);
  qn_value *mask = sub(f, shl(f, one, by), one);
  qn_value *below = qn_form_widened(f, is(f, QN_CMP_SLT, wide, 0), true, 64);
  qn_value *half = add(f, shr(f, mask, one), below);
  qn_value *rest = binary(f, QN_OP_ARITH_ANDI, wide, mask);
  qn_value *above = qn_form_widened(f, qn_build_cmpi(f->b, QN_CMP_SGT, rest, half), true, 64);
  wide = add(f, shr(f, wide, by), above);
  return qn_form_widened(f, wide, false, 32);
}

/* qn_half_sum32 of two values whose sum is not negative. */
static qn_value *half_sum(qn_form *f, qn_value *a, int32_t b) {
  qn_value *wide = qn_form_widened(f, a, false, 64);
  wide = add(f, wide, qn_build_int(f->b, (int64_t)b + 1, wide->type));
  return qn_form_widened(f, shr(f, wide, qn_build_int(f->b, 1, wide->type)), false, 32);
}

/* ---- 1 / sqrt(v) (qn_fixed_inv_sqrt) ---- */

qn_form_recip qn_form_inverse_root(qn_form *f, qn_value *v) {
  qn_value *is_small = is(f, QN_CMP_SLE, v, 1), *is_great = is(f, QN_CMP_SGE, v, 1 << 29);
  qn_value *of_great = number(f, 12), *of_others = number(f, 11);
  qn_value *n = qn_build_select(f->b, is_great, of_great, of_others);
  qn_value *x = qn_build_select(f->b, is_great, shr_by(f, v, 2), v);
  x = most(f, x, number(f, 1));
  qn_value *pairs = sub_number(f, shr_by(f, sub_number(f, zeros_of(f, x), 1), 1), 1);
  n = sub(f, n, pairs);
  x = shl(f, x, shl_by(f, pairs, 1));
  qn_value *half = qn_form_rdivp2(f, shr_by(f, x, 1), 1), *y = number(f, 1 << 28);
  for (int i = 0; i < 5; i++) {
    qn_value *y3 = qn_form_rdhm32(f, qn_form_rdhm32(f, y, y), y);
    y3 = sat_shl_by(f, y3, 6);
    qn_value *less = qn_form_rdhm32(f, half, y3);
    y = sat_shl_by(f, sub(f, times(f, y, 3 << 27), less), 3);
  }
  y = times(f, y, 1518500250);
  qn_value *zero = number(f, 0);
  y = sat_shl(f, y, most(f, sub(f, zero, n), zero));
  n = most(f, n, zero);
  y = qn_build_select(f->b, is_small, number(f, INT32_MAX), y);
  n = qn_build_select(f->b, is_small, zero, n);
  return (qn_form_recip){y, n};
}

/* ---- exp(a), a <= 0 in Q5 (qn_fixed_exp); ln(x) from Q12 to Q5 (qn_fixed_log) ---- */

static qn_value *exponential(qn_form *f, qn_value *a) {
  enum { FRACTION = 26, QUARTER = 1 << 24 };
  qn_value *r = binary(f, QN_OP_ARITH_ANDI, a, number(f, QUARTER - 1));
  r = sub_number(f, r, QUARTER);
  qn_value *x = add_number(f, shl_by(f, r, 5), QN_FIXED_EIGHTH);
  qn_value *x2 = qn_form_rdhm32(f, x, x), *x3 = qn_form_rdhm32(f, x2, x);
  qn_value *u = add(f, qn_form_rdivp2(f, qn_form_rdhm32(f, x2, x2), 2), x3);
  u = qn_form_rdivp2(f, add(f, times(f, u, QN_FIXED_THIRD), x2), 1);
  qn_value *y = times(f, add(f, x, u), QN_FIXED_EXP_CENTRE);
  y = add(f, number(f, QN_FIXED_EXP_CENTRE), y);
  qn_value *rest = sub(f, r, a);
  for (int32_t p = QN_FIXED_EXP_LOW; p <= QN_FIXED_EXP_HIGH; p++) {
    qn_value *bit = binary(f, QN_OP_ARITH_ANDI, rest, number(f, INT64_C(1) << (FRACTION + p)));
    qn_value *is_set = is(f, QN_CMP_NE, bit, 0);
    y = qn_build_select(f->b, is_set, times(f, y, qn_fixed_exp_factor(p)), y);
  }
  qn_value *is_zero = is(f, QN_CMP_EQ, a, 0);
  return qn_build_select(f->b, is_zero, number(f, INT32_MAX), y);
}

static qn_value *recip_1p(qn_form *f, qn_value *a) {
  qn_value *h = half_sum(f, a, INT32_MAX);
  qn_value *y = add_number(f, times(f, h, QN_FIXED_RECIP_SLOPE), QN_FIXED_RECIP_START);
  for (int i = 0; i < 3; i++) {
    qn_value *rest = number_sub(f, 1 << 29, qn_form_rdhm32(f, h, y));
    y = add(f, y, sat_shl_by(f, qn_form_rdhm32(f, y, rest), 2));
  }
  return sat_shl_by(f, y, 1);
}

static qn_value *logarithm(qn_form *f, qn_value *x) {
  enum { IN = 12, OUT = 5, GUARD = OUT + 1, QUARTER = 536870912 >> GUARD, CENTRE = 1805811301 };
  x = most(f, x, number(f, 1)); /* sums of very long rows wrap */
  qn_value *zeros = zeros_of(f, x);
  qn_value *ra = sat_shl(f, x, sub_number(f, zeros, 1));
  ra = sat_shl_by(f, times(f, ra, 1518500250), 1);
  qn_value *pa = sat_shl_by(f, number_sub(f, IN, zeros), 31 - GUARD);
  pa = add_number(f, pa, QUARTER);
  qn_value *head = sub_number(f, zeros_of(f, times(f, x, 1518500250)), 1);
  qn_value *rb = sat_shl(f, x, head);
  qn_value *pb = sat_shl_by(f, number_sub(f, IN, head), 31 - GUARD);
  pb = sub_number(f, pb, QUARTER);
  qn_value *r = least(f, ra, rb), *power = most(f, pa, pb);
  qn_value *p = half_sum(f, r, CENTRE);
  qn_value *q = shl_by(f, sub_number(f, r, CENTRE), 1), *q2 = qn_form_rdhm32(f, q, q);
  qn_value *cubed = times(f, qn_form_rdhm32(f, q, q2), 117049297);
  qn_value *top = add(f, qn_form_rdhm32(f, q, r), cubed);
  qn_value *inner = add_number(f, q, 1057819769);
  inner = add(f, inner, times(f, q2, 127690142));
  qn_value *bottom = qn_form_rdhm32(f, p, inner);
  bottom = add(f, bottom, times(f, q, 638450708));
  qn_value *by = recip_1p(f, bottom);
  qn_value *y = qn_form_rdhm32(f, qn_form_rdivp2(f, top, GUARD), by);
  y = add(f, times(f, power, 1488522236), y);
  return sat_shl_by(f, y, GUARD - OUT);
}

/* ---- loops ---- */

static const qn_type *row_type(qn_form *f) {
  const qn_type *x = f->operands[0]->type;
  return qn_type_tensor(f->cx, qn_type_i(f->cx, 32), x->shaped.rank - 1, x->shaped.dims);
}

/* acc = body(x, row, acc) along each row; `row` may be NULL. */
typedef qn_value *reduce_fn(qn_form *f, qn_value *x, qn_value *row, qn_value *acc);
static qn_value *reduced(qn_form *f, qn_value *row, int64_t initial, reduce_fn *body) {
  qn_value *x = qn_form_stored(f, 0);
  uint32_t rank = x->type->shaped.rank, count = row ? 2 : 1;
  qn_form_access inputs[] = {qn_form_whole(f, x), {0}};
  if (row) inputs[1] = qn_form_whole(f, row);
  const qn_type *type = row_type(f);
  qn_form_access output = qn_form_whole(
      f, qn_form_fill_with(f, type, qn_attr_int(f->cx, initial, qn_type_element(type))));
  qn_op *generic = qn_form_open(f, rank, UINT64_C(1) << (rank - 1), inputs, count, &output);
  qn_value *element =
      qn_form_widened(f, qn_form_element(generic, 0), qn_form_is_unsigned(f, 0), 32);
  return qn_form_close(
      f, generic,
      body(f, element, row ? qn_form_element(generic, 1) : NULL, qn_form_element(generic, count)));
}

static qn_value *per_row(qn_form *f, qn_value *row, qn_form_body *body) {
  qn_form_access input = qn_form_whole(f, row);
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, row->type));
  qn_op *generic = qn_form_open(f, row->type->shaped.rank, 0, &input, 1, &output);
  return qn_form_close(f, generic, body(f, qn_form_element(generic, 0)));
}

/* Computes every result element from an element and two values of its row. */
typedef qn_value *element_fn(qn_form *f, qn_value *x, qn_value *a, qn_value *b);
static qn_value *per_element(qn_form *f, qn_value *a, qn_value *b, element_fn *body) {
  qn_value *x = qn_form_stored(f, 0);
  qn_form_access inputs[] = {qn_form_whole(f, x), qn_form_whole(f, a), qn_form_whole(f, b)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, qn_form_stored_result(f)));
  qn_op *generic = qn_form_open(f, x->type->shaped.rank, 0, inputs, 3, &output);
  qn_value *element =
      qn_form_widened(f, qn_form_element(generic, 0), qn_form_is_unsigned(f, 0), 32);
  qn_value *y = body(f, element, qn_form_element(generic, 1), qn_form_element(generic, 2));
  return qn_form_restored(f, qn_form_close(f, generic, y));
}

/* ---- a row over its length (docs/arithmetic.md 16) ---- */

static qn_value *distance(qn_form *f, qn_value *x) {
  return sub(f, x, number(f, f->numbers->a_zero_point));
}
static qn_value *add_square(qn_form *f, qn_value *x, qn_value *row, qn_value *acc) {
  (void)row;
  qn_value *d = distance(f, x);
  return add(f, acc, binary(f, QN_OP_ARITH_MULI, d, d));
}
static qn_value *root_value(qn_form *f, qn_value *v) { return qn_form_inverse_root(f, v).value; }
static qn_value *root_exponent(qn_form *f, qn_value *v) {
  return qn_form_inverse_root(f, v).exponent;
}

/* Quantizes to steps of 1/128. */
static qn_value *over_length(qn_form *f, qn_value *x, qn_value *value, qn_value *exponent) {
  enum { STEPS = 7 };
  int32_t before = f->numbers->left_shift;
  qn_value *shift = number_sub(f, STEPS - before, exponent), *zero = number(f, 0);
  qn_value *d = shl_by(f, distance(f, x), before);
  d = qn_form_rdhm32(f, shl(f, d, most(f, shift, zero)), value);
  return qn_form_finished(f, divided_by_power(f, d, most(f, sub(f, zero, shift), zero)));
}
qn_value *qn_form_fixed_l2_norm(qn_form *f) {
  qn_value *squares = reduced(f, NULL, 0, add_square);
  qn_value *value = per_row(f, squares, root_value);
  return per_element(f, value, per_row(f, squares, root_exponent), over_length);
}

/* ---- the logarithm of softmax (docs/arithmetic.md 16) ---- */

static qn_value *greater(qn_form *f, qn_value *x, qn_value *row, qn_value *acc) {
  (void)row;
  return most(f, acc, x);
}
static qn_value *add_exponential(qn_form *f, qn_value *x, qn_value *highest, qn_value *acc) {
  const qn_form_numbers *n = f->numbers;
  qn_value *d = sub(f, x, highest);
  qn_value *term = qn_form_rdivp2(f, exponential(f, qn_form_requant32(f, d, n->a)), 12);
  qn_value *counts = is(f, QN_CMP_SGE, d, n->least);
  return qn_build_select(f->b, counts, add(f, acc, term), acc);
}
static qn_value *result_of(qn_form *f, qn_value *x, qn_value *highest, qn_value *logarithm_of_sum) {
  const qn_form_numbers *n = f->numbers;
  qn_value *limit = qn_form_requant32(f, add(f, logarithm_of_sum, number(f, INT32_MIN)), n->b);
  limit = most(f, limit, number(f, n->least - 1));
  qn_value *d = sub(f, x, highest);
  qn_value *y = sub(f, qn_form_requant32(f, d, n->a), logarithm_of_sum);
  y = qn_form_rdivp2(f, y, 22);
  qn_value *counts = qn_build_cmpi(f->b, QN_CMP_SGT, d, limit);
  return qn_form_finished(f, qn_build_select(f->b, counts, y, number(f, INT16_MIN)));
}
qn_value *qn_form_fixed_log_softmax(qn_form *f) {
  qn_value *highest = reduced(f, NULL, INT16_MIN, greater);
  qn_value *sum = reduced(f, highest, 0, add_exponential);
  return per_element(f, highest, per_row(f, sum, logarithm), result_of);
}

/* ---- softmax of a table of exponentials in float32 (docs/arithmetic.md 8.2) ---- */

static const qn_type *f32_of(qn_form *f) { return qn_type_float(f->cx, QN_F32); }
static qn_value *real(qn_form *f, double value, const qn_type *type) {
  return qn_build_float(f->b, value, type);
}

/* The table entry of every element. */
static qn_value *terms(qn_form *f, qn_value *highest) {
  enum { ENTRIES = 256 };
  qn_value *x = qn_form_stored(f, 0);
  const qn_type *i32 = qn_type_i(f->cx, 32);
  qn_form_access inputs[] = {qn_form_whole(f, x), qn_form_whole(f, highest)};
  qn_form_access output =
      qn_form_whole(f, qn_form_empty(f, qn_type_with_element(f->cx, x->type, i32)));
  qn_op *generic = qn_form_open(f, x->type->shaped.rank, 0, inputs, 2, &output);
  qn_value *element =
      qn_form_widened(f, qn_form_element(generic, 0), qn_form_is_unsigned(f, 0), 32);
  qn_value *at = qn_form_close(f, generic, sub(f, qn_form_element(generic, 1), element));
  const qn_type *row = qn_type_tensor(f->cx, f32_of(f), 1, (const int64_t[]){ENTRIES});
  qn_bytes bytes = {(const uint8_t *)f->numbers->terms, ENTRIES * sizeof(float)};
  qn_value *table = qn_build_1(f->b, QN_OP_ML_CONST, row, NULL, 0,
                               QN_ATTRS({"value", qn_attr_dense(f->cx, row, bytes, false)}));
  return qn_build_1(f->b, QN_OP_ML_GATHER, qn_type_with_element(f->cx, x->type, f32_of(f)),
                    QN_VALUES(table, at), QN_ATTRS({"axis", qn_attr_i64(f->cx, 0)}));
}

/* Sum of a row in order: each f64 sum is rounded to f32. A linalg.generic on f32 would be summed in
 * lanes, with other results. */
static qn_value *sums_in_order(qn_form *f, qn_value *x) {
  uint32_t rank = x->type->shaped.rank;
  const qn_type *f64 = qn_type_float(f->cx, QN_F64);
  const qn_type *type = qn_type_tensor(f->cx, f32_of(f), rank - 1, x->type->shaped.dims);
  qn_form_access input = qn_form_whole(f, x);
  const qn_attr *zero = qn_attr_float(f->cx, 0.0, f32_of(f));
  qn_form_access output = qn_form_whole(f, qn_form_fill_with(f, type, zero));
  qn_op *generic = qn_form_open(f, rank, UINT64_C(1) << (rank - 1), &input, 1, &output);
  qn_value *term = qn_build_unary(f->b, QN_OP_ARITH_EXTF, qn_form_element(generic, 0), f64);
  qn_value *acc = qn_build_unary(f->b, QN_OP_ARITH_EXTF, qn_form_element(generic, 1), f64);
  acc = binary(f, QN_OP_ARITH_ADDF, acc, term);
  return qn_form_close(f, generic, qn_build_unary(f->b, QN_OP_ARITH_TRUNCF, acc, f32_of(f)));
}

static qn_value *inverse_in_steps(qn_form *f, qn_value *sum) {
  qn_value *one = real(f, 1, sum->type), *step = real(f, 0x1p-8, sum->type);
  return binary(f, QN_OP_ARITH_DIVF, one, binary(f, QN_OP_ARITH_MULF, sum, step));
}

/* Rounding of the result; unsigned results add 0.5 in f32. */
qn_value *qn_form_table_softmax(qn_form *f) {
  qn_value *e = terms(f, reduced(f, NULL, INT16_MIN, greater));
  qn_value *inverse = per_row(f, sums_in_order(f, e), inverse_in_steps);
  qn_form_access inputs[] = {qn_form_whole(f, e), qn_form_whole(f, inverse)};
  qn_form_access output = qn_form_whole(f, qn_form_empty(f, qn_form_stored_result(f)));
  qn_op *generic = qn_form_open(f, e->type->shaped.rank, 0, inputs, 2, &output);
  qn_value *y =
      binary(f, QN_OP_ARITH_MULF, qn_form_element(generic, 0), qn_form_element(generic, 1));
  if (!qn_form_is_unsigned(f, 0))
    y = qn_build_unary(f->b, QN_OP_ARITH_EXTF, y, qn_type_float(f->cx, QN_F64));
  y = binary(f, QN_OP_ARITH_ADDF, y, real(f, 0.5, y->type));
  y = qn_build_unary(f->b, QN_OP_ARITH_FPTOSI, y, qn_type_i(f->cx, 32));
  return qn_form_restored(f, qn_form_close(f, generic, qn_form_finished(f, y)));
}

/* ---- quotients (docs/arithmetic.md 6.5), as src/quant/pairs.c has them ---- */

/* Number of leading bits equal to the sign bit, without the sign bit. */
static qn_value *headroom_of(qn_form *f, qn_value *x) {
  qn_value *sign = shr_by(f, x, 31);
  return sub_number(f, zeros_of(f, binary(f, QN_OP_ARITH_XORI, x, sign)), 1);
}

/* x / 2^n, rounded, n >= 0. For n > 31 the shift count is n modulo 32, as CPUs mask it. */
static qn_value *shifted(qn_form *f, qn_value *x, qn_value *n) {
  qn_value *low = binary(f, QN_OP_ARITH_ANDI, n, number(f, 31));
  qn_value *carry = qn_form_widened(f, is(f, QN_CMP_SGE, x, 0), true, 32);
  qn_value *far = add(f, shr(f, x, low), carry), *near = divided_by_power(f, x, low);
  return qn_build_select(f->b, is(f, QN_CMP_SLE, n, 31), near, far);
}

static qn_value *quotient(qn_form *f, qn_value *const *e) {
  const qn_form_numbers *n = f->numbers;
  qn_value *a = qn_form_less_zero_point(f, e[0], qn_form_is_unsigned(f, 0), n->a_zero_point);
  qn_value *b = qn_form_less_zero_point(f, e[1], qn_form_is_unsigned(f, 1), n->b_zero_point);
  qn_value *is_negative = is(f, QN_CMP_SLT, b, 0), *is_zero = is(f, QN_CMP_EQ, b, 0);
  a = qn_build_select(f->b, is_negative, number_sub(f, 0, a), a);
  b = qn_build_select(f->b, is_negative, number_sub(f, 0, b), b);
  b = qn_build_select(f->b, is_zero, number(f, 1), b);
  qn_value *zeros = zeros_of(f, b);
  qn_value *fraction = shl(f, b, zeros);
  fraction = binary(f, QN_OP_ARITH_XORI, fraction, number(f, INT32_MIN));
  qn_value *inverse = recip_1p(f, fraction), *headroom = headroom_of(f, a);
  qn_value *y = qn_form_rdhm32(f, shl(f, a, headroom), inverse);
  y = times(f, y, n->y.mantissa);
  qn_value *shift = add_number(f, sub(f, zeros, headroom), n->y.shift - 31);
  qn_value *zero = number(f, 0);
  qn_value *left = binary(f, QN_OP_ARITH_ANDI, shift, number(f, 31));
  qn_value *below = shifted(f, y, most(f, number_sub(f, 0, shift), zero));
  qn_value *above = shl(f, y, left), *grows = is(f, QN_CMP_SGT, shift, 0);
  y = qn_build_select(f->b, grows, above, below);
  return qn_form_finished(f, qn_build_select(f->b, is_zero, zero, y));
}
qn_value *qn_form_fixed_real_div(qn_form *f) { return qn_form_elementwise(f, quotient); }
