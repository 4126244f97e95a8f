/* integer_add, integer_sub and integer_mul in lanes. Forms, from cheap to expensive: two FMAs if
 * proved exact; a product of pairs of words, one of which has a low byte from a table, which is
 * cheaper where a lookup permutes registers; three FMAs, one of which adds a correction from a
 * table; the reference's fixed-point sequence in 64-bit lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/ops/binary.h"

#include "lower/loops/fixed_point.h"
#include "lower/loops/products.h"
#include "lower/loops/proofs.h"
#include "lower/loops/vec.h"

/* ---- constants and proofs ---- */

static int32_t reference_sum(const void *user, int32_t a, int32_t b) {
  const qn_binary *n = user;
  int32_t u = qn_sum_term(a - n->a_zero_point, n->left_shift, n->a, n->terms);
  int32_t v = qn_sum_term(b - n->b_zero_point, n->left_shift, n->b, n->terms);
  uint32_t sum = n->subtract ? (uint32_t)u - (uint32_t)v : (uint32_t)u + (uint32_t)v;
  int32_t y = qn_requant32_by((int32_t)sum, n->output, qn_sum_rounding(n->terms));
  return qn_clamp32((int64_t)y + n->zero_point, n->min, n->max);
}

static qn_interval stored_range(bool is_unsigned) {
  return is_unsigned ? (qn_interval){0, UINT8_MAX} : (qn_interval){INT8_MIN, INT8_MAX};
}

/* How much the product of the sum is rounded before the final rounding, in results. */
static double last_error(const qn_binary *n) {
  return n->terms == QN_TERM_ONCE ? 0 : ldexp(0.5, n->output.shift);
}

/* Upper bound of the difference between the reference and the exact sum, in results. Each term is
 * rounded twice, to half a unit each, or the second time down by up to a unit; or once. The sum is
 * multiplied, and usually rounded before the final rounding. Requires that nothing wraps. */
static double sum_error(const qn_binary *n) {
  enum { SAFE_SHIFT = 21 }; /* so that 2 * (255 << 21) fits in i32 */
  if (n->left_shift > SAFE_SHIFT || n->a.shift > 0 || n->b.shift > 0 || n->output.shift > 0)
    return HUGE_VAL;
  const double unit = n->terms == QN_TERM_DOWN ? 1.5 : n->terms == QN_TERM_ONCE ? 0.5 : 1;
  return 2 * unit * qn_multiplier_real(n->output) + last_error(n);
}

static qn_sum_question sum_question(const qn_binary *n) {
  double unit = ldexp(qn_multiplier_real(n->output), n->left_shift);
  double scale_a = unit * qn_multiplier_real(n->a);
  double scale_b = (n->subtract ? -unit : unit) * qn_multiplier_real(n->b);
  double offset = n->zero_point - scale_a * n->a_zero_point - scale_b * n->b_zero_point;
  qn_interval a = stored_range(n->a_unsigned), b = stored_range(n->b_unsigned);
  const qn_fma2_question sum = {.reference = reference_sum,
                                .user = n,
                                .scale_a = scale_a,
                                .scale_b = scale_b,
                                .offset = offset,
                                .reference_error = sum_error(n),
                                .a_lo = (int32_t)a.lo,
                                .a_hi = (int32_t)a.hi,
                                .b_lo = (int32_t)b.lo,
                                .b_hi = (int32_t)b.hi,
                                .min = n->min,
                                .max = n->max};
  return (qn_sum_question){.sum = sum, .zero_point = n->zero_point};
}

static qn_fma2_form search_sum_form(const void *user) {
  const qn_sum_question question = sum_question(user);
  const qn_fma2_form form = qn_fma2_form_find(&question.sum);
  return form.proved ? form : qn_fma2_form_find_wide(&question);
}

static qn_paired_form search_paired_form(const void *user) {
  const qn_sum_question question = sum_question(user);
  return qn_paired_form_find(&question);
}

/* The contribution of each stored value of one operand, in units of the result. */
static qn_corrected_side corrected_side(const qn_binary *n, int which) {
  const qn_multiplier m = which ? n->b : n->a;
  const int32_t zero_point = which ? n->b_zero_point : n->a_zero_point;
  const double sign = which && n->subtract ? -1 : 1, unit = sign * qn_multiplier_real(n->output);
  const qn_interval range = stored_range(which ? n->b_unsigned : n->a_unsigned);
  qn_corrected_side side = {.scale = ldexp(unit * qn_multiplier_real(m), n->left_shift),
                            .zero_point = zero_point,
                            .lo = (int32_t)range.lo,
                            .hi = (int32_t)range.hi};
  for (int32_t x = side.lo; x <= side.hi; x++)
    side.terms[x - side.lo] = unit * qn_sum_term(x - zero_point, n->left_shift, m, n->terms);
  return side;
}

static qn_corrected_form search_corrected_form(const void *user) {
  const qn_binary *n = user;
  if (isinf(sum_error(n))) return (qn_corrected_form){.proved = false};
  const qn_corrected_question question = {.reference = reference_sum,
                                          .user = n,
                                          .sides = {corrected_side(n, 0), corrected_side(n, 1)},
                                          .last = last_error(n),
                                          .zero_point = n->zero_point,
                                          .min = n->min,
                                          .max = n->max};
  return qn_corrected_form_find(&question);
}

/* The numbers that the forms of sums depend on. */
enum { SUM_NUMBERS = 16 };

static bool finds_multiply_adds(const qn_loops *lo, qn_binary *n, const int32_t *numbers) {
  n->sum_form = qn_proofs_fma2(lo->proofs, numbers, SUM_NUMBERS, search_sum_form, n);
  return n->sum_form.proved;
}

static bool finds_pairs(const qn_loops *lo, qn_binary *n, const int32_t *numbers) {
  n->paired = qn_proofs_paired(lo->proofs, numbers, SUM_NUMBERS, search_paired_form, n);
  if (!n->paired->proved) n->paired = NULL;
  return n->paired;
}

static void find_sum_forms(const qn_loops *lo, qn_binary *n) {
  const int32_t numbers[] = {n->subtract,
                             n->a_unsigned,
                             n->b_unsigned,
                             n->a_zero_point,
                             n->b_zero_point,
                             n->left_shift,
                             n->a.mantissa,
                             n->a.shift,
                             n->b.mantissa,
                             n->b.shift,
                             n->output.mantissa,
                             n->output.shift,
                             n->zero_point,
                             n->min,
                             n->max,
                             n->terms};
  QN_ASSERT(QN_COUNT(numbers) == SUM_NUMBERS);
  /* A table costs few instructions where a lookup permutes registers. */
  bool found = lo->target->permutes
                   ? finds_pairs(lo, n, numbers) || finds_multiply_adds(lo, n, numbers)
                   : finds_multiply_adds(lo, n, numbers) || finds_pairs(lo, n, numbers);
  if (found) return;
  n->corrected = qn_proofs_corrected(lo->proofs, numbers, SUM_NUMBERS, search_corrected_form, n);
  if (!n->corrected->proved) n->corrected = NULL;
}

static qn_fma_form find_product_form(const qn_loops *lo, const qn_binary *n) {
  qn_interval a = stored_range(n->a_unsigned), b = stored_range(n->b_unsigned);
  qn_interval range = {INT64_MAX, INT64_MIN};
  for (int corner = 0; corner < 4; corner++) {
    int64_t x = (corner & 1 ? a.hi : a.lo) - n->a_zero_point;
    int64_t y = (corner & 2 ? b.hi : b.lo) - n->b_zero_point;
    if (x * y < range.lo) range.lo = x * y;
    if (x * y > range.hi) range.hi = x * y;
  }
  qn_requant requant = {.rounding = n->rounding,
                        .multiplier = n->output,
                        .zero_point = n->zero_point,
                        .min = n->min,
                        .max = n->max};
  return qn_interval_fits_i32(range) ? qn_proofs_fma(lo->proofs, &requant, range)
                                     : (qn_fma_form){.kind = QN_FMA_NONE};
}

qn_binary qn_binary_of(const qn_loops *lo, const qn_op *op) {
  qn_plan plan = qn_loops_plan(lo, op);
  const qn_plan_binary *p = &plan.binary;
  qn_binary n = {.product = plan.kind == QN_PLAN_PRODUCT,
                 .subtract = op->kind == QN_OP_ML_INTEGER_SUB,
                 .a_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(op, 0)->type)),
                 .b_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(op, 1)->type)),
                 .is_unsigned = qn_type_is_unsigned(qn_type_element(op->results[0].type)),
                 .words = qn_type_is_int(qn_type_element(op->results[0].type), 16),
                 .a_zero_point = p->a_zero_point,
                 .b_zero_point = p->b_zero_point,
                 .left_shift = p->left_shift,
                 .a = p->a,
                 .b = p->b,
                 .output = p->y,
                 .rounding = p->rounding,
                 .terms = p->terms,
                 .zero_point = p->output.zero_point,
                 .min = p->output.min,
                 .max = p->output.max};
  bool defined = qn_fixed_in_range(n.a) && qn_fixed_in_range(n.b) && qn_fixed_in_range(n.output);
  if (!lo->target->fma || !defined || n.words)
    return n; /* 16-bit operands have too many pairs for a proof */
  if (n.product)
    n.product_form = find_product_form(lo, &n);
  else
    find_sum_forms(lo, &n);
  return n;
}

/* ---- in the kernel ---- */

static qn_value *widen(qn_builder *b, qn_value *bytes, bool is_unsigned) {
  return qn_vec_cast(b, is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, bytes,
                     qn_type_i(b->cx, 32));
}

static qn_value *to_float(qn_builder *b, qn_value *lanes) {
  return qn_vec_cast(b, QN_OP_ARITH_SITOFP, lanes, qn_type_float(b->cx, QN_F32));
}

static qn_value *fma_with(qn_builder *b, qn_value *x, float scale, qn_value *offset) {
  qn_value *splat = qn_build_float(b, (double)scale, x->type);
  return qn_build_1(b, QN_OP_MATH_FMA, x->type, QN_VALUES(x, splat, offset), NULL);
}

/* The proofs bound results to the range of i32; narrowing clamps them. */
static qn_value *round_to_int(qn_builder *b, qn_value *y) {
  const qn_type *type = qn_type_with_element(b->cx, y->type, qn_type_i(b->cx, 32));
  return qn_build_unary(b, QN_OP_QUERN_ROUND_TO_INT, y, type);
}

static qn_value *centre(qn_builder *b, qn_value *lanes, int32_t zero_point) {
  if (zero_point == 0) return lanes;
  return qn_build_binary_int(b, QN_OP_ARITH_SUBI, lanes, zero_point);
}

static qn_value *requantize(qn_builder *b, const qn_binary *n, qn_value *lanes) {
  if (n->rounding == QN_REQUANT_SINGLE) {
    const qn_type *f32 = qn_type_with_element(b->cx, lanes->type, qn_type_float(b->cx, QN_F32));
    qn_value *factor = qn_build_float(b, qn_multiplier_real(n->output), f32);
    lanes = qn_fixed_requant_single(b, lanes, factor, NULL, (double)n->min - n->zero_point,
                                    (double)n->max - n->zero_point);
  } else {
    bool once = n->terms == QN_TERM_ONCE || n->rounding == QN_REQUANT_ONCE;
    lanes = qn_fixed_requant32_by(b, lanes, n->output, once ? QN_REQUANT_ONCE : QN_REQUANT_DOUBLE);
  }
  return qn_fixed_add_zero_point(b, lanes, n->zero_point, n->min, n->max);
}

static qn_value *shift_by(qn_builder *b, qn_value *lanes, int32_t left) {
  if (left == 0) return lanes;
  qn_op_kind kind = left < 0 ? QN_OP_ARITH_SHRSI : QN_OP_ARITH_SHLI;
  return qn_build_binary_int(b, kind, lanes, left < 0 ? -left : left);
}

/* qn_sum_term of every lane. */
static qn_value *scaled_term(qn_builder *b, const qn_binary *n, qn_value *lanes, int32_t zero_point,
                             qn_multiplier m) {
  if (n->terms == QN_TERM_ONCE)
    return qn_fixed_requant32_once(b, shift_by(b, centre(b, lanes, zero_point), n->left_shift), m);
  const bool down = n->terms == QN_TERM_DOWN && m.shift < 0;
  const bool in_steps = n->terms != QN_TERM_SINGLE;
  lanes = shift_by(b, centre(b, lanes, zero_point), n->left_shift + (in_steps ? 0 : m.shift));
  if (in_steps && !down) return qn_fixed_requant32(b, lanes, m);
  lanes = qn_fixed_requant32(b, lanes, (qn_multiplier){m.mantissa, 0});
  return down ? shift_by(b, lanes, m.shift) : lanes;
}

qn_value *qn_binary_sum_floats(qn_builder *b, const qn_binary *binary, qn_value *x, qn_value *y) {
  const qn_fma2_form *form = &binary->sum_form;
  QN_ASSERT(form->proved && x->type == y->type);
  qn_value *inner = fma_with(b, y, form->scale_b, qn_build_float(b, (double)form->offset, y->type));
  return round_to_int(b, fma_with(b, x, form->scale_a, inner));
}

/* As qn_corrected_form_apply, without the clamp. */
static qn_value *emit_corrected(qn_builder *b, const qn_binary *n, qn_value *table, qn_value *first,
                                qn_value *second) {
  const qn_corrected_form *form = n->corrected;
  qn_value *first_real = to_float(b, widen(b, first, n->a_unsigned));
  qn_value *second_real = to_float(b, widen(b, second, n->b_unsigned));
  qn_value *x = qn_build_float(b, (double)form->offset, first_real->type);
  if (table) {
    qn_value *of = form->of_first ? first : second;
    qn_value *bytes = qn_build_1(b, QN_OP_QUERN_LOOKUP, of->type, QN_VALUES(table, of), NULL);
    x = fma_with(b, to_float(b, widen(b, bytes, false)), form->unit, x);
  }
  x = fma_with(b, form->of_first ? first_real : second_real, form->scale_b, x);
  x = fma_with(b, form->of_first ? second_real : first_real, form->scale_a, x);
  qn_value *y = qn_fixed_round_away(b, x, (double)form->half);
  return centre(b, y, -form->zero_point);
}

/* ---- pairs of words ---- */

/* Bytes that packing and interleaving move within; and a part of x, instead of half 0 or 1. */
enum { BLOCK = 16, WHOLE = -1 };

/* A part of each 128 bits of x, interleaved with that of y. */
static qn_value *interleaved(qn_builder *b, qn_value *x, qn_value *y, int half) {
  const int64_t block = BLOCK / qn_type_bytes(qn_type_element(x->type));
  return half == WHOLE ? qn_vec_interleave(b, x, y) : qn_vec_interleave_half(b, x, y, block, half);
}

static qn_value *words_of(qn_builder *b, qn_value *low, qn_value *high, int half) {
  return qn_vec_bitcast(b, interleaved(b, low, high, half), qn_type_i(b->cx, 16));
}

/* Stored values less 128 if they are unsigned. */
static qn_value *centred(qn_builder *b, qn_value *bytes, int32_t middle) {
  return middle ? qn_build_binary_int(b, QN_OP_ARITH_XORI, bytes, INT8_MIN) : bytes;
}

/* The sums of pairs of words of a and b, not clamped. */
static qn_value *paired_sums(qn_builder *b, const qn_paired_form *form, qn_value *a, qn_value *w,
                             int half) {
  const qn_type *i32 = qn_type_i(b->cx, 32);
  qn_value *pairs = interleaved(b, a, w, half);
  const int64_t lanes = qn_vec_count(pairs) / 2;
  const uint32_t both = (uint32_t)(uint16_t)form->factor_a | (uint32_t)(uint16_t)form->factor_b
                                                                 << 16;
  qn_value *factors = qn_vec_splat(b, (int32_t)both, i32, lanes);
  qn_value *sums = qn_vec_splat(b, form->offset, i32, lanes);
  sums = qn_products_of_pairs(b, sums, pairs, qn_vec_bitcast(b, factors, qn_type_i(b->cx, 16)));
  return qn_build_binary_int(b, QN_OP_ARITH_SHRSI, sums, form->shift);
}

static qn_value *emit_paired(qn_builder *b, const qn_binary *n, qn_value *table, qn_value *first,
                             qn_value *second) {
  const qn_paired_form *form = n->paired;
  qn_value *of = form->of_first ? first : second, *other = form->of_first ? second : first;
  qn_value *low = qn_build_1(b, QN_OP_QUERN_LOOKUP, of->type, QN_VALUES(table, of), NULL);
  qn_value *x = centred(b, other, form->middle_a), *y = centred(b, of, form->middle_b);
  qn_value *zero = qn_build_int(b, 0, x->type), *sums[4];
  if (qn_vec_count(first) % BLOCK != 0) {
    qn_value *a = words_of(b, zero, x, WHOLE), *w = words_of(b, low, y, WHOLE);
    sums[0] = paired_sums(b, form, a, w, WHOLE);
    return qn_fixed_narrow(b, sums[0], n->min, n->max, n->is_unsigned);
  }
  for (int half = 0; half < 2; half++) {
    qn_value *a = words_of(b, zero, x, half), *w = words_of(b, low, y, half);
    sums[2 * half] = paired_sums(b, form, a, w, 0);
    sums[2 * half + 1] = paired_sums(b, form, a, w, 1);
  }
  return qn_fixed_narrow_blocks(b, sums, n->min, n->max, n->is_unsigned);
}

static qn_value *emit_sum(qn_builder *b, const qn_binary *n, qn_value *x, qn_value *y) {
  if (n->sum_form.proved) {
    qn_value *a = to_float(b, x);
    return qn_binary_sum_floats(b, n, a, to_float(b, y));
  }
  qn_value *u = scaled_term(b, n, x, n->a_zero_point, n->a);
  qn_value *v = scaled_term(b, n, y, n->b_zero_point, n->b);
  return requantize(b, n,
                    qn_build_binary(b, n->subtract ? QN_OP_ARITH_SUBI : QN_OP_ARITH_ADDI, u, v));
}

static qn_value *emit_product(qn_builder *b, const qn_binary *n, qn_value *x, qn_value *y) {
  const qn_fma_form *form = &n->product_form;
  x = centre(b, x, n->a_zero_point);
  y = centre(b, y, n->b_zero_point);
  qn_value *p = qn_build_binary(b, QN_OP_ARITH_MULI, x, y);
  if (form->kind == QN_FMA_NONE) return requantize(b, n, p);
  qn_value *f = to_float(b, p), *offset = qn_build_float(b, (double)form->offset, f->type);
  if (form->kind == QN_FMA_SIGNED) {
    qn_value *negative = qn_build_cmpi(b, QN_CMP_SLT, p, qn_build_int(b, 0, p->type));
    offset = qn_build_select(b, negative, qn_build_float(b, (double)form->offset_negative, f->type),
                             offset);
  }
  return round_to_int(b, fma_with(b, f, form->scale, offset));
}

qn_value *qn_binary_table(qn_loops *lo, const qn_binary *n) {
  enum { ENTRIES = 256 };
  if (!qn_binary_has_table(n)) return NULL;
  qn_bytes bytes = {n->paired ? n->paired->low : (const uint8_t *)n->corrected->corrections,
                    ENTRIES};
  return qn_loops_constant(lo, qn_type_i(lo->cx, 8), bytes);
}

static qn_value *emit_lanes(qn_builder *b, const qn_binary *n, qn_value *table, qn_value *a,
                            qn_value *bytes_b) {
  if (n->corrected) return emit_corrected(b, n, table, a, bytes_b);
  qn_value *x = widen(b, a, n->a_unsigned), *y = widen(b, bytes_b, n->b_unsigned);
  return n->product ? emit_product(b, n, x, y) : emit_sum(b, n, x, y);
}

qn_value *qn_binary_emit(qn_builder *b, const qn_binary *n, qn_value *table, qn_value *a,
                         qn_value *bytes_b) {
  QN_ASSERT(qn_binary_has_table(n) == (table != NULL));
  if (n->paired) return emit_paired(b, n, table, a, bytes_b);
  qn_value *result = emit_lanes(b, n, table, a, bytes_b);
  if (!n->words) return qn_fixed_narrow(b, result, n->min, n->max, n->is_unsigned);
  result = qn_fixed_clamp(b, result, n->min, n->max);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, result, qn_type_i(b->cx, 16));
}
