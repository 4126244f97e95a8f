/* Layer normalization in ml.integer_lstm: the sums of a gate minus their mean, divided by their
 * standard deviation, in fixed point as src/eval/ref/lstm.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/fixed.h"
#include "lower/loops/fixed_point.h"
#include "lower/loops/int16/lstm.h"
#include "lower/loops/nest.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/vec.h"

enum { STEP_BITS = 10, POWER_BITS = 20 };

qn_value *qn_lstm_sum_index(qn_builder *b, const qn_lstm_kernel *l, uint32_t gate, qn_value *unit) {
  return qn_nest_add(b, qn_index_add(b, l->sums, gate * l->units), unit);
}

/* ---- of a gate ---- */

typedef struct totals {
  qn_value *sum, *squares; /* i64 */
} totals;

static totals build_totals(qn_kernel *k, const qn_lstm_kernel *l, uint32_t gate) {
  qn_builder *b = &k->b;
  const qn_type *i64 = qn_type_i(b->cx, 64);
  qn_value *zero = qn_build_int(b, 0, i64), *sums[2] = {zero, zero};
  qn_carry loop = qn_carry_begin(b, 0, l->units, 1, sums, 2);
  qn_value *at = qn_lstm_sum_index(b, l, gate, loop.index);
  qn_value *x = qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_i(b->cx, 16),
                           QN_VALUES(qn_lstm_arg(k, l, QN_LSTM_B_SUMS), at), NULL);
  x = qn_build_unary(b, QN_OP_ARITH_EXTSI, x, i64);
  qn_value *square = qn_build_binary(b, QN_OP_ARITH_MULI, x, x);
  sums[0] = qn_build_binary(b, QN_OP_ARITH_ADDI, sums[0], x);
  sums[1] = qn_build_binary(b, QN_OP_ARITH_ADDI, sums[1], square);
  qn_carry_end(b, &loop);
  return (totals){sums[0], sums[1]};
}

/* The mean in steps of 2^-10; means of 16-bit sums have 26 bits. */
static qn_value *build_mean(qn_builder *b, const qn_lstm_kernel *l, qn_value *sum) {
  qn_value *mean = qn_build_binary_int(b, QN_OP_ARITH_SHLI, sum, STEP_BITS);
  return qn_build_binary_int(b, QN_OP_ARITH_DIVSI, mean, l->units);
}

static qn_value *build_variance(qn_builder *b, const qn_lstm_kernel *l, qn_value *squares,
                                qn_value *mean, uint32_t gate) {
  qn_value *spread =
      qn_build_binary_int(b, QN_OP_ARITH_MULI, squares, (INT64_C(1) << POWER_BITS) / l->units);
  qn_value *square = qn_build_binary(b, QN_OP_ARITH_MULI, mean, mean);
  spread = qn_build_binary(b, QN_OP_ARITH_SUBI, spread, square);
  qn_value *variance = qn_build_binary_int(b, QN_OP_ARITH_DIVSI, spread, INT64_C(1) << POWER_BITS);
  variance = qn_build_unary(b, QN_OP_ARITH_TRUNCI, variance, qn_type_i(b->cx, 32));
  qn_value *one = qn_build_int(b, 1, variance->type);
  qn_value *small = qn_build_cmpi(b, QN_CMP_SLT, variance, one);
  qn_value *guard = qn_build_int(b, qn_op_guards(l->op).data[gate], variance->type);
  return qn_build_select(b, small, guard, variance);
}

void qn_lstm_build_norm(qn_kernel *k, qn_lstm_kernel *l, uint32_t gate) {
  qn_builder *b = &k->b;
  const qn_type *i64 = qn_type_i(b->cx, 64), *i32 = qn_type_i(b->cx, 32);
  qn_lstm_norm *n = &l->norms[gate];
  totals t = build_totals(k, l, gate);
  qn_value *mean = build_mean(b, l, t.sum);
  qn_value *variance = build_variance(b, l, t.squares, mean, gate);
  n->mean = qn_build_unary(b, QN_OP_ARITH_TRUNCI, mean, i32);
  qn_form f = {.b = b, .cx = b->cx};
  qn_form_recip root = qn_form_inverse_root(&f, variance);
  n->factor = qn_build_unary(b, QN_OP_ARITH_EXTSI, root.value, i64);
  n->down = qn_build_unary(b, QN_OP_ARITH_EXTSI, root.exponent, i64);
  qn_value *one = qn_build_int(b, 1, i64);
  qn_value *power = qn_build_binary(b, QN_OP_ARITH_SHLI, one, n->down);
  n->mask = qn_build_binary(b, QN_OP_ARITH_SUBI, power, one);
  n->half = qn_build_binary(b, QN_OP_ARITH_SHRSI, n->mask, one);
}

/* ---- of lanes ---- */

static qn_value *by_scalar(qn_builder *b, qn_op_kind kind, qn_value *lanes, qn_value *scalar) {
  qn_value *all = qn_vec_broadcast(b, scalar, qn_vec_count(lanes));
  return qn_build_binary(b, kind, lanes, all);
}

/* qn_rdhm32 by the factor, then qn_rdivp2: qn_requant32 without a left shift. */
static qn_value *scaled(qn_builder *b, const qn_lstm_norm *n, qn_value *lanes) {
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_EXTSI, lanes, qn_type_i(b->cx, 64));
  x = by_scalar(b, QN_OP_ARITH_MULI, x, n->factor);
  x = qn_build_binary_int(b, QN_OP_ARITH_ADDI, x, INT64_C(1) << 30);
  x = qn_build_binary_int(b, QN_OP_ARITH_SHRSI, x, 31);
  qn_value *zero = qn_build_int(b, 0, x->type), *one = qn_build_int(b, 1, x->type);
  qn_value *is_below = qn_build_cmpi(b, QN_CMP_SLT, x, zero);
  qn_value *half = qn_vec_broadcast(b, n->half, qn_vec_count(x));
  half = qn_build_binary(b, QN_OP_ARITH_ADDI, half, qn_build_select(b, is_below, one, zero));
  qn_value *rest = by_scalar(b, QN_OP_ARITH_ANDI, x, n->mask);
  qn_value *is_above = qn_build_cmpi(b, QN_CMP_SGT, rest, half);
  x = by_scalar(b, QN_OP_ARITH_SHRSI, x, n->down);
  x = qn_build_binary(b, QN_OP_ARITH_ADDI, x, qn_build_select(b, is_above, one, zero));
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, x, qn_type_i(b->cx, 32));
}

qn_value *qn_lstm_normalized(qn_kernel *k, const qn_lstm_kernel *l, uint32_t gate, qn_value *unit,
                             int64_t lanes) {
  qn_builder *b = &k->b;
  const qn_lstm_norm *n = &l->norms[gate];
  qn_value *at = qn_lstm_sum_index(b, l, gate, unit);
  qn_value *x = qn_stored_load(b, qn_lstm_arg(k, l, QN_LSTM_B_SUMS), at, 0, lanes, false);
  x = qn_build_binary_int(b, QN_OP_ARITH_SHLI, x, STEP_BITS);
  x = scaled(b, n, by_scalar(b, QN_OP_ARITH_SUBI, x, n->mean));
  int64_t row = gate * l->units;
  qn_value *gain = qn_vec_load(b, qn_lstm_arg(k, l, QN_LSTM_B_GAINS), unit, row, lanes);
  qn_value *bias = qn_vec_load(b, qn_lstm_arg(k, l, QN_LSTM_B_NORM_BIAS), unit, row, lanes);
  x = qn_build_binary(b, QN_OP_ARITH_MULI, x, gain);
  x = qn_build_binary(b, QN_OP_ARITH_ADDI, x, bias);
  x = qn_fixed_rounding_shift(b, x, STEP_BITS);
  x = qn_fixed_requant32(b, x, qn_lstm_multiplier(l, QN_LSTM_OF_GAINS + gate));
  return qn_lstm_saturated(b, x);
}
