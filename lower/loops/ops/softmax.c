/* Softmax over the last axis in fixed point. The exponential of each of the 256 possible
 * differences to the row's maximum, and what it adds to the sum, are tables computed at compile
 * time with the functions of runtime/fixed.h. The kernel finds the maximum, adds up terms, forms
 * the reciprocal of the sum with the same sequence of integer operations, and scales every
 * exponential.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/nest.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"
#include "runtime/fixed.h"

enum { TABLE_SIZE = 256 };

typedef struct softmax {
  int64_t rows, row;
  bool is_unsigned;
  int64_t bits;       /* of the result */
  int64_t zero_point; /* stored value of 0, the lowest */
  /* in the kernel */
  qn_value *base;    /* first element of the row */
  qn_value *maximum; /* of the row, i32 */
} softmax;

/* Arguments of the kernel. */
enum { ARG_X, ARG_Y, ARG_EXPONENTIALS, ARG_TERMS, ARG_COUNT };

/* ---- tables, by maximum - x ---- */

static void fill_tables(const qn_softmax_params *p, int32_t *exponentials, int32_t *terms) {
  for (int32_t i = 0; i < TABLE_SIZE; i++) {
    bool contributes = -i >= p->diff_min;
    exponentials[i] = contributes ? qn_softmax_exp(-i, p->input.mantissa, p->input.shift) : 0;
    terms[i] = contributes ? (int32_t)qn_softmax_term(exponentials[i]) : 0;
  }
}

/* ---- scalar integer arithmetic, as in runtime/fixed.h ---- */

static qn_value *i32_constant(qn_builder *b, int64_t value) {
  return qn_build_int(b, value, qn_type_i(b->cx, 32));
}
static qn_value *i64_constant(qn_builder *b, int64_t value) {
  return qn_build_int(b, value, qn_type_i(b->cx, 64));
}
static qn_value *widen(qn_builder *b, qn_value *x) {
  return qn_build_unary(b, QN_OP_ARITH_EXTSI, x, qn_type_i(b->cx, 64));
}
static qn_value *narrow(qn_builder *b, qn_value *x) {
  return qn_build_unary(b, QN_OP_ARITH_TRUNCI, x, qn_type_i(b->cx, 32));
}
/* (x + bias) >> shift on i64. */
static qn_value *shift_down(qn_builder *b, qn_value *x, int64_t bias, int64_t shift) {
  x = qn_build_binary(b, QN_OP_ARITH_ADDI, x, i64_constant(b, bias));
  return qn_build_binary(b, QN_OP_ARITH_SHRSI, x, i64_constant(b, shift));
}

/* qn_rdhm32 without the overflowing pair, which does not occur here; i64 result. */
static qn_value *high_product(qn_builder *b, qn_value *x, qn_value *y) {
  x = widen(b, x);
  qn_value *product = qn_build_binary(b, QN_OP_ARITH_MULI, x, widen(b, y));
  return shift_down(b, product, INT64_C(1) << 30, 31);
}

/* qn_sat_shl32 */
static qn_value *saturating_shift(qn_builder *b, qn_value *x, int64_t shift) {
  x = widen(b, x);
  x = qn_build_binary(b, QN_OP_ARITH_SHLI, x, i64_constant(b, shift));
  x = qn_build_binary(b, QN_OP_ARITH_MAXSI, x, i64_constant(b, INT32_MIN));
  x = qn_build_binary(b, QN_OP_ARITH_MINSI, x, i64_constant(b, INT32_MAX));
  return narrow(b, x);
}

/* qn_fixed_recip_1p of a >= 0 */
static qn_value *recip_1p(qn_builder *b, qn_value *a) {
  /* The half sum with INT32_MAX; not negative, so ties away from zero are ties up. */
  qn_value *h = narrow(b, shift_down(b, widen(b, a), (int64_t)INT32_MAX + 1, 1));
  qn_value *slope = narrow(b, high_product(b, h, i32_constant(b, -1010580540)));
  qn_value *y = qn_build_binary(b, QN_OP_ARITH_ADDI, slope, i32_constant(b, 1515870810));
  for (int i = 0; i < 3; i++) {
    qn_value *product = narrow(b, high_product(b, h, y));
    qn_value *rest = qn_build_binary(b, QN_OP_ARITH_SUBI, i32_constant(b, 1 << 29), product);
    qn_value *correction = narrow(b, high_product(b, y, rest));
    y = qn_build_binary(b, QN_OP_ARITH_ADDI, y, saturating_shift(b, correction, 2));
  }
  return saturating_shift(b, y, 1);
}

/* ---- the kernel ---- */

static qn_value *load(qn_builder *b, qn_value *memref, qn_value *index, const qn_type *element) {
  return qn_build_1(b, QN_OP_MEMREF_LOAD, element, QN_VALUES(memref, index), NULL);
}

static qn_value *to_i32(qn_builder *b, const softmax *s, qn_value *byte) {
  return qn_build_unary(b, s->is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, byte,
                        qn_type_i(b->cx, 32));
}

/* maximum - x[base + i] as an index into the tables. */
static qn_value *difference(qn_kernel *k, const softmax *s, qn_value *i) {
  qn_builder *b = &k->b;
  qn_value *x = load(b, k->args[ARG_X], qn_nest_add(b, s->base, i), qn_type_i(b->cx, 8));
  qn_value *diff = qn_build_binary(b, QN_OP_ARITH_SUBI, s->maximum, to_i32(b, s, x));
  return qn_build_unary(b, QN_OP_ARITH_INDEX_CAST, diff, qn_type_index(b->cx));
}

/* The largest element of the row: vectors that may overlap, then across lanes. */
static qn_value *row_maximum(qn_kernel *k, const softmax *s) {
  qn_builder *b = &k->b;
  qn_op_kind larger = s->is_unsigned ? QN_OP_ARITH_MAXUI : QN_OP_ARITH_MAXSI;
  int64_t lanes = k->lo->target->vector_bytes;
  while (lanes > s->row) lanes /= 2;
  qn_value *x = k->args[ARG_X], *acc = qn_vec_load(b, x, s->base, 0, lanes);
  int64_t whole = s->row / lanes * lanes;
  if (whole > lanes) {
    qn_op *loop = qn_nest_carry(b, lanes, whole, lanes, &acc, 1);
    qn_value *const *args = qn_op_body(loop)->args;
    qn_value *next = qn_vec_load(b, x, qn_nest_add(b, s->base, args[0]), 0, lanes);
    acc = qn_build_binary(b, larger, args[1], next);
    qn_build_yield(b, &acc, 1);
    acc = qn_op_result(loop, 0);
  }
  if (whole < s->row)
    acc = qn_build_binary(b, larger, acc, qn_vec_load(b, x, s->base, s->row - lanes, lanes));
  return qn_vec_reduce(b, s->is_unsigned ? "maxui" : "maxsi", acc);
}

/* Rows of at most this many of the largest terms, 2^19, have a sum of 32 bits. */
enum { NARROW_ROW = 8191 };

/* As unsigned. What 32 bits can't hold becomes their largest, which like all sums of that size
 * scales everything to 0. */
static qn_value *row_sum(qn_kernel *k, const softmax *s) {
  qn_builder *b = &k->b;
  bool wide = s->row > NARROW_ROW;
  qn_value *zero = wide ? i64_constant(b, 0) : i32_constant(b, 0);
  qn_op *loop = qn_nest_carry(b, 0, s->row, 1, &zero, 1);
  qn_value *const *args = qn_op_body(loop)->args;
  qn_value *term = load(b, k->args[ARG_TERMS], difference(k, s, args[0]), qn_type_i(b->cx, 32));
  if (wide) term = widen(b, term);
  qn_value *sum = qn_build_binary(b, QN_OP_ARITH_ADDI, args[1], term);
  qn_build_yield(b, &sum, 1);
  sum = qn_op_result(loop, 0);
  return wide ? narrow(b, qn_build_binary(b, QN_OP_ARITH_MINUI, sum, i64_constant(b, UINT32_MAX)))
              : sum;
}

/* y = clamp(exponential * reciprocal / 2^shift + zero point); shift is at least 15. */
static void scale_row(qn_kernel *k, const softmax *s, qn_value *reciprocal, qn_value *shift) {
  qn_builder *b = &k->b;
  qn_value *one = i64_constant(b, 1);
  qn_value *half =
      qn_build_binary(b, QN_OP_ARITH_SHLI, one, qn_build_binary(b, QN_OP_ARITH_SUBI, shift, one));
  qn_value *i = qn_nest_count(b, s->row, 1);
  qn_value *e = load(b, k->args[ARG_EXPONENTIALS], difference(k, s, i), qn_type_i(b->cx, 32));
  /* In 64 bits a shift beyond 31 gives the 0 that qn_softmax_scale asks for. */
  qn_value *y = qn_build_binary(b, QN_OP_ARITH_ADDI, high_product(b, reciprocal, e), half);
  y = qn_build_binary(b, QN_OP_ARITH_SHRSI, y, shift);
  y = qn_build_binary(b, QN_OP_ARITH_MINSI, y, i64_constant(b, (INT64_C(1) << s->bits) - 1));
  y = qn_build_binary(b, QN_OP_ARITH_ADDI, y, i64_constant(b, s->zero_point));
  y = qn_build_unary(b, QN_OP_ARITH_TRUNCI, y, qn_type_element(k->args[ARG_Y]->type));
  qn_build_0(b, QN_OP_MEMREF_STORE, QN_VALUES(y, k->args[ARG_Y], qn_nest_add(b, s->base, i)), NULL);
  qn_nest_end(b);
}

static void build_row(qn_kernel *k, softmax *s) {
  qn_builder *b = &k->b;
  s->maximum = to_i32(b, s, row_maximum(k, s));
  qn_value *sum = row_sum(k, s);
  qn_value *zeros = qn_build_unary(b, QN_OP_MATH_CTLZ, sum, sum->type);
  /* The sum without its leading one: a fraction of 31 bits. */
  qn_value *fraction = qn_build_binary(b, QN_OP_ARITH_SHLI, sum, zeros);
  fraction = qn_build_binary(b, QN_OP_ARITH_XORI, fraction, i32_constant(b, INT32_MIN));
  /* The sum has 12 integer bits: 12 - zeros + 31 - bits. */
  zeros = widen(b, zeros);
  qn_value *shift = qn_build_binary(b, QN_OP_ARITH_SUBI, i64_constant(b, 43 - s->bits), zeros);
  scale_row(k, s, recip_1p(b, fraction), shift);
}

static qn_status lower_softmax(qn_loops *lo, qn_op *op) {
  const qn_type *type = qn_op_operand(op, 0)->type;
  qn_plan plan = qn_loops_plan(lo, op);
  softmax s = {.is_unsigned = qn_type_is_unsigned(qn_type_element(type)),
               .bits = 8 * (int64_t)qn_type_bytes(qn_type_element(op->results[0].type)),
               .zero_point = plan.softmax.output_zero_point};
  s.row = type->shaped.rank > 0 ? type->shaped.dims[type->shaped.rank - 1] : 1;
  s.rows = qn_type_elements(type) / s.row;
  int32_t exponentials[TABLE_SIZE], terms[TABLE_SIZE];
  fill_tables(&plan.softmax.params, exponentials, terms);
  const qn_type *i32 = qn_type_i(lo->cx, 32);
  qn_value *buffers[ARG_COUNT];
  buffers[ARG_X] = qn_loops_buffer(lo, qn_op_operand(op, 0));
  buffers[ARG_Y] = qn_loops_buffer(lo, qn_op_result(op, 0));
  buffers[ARG_EXPONENTIALS] =
      qn_loops_constant(lo, i32, (qn_bytes){(const uint8_t *)exponentials, sizeof exponentials});
  buffers[ARG_TERMS] = qn_loops_constant(lo, i32, (qn_bytes){(const uint8_t *)terms, sizeof terms});
  qn_kernel k = qn_kernel_begin(lo, "softmax", op, buffers, ARG_COUNT);
  qn_value *unit = qn_nest_begin(&k.b, k.lower, k.upper, 1);
  s.base = qn_index_affine(&k.b, unit, s.row, 0);
  build_row(&k, &s);
  qn_nest_end(&k.b);
  qn_kernel_end(&k, s.rows, 0);
  return QN_OK;
}
const qn_schedule qn_schedule_ml_integer_softmax = {.lower = lower_softmax,
                                                    .read = qn_plan_read_softmax};
