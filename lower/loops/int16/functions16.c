/* Vector versions of the scalar functions, without the cases that their arguments cannot reach.
 * Exponentials and reciprocals stay within 16 bits unless a comment says otherwise
 * (lower.test_functions16 tests all arguments).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/int16/functions16.h"

#include "lower/loops/fixed_point.h"
#include "lower/loops/vec.h"
#include "quant/table16.h"
#include "runtime/fixed16.h"

enum { ENTRIES = 256 };

static qn_value *sum(qn_builder *b, qn_value *x, qn_value *y) {
  return qn_build_binary(b, QN_OP_ARITH_ADDI, x, y);
}
static qn_value *constant(qn_builder *b, int64_t value, const qn_value *like) {
  return qn_build_int(b, value, like->type);
}
static qn_value *compare(qn_builder *b, qn_cmpi predicate, qn_value *x, int64_t value) {
  return qn_build_cmpi(b, predicate, x, constant(b, value, x));
}

/* qn_rdhm16 without its only overflowing case, -32768 * -32768. */
static qn_value *high(qn_builder *b, qn_value *x, qn_value *y) {
  qn_value *product = qn_build_binary(b, QN_OP_ARITH_MULI, x, y);
  return qn_build_binary_int(b, QN_OP_ARITH_SHRSI,
                             qn_build_binary_int(b, QN_OP_ARITH_ADDI, product, 1 << 14), 15);
}
static qn_value *high_constant(qn_builder *b, qn_value *x, int32_t word) {
  return high(b, x, constant(b, qn_fixed16_constant(word), x));
}

/* ---- fixed point ---- */

/* qn_fixed16_exp for a <= 0. */
static qn_value *exponential(qn_builder *b, qn_value *a, int32_t k) {
  const int32_t fraction = 15 - k, quarter = 1 << (fraction - 2);
  qn_value *r = qn_build_binary_int(b, QN_OP_ARITH_ANDI, a, quarter - 1);
  r = qn_build_binary_int(b, QN_OP_ARITH_SUBI, r, quarter);
  qn_value *x = qn_build_binary_int(b, QN_OP_ARITH_SHLI, r, k);
  x = qn_build_binary_int(b, QN_OP_ARITH_ADDI, x, qn_fixed16_constant(QN_FIXED_EIGHTH));
  qn_value *x2 = high(b, x, x), *x3 = high(b, x2, x), *x4 = high(b, x2, x2);
  qn_value *u = sum(b, qn_fixed_rounding_shift(b, x4, 2), x3);
  u = sum(b, high_constant(b, u, QN_FIXED_THIRD), x2);
  u = sum(b, x, qn_fixed_rounding_shift(b, u, 1));
  qn_value *result = high_constant(b, u, QN_FIXED_EXP_CENTRE);
  result =
      qn_build_binary_int(b, QN_OP_ARITH_ADDI, result, qn_fixed16_constant(QN_FIXED_EXP_CENTRE));
  result = qn_build_binary_int(b, QN_OP_ARITH_MINSI, result, INT16_MAX);
  qn_value *rest = qn_build_binary(b, QN_OP_ARITH_SUBI, r, a);
  for (int32_t p = QN_FIXED_EXP_LOW; p <= QN_FIXED_EXP_HIGH && p < k; p++) {
    qn_value *bit = qn_build_binary_int(b, QN_OP_ARITH_ANDI, rest, 1 << (fraction + p));
    qn_value *smaller = high_constant(b, result, qn_fixed_exp_factor(p));
    result = qn_build_select(b, compare(b, QN_CMP_NE, bit, 0), smaller, result);
  }
  if (k > 5) {
    qn_value *tiny = compare(b, QN_CMP_SLT, a, -(INT32_C(1) << (20 - k)));
    result = qn_build_select(b, tiny, constant(b, 0, a), result);
  }
  return qn_build_select(b, compare(b, QN_CMP_EQ, a, 0), constant(b, INT16_MAX, a), result);
}

/* qn_fixed16_recip_half for a >= 0. */
static qn_value *reciprocal_half(qn_builder *b, qn_value *a) {
  qn_value *h = qn_build_binary_int(b, QN_OP_ARITH_ADDI, a, INT16_MAX + 1);
  h = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, h, 1);
  qn_value *y = high_constant(b, h, QN_FIXED_RECIP_SLOPE);
  y = qn_build_binary_int(b, QN_OP_ARITH_ADDI, y, qn_fixed16_constant(QN_FIXED_RECIP_START));
  for (int i = 0; i < 3; i++) {
    qn_value *rest = constant(b, 1 << 13, a);
    rest = qn_build_binary(b, QN_OP_ARITH_SUBI, rest, high(b, h, y));
    y = sum(b, y, qn_build_binary_int(b, QN_OP_ARITH_SHLI, high(b, y, rest), 2));
  }
  return y;
}

static qn_value *logistic(qn_builder *b, qn_value *x, qn_value *minus, int32_t k) {
  qn_value *y = reciprocal_half(b, exponential(b, minus, k));
  y = qn_build_binary_int(b, QN_OP_ARITH_MINSI, qn_build_binary_int(b, QN_OP_ARITH_SHLI, y, 1),
                          INT16_MAX); /* 1 at 0 */
  qn_value *other = qn_build_binary(b, QN_OP_ARITH_SUBI, constant(b, INT16_MAX, y), y);
  y = qn_build_select(b, compare(b, QN_CMP_SGT, x, 0), y, other);
  return qn_build_select(b, compare(b, QN_CMP_EQ, x, 0), constant(b, 1 << 14, y), y);
}

static qn_value *hyperbolic(qn_builder *b, qn_value *x, qn_value *minus, int32_t k) {
  qn_value *y = reciprocal_half(b, exponential(b, minus, k + 1));
  y = qn_build_binary_int(b, QN_OP_ARITH_SHLI, qn_build_binary_int(b, QN_OP_ARITH_SUBI, y, 1 << 13),
                          2);
  y = qn_build_binary_int(b, QN_OP_ARITH_MINSI, y, INT16_MAX); /* 1 at -infinity */
  qn_value *other = qn_build_binary(b, QN_OP_ARITH_SUBI, constant(b, 0, y), y);
  y = qn_build_select(b, compare(b, QN_CMP_SGT, x, 0), y, other);
  return qn_build_select(b, compare(b, QN_CMP_EQ, x, 0), constant(b, 0, y), y);
}

qn_value *qn_lanes_fixed16(qn_builder *b, bool tanh, qn_value *x, int32_t integer_bits) {
  qn_value *negative = qn_build_binary(b, QN_OP_ARITH_SUBI, constant(b, 0, x), x);
  qn_value *minus = qn_build_binary(b, QN_OP_ARITH_MINSI, x, negative); /* -|x| */
  return tanh ? hyperbolic(b, x, minus, integer_bits) : logistic(b, x, minus, integer_bits);
}

/* ---- the table ---- */

qn_value *qn_lanes_sigmoid_table(qn_loops *lo) {
  uint16_t sigmoid[ENTRIES];
  qn_sigmoid_table(sigmoid);
  int32_t *table = QN_NEW_ARRAY(lo->scratch, 2 * ENTRIES, int32_t);
  for (int i = 0; i < ENTRIES; i++) {
    table[i] = sigmoid[i];
    table[ENTRIES + i] = i + 1 < ENTRIES ? sigmoid[i + 1] - sigmoid[i] : 0;
  }
  return qn_loops_constant(lo, qn_type_i(lo->cx, 32),
                           (qn_bytes){(const uint8_t *)table, 2 * ENTRIES * sizeof *table});
}

static qn_value *entry(qn_builder *b, qn_value *table, qn_value *index) {
  return qn_build_1(b, QN_OP_QUERN_GATHER, index->type, QN_VALUES(table, index), NULL);
}

/* Interpolates between two table entries; the fraction has `bits` bits below the index. `saturated`
 * beyond the last entry. */
static qn_value *interpolate(qn_builder *b, qn_value *table, qn_value *magnitude, int bits,
                             int32_t saturated) {
  qn_value *number = qn_build_binary_int(b, QN_OP_ARITH_SHRUI, magnitude, bits);
  qn_value *beyond = compare(b, QN_CMP_SGE, number, ENTRIES - 1);
  number = qn_build_binary_int(b, QN_OP_ARITH_MINSI, number, ENTRIES - 1);
  qn_value *fraction = qn_build_binary_int(b, QN_OP_ARITH_ANDI, magnitude, (1 << bits) - 1);
  qn_value *base = qn_build_binary_int(b, QN_OP_ARITH_SHLI, entry(b, table, number), bits);
  qn_value *step = entry(b, table, qn_build_binary_int(b, QN_OP_ARITH_ADDI, number, ENTRIES));
  qn_value *y = sum(b, base, qn_build_binary(b, QN_OP_ARITH_MULI, fraction, step));
  return qn_build_select(b, beyond, constant(b, saturated, y), y);
}

qn_value *qn_lanes_table16(qn_builder *b, bool tanh, qn_value *table, qn_value *x,
                           int32_t multiplier, int32_t shift) {
  qn_value *v = qn_build_binary_int(b, QN_OP_ARITH_MULI, x, multiplier);
  if (shift > 0) {
    v = qn_build_binary_int(b, QN_OP_ARITH_ADDI, v, INT64_C(1) << (shift - 1));
    v = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, v, shift);
  }
  qn_value *minus = qn_build_binary(b, QN_OP_ARITH_SUBI, constant(b, 0, v), v);
  qn_value *magnitude = qn_build_binary(b, QN_OP_ARITH_MAXSI, v, minus);
  /* g, and what the results for both signs of v are: c + g and c' - g, with rounding. */
  int down = tanh ? 8 : 10;
  int32_t one = tanh ? 1 << 23 : 1 << 25, half = 1 << (down - 1);
  qn_value *g = interpolate(b, table, magnitude, tanh ? 8 : 9, tanh ? 65535 << 8 : 32767 << 10);
  qn_value *positive = qn_build_binary_int(b, QN_OP_ARITH_ADDI, g, tanh ? half - one : half);
  qn_value *other = qn_build_binary(b, QN_OP_ARITH_SUBI, constant(b, one + half - 1, g), g);
  qn_value *y = qn_build_select(b, compare(b, QN_CMP_SGE, v, 0), positive, other);
  return qn_build_binary_int(b, QN_OP_ARITH_SHRSI, y, down);
}
