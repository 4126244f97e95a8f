/* Roundings of runtime/fixed.h in bodies of linalg.generic, and elementwise decompositions with
 * parameters of a plan: comparisons, and slopes of integers that are too wide for a table of all
 * pairs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/float_form/fixed.h"

/* ---- scalars ---- */

static qn_value *binary(qn_form *f, qn_op_kind kind, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, kind, a, b);
}
static qn_value *number(qn_form *f, int64_t value, const qn_value *like) {
  return qn_build_int(f->b, value, like->type);
}

qn_value *qn_form_less_zero_point(qn_form *f, qn_value *x, bool is_unsigned, int32_t zero_point) {
  x = qn_form_widened(f, x, is_unsigned, 32);
  return zero_point ? binary(f, QN_OP_ARITH_SUBI, x, number(f, zero_point, x)) : x;
}

qn_value *qn_form_rdhm32(qn_form *f, qn_value *a, qn_value *b) {
  qn_value *wide_a = qn_form_widened(f, a, false, 64), *wide_b = qn_form_widened(f, b, false, 64);
  qn_value *product = binary(f, QN_OP_ARITH_MULI, wide_a, wide_b);
  product = binary(f, QN_OP_ARITH_ADDI, product, number(f, INT64_C(1) << 30, product));
  product = binary(f, QN_OP_ARITH_SHRSI, product, number(f, 31, product));
  return qn_form_widened(f, product, false, 32);
}

qn_value *qn_form_rdivp2(qn_form *f, qn_value *x, int32_t n) {
  if (n == 0) return x;
  int64_t mask = (INT64_C(1) << n) - 1;
  qn_value *is_negative = qn_build_cmpi(f->b, QN_CMP_SLT, x, number(f, 0, x));
  qn_value *rest = binary(f, QN_OP_ARITH_ANDI, x, number(f, mask, x));
  qn_value *half_below = number(f, (mask >> 1) + 1, x), *half_above = number(f, mask >> 1, x);
  qn_value *half = qn_build_select(f->b, is_negative, half_below, half_above);
  qn_value *above = qn_build_cmpi(f->b, QN_CMP_SGT, rest, half);
  qn_value *one = qn_form_widened(f, above, true, 32);
  x = binary(f, QN_OP_ARITH_SHRSI, x, number(f, n, x));
  return binary(f, QN_OP_ARITH_ADDI, x, one);
}

qn_value *qn_form_requant32(qn_form *f, qn_value *x, qn_multiplier m) {
  if (m.shift > 0) x = binary(f, QN_OP_ARITH_SHLI, x, number(f, m.shift, x));
  x = qn_form_rdhm32(f, x, number(f, m.mantissa, x));
  return m.shift < 0 ? qn_form_rdivp2(f, x, -m.shift) : x;
}

qn_value *qn_form_requant64(qn_form *f, qn_value *x, qn_multiplier m) {
  int64_t mantissa = qn_reduced_mantissa(m.mantissa);
  int32_t shift = 15 - m.shift;
  x = binary(f, QN_OP_ARITH_MULI, x, number(f, mantissa, x));
  x = binary(f, QN_OP_ARITH_ADDI, x, number(f, INT64_C(1) << (shift - 1), x));
  x = binary(f, QN_OP_ARITH_SHRSI, x, number(f, shift, x));
  return qn_form_widened(f, x, false, 32);
}

qn_value *qn_form_finished(qn_form *f, qn_value *x) {
  const qn_form_numbers *n = f->numbers;
  uint32_t width = qn_type_element(qn_form_stored_result(f))->integer.width;
  x = qn_form_widened(f, x, false, 64); /* where the sum can't wrap */
  x = binary(f, QN_OP_ARITH_ADDI, x, number(f, n->zero_point, x));
  x = binary(f, QN_OP_ARITH_MAXSI, x, number(f, n->min, x));
  x = binary(f, QN_OP_ARITH_MINSI, x, number(f, n->max, x));
  return qn_form_widened(f, x, false, width);
}

/* ---- comparisons: reals in steps of 2^-8 ---- */

static qn_value *in_steps(qn_form *f, qn_value *x, uint32_t operand, int32_t zero_point,
                          qn_multiplier m) {
  x = qn_form_less_zero_point(f, x, qn_form_is_unsigned(f, operand), zero_point);
  x = binary(f, QN_OP_ARITH_SHLI, x, number(f, f->numbers->left_shift, x));
  return qn_form_requant32(f, x, m);
}

#define COMPARISON(name, predicate)                                                                \
  static qn_value *is_##name(qn_form *f, qn_value *const *e) {                                     \
    const qn_form_numbers *n = f->numbers;                                                         \
    qn_value *a = in_steps(f, e[0], 0, n->a_zero_point, n->a);                                     \
    qn_value *b = in_steps(f, e[1], 1, n->b_zero_point, n->b);                                     \
    return qn_build_cmpi(f->b, predicate, a, b);                                                   \
  }                                                                                                \
  qn_value *qn_form_fixed_##name(qn_form *f) { return qn_form_elementwise(f, is_##name); }
COMPARISON(equal, QN_CMP_EQ)
COMPARISON(not_equal, QN_CMP_NE)
COMPARISON(less, QN_CMP_SLT)
COMPARISON(less_equal, QN_CMP_SLE)
COMPARISON(greater, QN_CMP_SGT)
COMPARISON(greater_equal, QN_CMP_SGE)

/* ---- a slope per element ---- */

static qn_value *sloped(qn_form *f, qn_value *const *e) {
  const qn_form_numbers *n = f->numbers;
  qn_value *d = qn_form_less_zero_point(f, e[0], qn_form_is_unsigned(f, 0), n->a_zero_point);
  qn_value *slope = qn_form_less_zero_point(f, e[1], qn_form_is_unsigned(f, 1), n->b_zero_point);
  qn_value *above = qn_form_requant32(f, d, n->a);
  qn_value *below = qn_form_requant32(f, binary(f, QN_OP_ARITH_MULI, d, slope), n->b);
  qn_value *holds = qn_build_cmpi(f->b, QN_CMP_SGE, d, number(f, 0, d));
  return qn_form_finished(f, qn_build_select(f->b, holds, above, below));
}
qn_value *qn_form_fixed_prelu(qn_form *f) { return qn_form_elementwise(f, sloped); }
