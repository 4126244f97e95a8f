/* Sums, differences, products and quotients of two tensors as exact units. 8 bits: a table of all
 * pairs, or an integer op that is verified on all pairs. 16 bits: integer arithmetic, or a product
 * of doubles (docs/arithmetic.md 19.4, 20.2, 20.3).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/units/units.h"
#include "quant/pairs.h"

typedef struct pair {
  const qn_op *op;
  qn_unit_tensor a, b, y;
  bool real, fused;
  int sign;        /* sign of b in a sum */
  float k, ra, rb; /* constants of the kernel of a sum */
  int64_t shift;   /* what the kernel adds to stored values */
} pair;

static qn_status read_ends(qn_planner *p, const qn_op *op, pair *out) {
  *out = (pair){.op = op, .sign = op->kind == QN_OP_ML_SUB ? -1 : 1};
  out->real = qn_type_is_float(qn_type_element(op->results[0].type), QN_F32);
  QN_TRY(qn_unit_operand(p, op, 0, &out->a));
  QN_TRY(qn_unit_operand(p, op, 1, &out->b));
  if (out->real) return QN_OK;
  QN_TRY(qn_unit_result(p, op, &out->y));
  bool alike = out->a.width == 8 && out->b.width == 8 && out->y.width == 8 &&
               out->a.is_signed == out->b.is_signed && out->a.is_signed == out->y.is_signed;
  out->fused = qn_unit_is_fused(p, op) && alike;
  out->shift = qn_unit_shift(op);
  return QN_OK;
}

static int64_t clamped(double value, const qn_unit_tensor *y) {
  return value < (double)y->min ? y->min : value > (double)y->max ? y->max : (int64_t)value;
}

/* ---- tables of all pairs ---- */

/* The result for stored values a and b, rounded to the nearest integer. */
typedef int64_t result_fn(const pair *q, int64_t a, int64_t b);

static int64_t stored_at(const qn_unit_tensor *t, int byte) {
  return t->is_signed ? (int8_t)byte : byte;
}

static uint8_t *table_of(qn_planner *p, const pair *q, result_fn *result) {
  uint8_t *table = qn_arena_alloc(p->arena, QN_PAIRS);
  for (int a = 0; a < 256; a++)
    for (int b = 0; b < 256; b++)
      table[256 * a + b] = (uint8_t)result(q, stored_at(&q->a, a), stored_at(&q->b, b));
  return table;
}

static bool are_bytes(const pair *q) {
  return q->a.width == 8 && q->b.width == 8 && q->y.width == 8;
}

static qn_status plan_pairs(qn_planner *p, const pair *q, result_fn *result, qn_plan *out) {
  out->pairs = table_of(p, q, result);
  return qn_plan_form(out);
}

/* ---- sums ---- */

static int64_t exact_sum(const pair *q, int64_t a, int64_t b) {
  int64_t x = a - q->a.zero_point, y = q->sign * (b - q->b.zero_point);
  const qn_exact exact = {.factors = {q->a.scale, 1},
                          .term_factor = q->b.scale,
                          .term = y,
                          .step = q->y.scale,
                          .count = 1};
  return clamped((double)(qn_exact_round(&exact, x + y) + q->y.zero_point), &q->y);
}

/* The stored result for a result of the kernel before rounding. */
static int64_t fused_result(const pair *q, float y) {
  return clamped(nearbyint((double)y) - (double)q->shift, &q->y);
}

static int64_t fused_sum(const pair *q, int64_t a, int64_t b) {
  float inner = fmaf((float)(b + q->shift), q->rb, q->k);
  return fused_result(q, fmaf((float)(a + q->shift), q->ra, inner));
}

/* Whether the kernel exchanges the operands, which it does if a is a scalar. */
static bool swaps(const qn_op *op) {
  return qn_type_elements(op->operands[0].value->type) == 1 &&
         qn_type_elements(op->operands[1].value->type) != 1;
}

static void prepare_fused(pair *q) {
  q->ra = (float)q->a.scale / (float)q->y.scale;
  q->rb = (float)q->b.scale / (float)q->y.scale;
  float za = (float)(q->a.zero_point + q->shift), zb = (float)(q->b.zero_point + q->shift);
  float zeros = swaps(q->op) ? fmaf(q->rb, zb, q->ra * za) : fmaf(q->ra, za, q->rb * zb);
  q->k = (float)(q->y.zero_point + q->shift) - zeros;
}

static int64_t fused_sum_swapped(const pair *q, int64_t a, int64_t b) {
  float inner = fmaf((float)(a + q->shift), q->ra, q->k);
  return fused_result(q, fmaf((float)(b + q->shift), q->rb, inner));
}

/* Whether the integer op gives the same results as the table, for all pairs. */
static bool gives(const qn_plan_binary *m, const pair *q, const uint8_t *table) {
  for (int a = 0; a < 256; a++)
    for (int b = 0; b < 256; b++) {
      int32_t x = (int32_t)(stored_at(&q->a, a) - q->a.zero_point);
      int32_t y = (int32_t)(stored_at(&q->b, b) - q->b.zero_point);
      int32_t u = qn_sum_term(x, m->left_shift, m->a, m->terms);
      int32_t v = qn_sum_term(y, m->left_shift, m->b, m->terms);
      int32_t sum = q->sign < 0 ? qn_wrap_sub32(u, v) : qn_wrap_add32(u, v);
      int64_t z = (int64_t)qn_requant32(sum, m->y.mantissa, m->y.shift) + m->output.zero_point;
      if ((uint8_t)qn_clamp32(z, m->output.min, m->output.max) != table[256 * a + b]) return false;
    }
  return true;
}

/* Finds parameters of an integer op that give the results of the table, because its kernels are
 * faster than a table of pairs. */
static bool find_integer_sum(const pair *q, const uint8_t *table, qn_plan_binary *out) {
  const double twice = 2 * fmax(q->a.scale, q->b.scale);
  if (q->a.is_signed != q->b.is_signed || q->a.is_signed != q->y.is_signed) return false;
  for (int32_t left = 21; left >= 20; left--) {
    *out = (qn_plan_binary){
        .a_zero_point = (int32_t)q->a.zero_point,
        .b_zero_point = (int32_t)q->b.zero_point,
        .left_shift = left,
        .a = qn_multiplier_of(q->a.scale / twice),
        .b = qn_multiplier_of(q->b.scale / twice),
        .y = qn_multiplier_of(ldexp(twice / q->y.scale, -left)),
        .output = {(int32_t)q->y.zero_point, (int32_t)q->y.min, (int32_t)q->y.max}};
    if (out->y.shift <= 0 && gives(out, q, table)) return true;
  }
  return false;
}

/* Computes the scales of 16-bit sums as integers over a common divisor, all below 2^62. Returns
 * false if they do not fit. */
static bool integer_terms(const pair *q, qn_unit_numbers *out) {
  int ea, eb, ey;
  double a = ldexp(frexp(q->a.scale, &ea), 24), b = ldexp(frexp(q->b.scale, &eb), 24);
  double y = ldexp(frexp(q->y.scale, &ey), 24);
  int least = ea < eb ? ea : eb;
  if (ey < least) least = ey;
  least -= 1; /* makes the divisor even, which rounding of ties requires */
  enum { MOST_TERM = 43, MOST_DIVISOR = 61, MANTISSA = 24 };
  if (ea - least > MOST_TERM - MANTISSA || eb - least > MOST_TERM - MANTISSA ||
      ey - least > MOST_DIVISOR - MANTISSA)
    return false;
  out->terms[0] = (int64_t)ldexp(a, ea - least);
  out->terms[1] = q->sign * (int64_t)ldexp(b, eb - least);
  out->divisor = (int64_t)ldexp(y, ey - least);
  return true;
}

static qn_status plan_terms(qn_planner *p, const pair *q, qn_plan *out) {
  qn_unit_numbers n = {.core = QN_UNIT_TERMS,
                       .finish = q->real ? QN_UNIT_REAL : QN_UNIT_EVEN,
                       .factors = qn_unit_number(p, q->a.scale),
                       .offsets = qn_unit_number(p, q->sign * q->b.scale),
                       .zero_point = q->y.zero_point,
                       .min = q->y.min,
                       .max = q->y.max};
  if (!q->real && !integer_terms(q, &n))
    return qn_plan_refuse(p, q->op,
                          "its scales %g, %g and %g are too far apart for integers of 64 "
                          "bits",
                          q->a.scale, q->b.scale, q->y.scale);
  return qn_unit_form(p, &n, out);
}

static qn_status plan_sum(qn_planner *p, pair *q, qn_plan *out) {
  if (!are_bytes(q)) return plan_terms(p, q, out);
  uint8_t *table = table_of(p, q, exact_sum);
  if (find_integer_sum(q, table, &out->binary)) return out->kind = QN_PLAN_SUM, QN_OK;
  *out = (qn_plan){.kind = QN_PLAN_FORM, .pairs = table, .notes = out->notes};
  return QN_OK;
}

qn_status qn_unit_add(qn_planner *p, const qn_op *op, qn_plan *out) {
  pair q;
  QN_TRY(read_ends(p, op, &q));
  if (!q.fused) return plan_sum(p, &q, out);
  prepare_fused(&q);
  return plan_pairs(p, &q, swaps(op) ? fused_sum_swapped : fused_sum, out);
}

/* Plans differences; onnxruntime has no kernel for them, so only the exact result exists. */
qn_status qn_unit_sub(qn_planner *p, const qn_op *op, qn_plan *out) {
  pair q;
  QN_TRY(read_ends(p, op, &q));
  return plan_sum(p, &q, out);
}

/* ---- products ---- */

static int64_t exact_product(const pair *q, int64_t a, int64_t b) {
  const qn_exact exact = {.factors = {q->a.scale, q->b.scale}, .step = q->y.scale, .count = 1};
  int64_t n = (a - q->a.zero_point) * (b - q->b.zero_point);
  return clamped((double)(qn_exact_round(&exact, n) + q->y.zero_point), &q->y);
}

static int64_t fused_product(const pair *q, int64_t a, int64_t b) {
  float ratio = (float)q->a.scale * (float)q->b.scale / (float)q->y.scale;
  float y = (float)((a - q->a.zero_point) * (b - q->b.zero_point)) * ratio;
  return fused_result(q, y + (float)(q->y.zero_point + q->shift));
}

qn_status qn_unit_mul(qn_planner *p, const qn_op *op, qn_plan *out) {
  pair q;
  QN_TRY(read_ends(p, op, &q));
  if (are_bytes(&q)) return plan_pairs(p, &q, q.fused ? fused_product : exact_product, out);
  const qn_exact exact = {
      .factors = {q.a.scale, q.b.scale}, .step = q.real ? 1 : q.y.scale, .count = 1};
  int64_t reach = INT64_C(1) << (q.a.width + q.b.width);
  qn_even_form form = {.factor = q.a.scale * q.b.scale, .divisor = 1};
  if (!q.real) QN_TRY(qn_unit_even(p, op, &exact, -reach, reach, &q.y, &form));
  qn_unit_numbers n = {.core = QN_UNIT_PRODUCT,
                       .finish = q.real ? QN_UNIT_REAL : QN_UNIT_EVEN,
                       .zero_point = q.y.zero_point,
                       .min = q.y.min,
                       .max = q.y.max};
  qn_unit_take(p, &form, &n);
  return qn_unit_form(p, &n, out);
}

/* ---- quotients ---- */

/* Compares a * sa / (b * sb * sy) with half / 2, for b > 0. */
static int compare_quotient(const pair *q, int64_t a, int64_t b, int64_t half) {
  const qn_exact exact = {.factors = {q->b.scale, q->y.scale}, .step = q->a.scale, .count = 1};
  return -qn_exact_compare(&exact, half * b, 4 * a);
}

/* The exact quotient; x / 0 is infinite, and 0 / 0 is NaN, which becomes the lowest value. */
static int64_t exact_quotient(const pair *q, int64_t a, int64_t b) {
  a -= q->a.zero_point, b -= q->b.zero_point;
  if (b == 0) return a > 0 ? q->y.max : q->y.min;
  if (b < 0) a = -a, b = -b;
  double y = (double)a * q->a.scale / ((double)b * q->b.scale * q->y.scale);
  if (!(fabs(y) < 0x1p20)) return y > 0 ? q->y.max : q->y.min;
  int64_t value = (int64_t)floor(y + 0.5);
  /* `y` is rounded twice, because the products of 24-bit scales and 9-bit integers are exact. */
  if (0.5 - fabs(y - (double)value) > 0x1p-48 * fmax(fabs(y), 1))
    return clamped((double)(value + q->y.zero_point), &q->y);
  int order =
      compare_quotient(q, a, b, 2 * value - 1); /* compared with the lower border of `value` */
  if (order < 0 || (order == 0 && value % 2 != 0)) value--;
  order = compare_quotient(q, a, b, 2 * value + 1);
  if (order > 0 || (order == 0 && value % 2 != 0)) value++;
  return clamped((double)(value + q->y.zero_point), &q->y);
}

qn_status qn_unit_div(qn_planner *p, const qn_op *op, qn_plan *out) {
  pair q;
  QN_TRY(read_ends(p, op, &q));
  if (q.real || !are_bytes(&q))
    return qn_plan_refuse(p, op, "quotients have an exact form of 8 bits to 8 bits only");
  return plan_pairs(p, &q, exact_quotient, out);
}

/* ---- minimum, maximum and comparisons ---- */

/* Real value; exact, because 9-bit differences times 24-bit scales fit in a double. */
static double real_of(const qn_unit_tensor *t, int64_t stored) {
  return (double)(stored - t->zero_point) * t->scale;
}

/* A stored value requantized to the result's quantization. */
static int64_t moved_to(const qn_unit_tensor *from, int64_t stored, const qn_unit_tensor *y) {
  const qn_exact exact = {.factors = {from->scale, 1}, .step = y->scale, .count = 1};
  int64_t steps = qn_exact_round(&exact, stored - from->zero_point);
  return clamped((double)(steps + y->zero_point), y);
}

static int64_t exact_maximum(const pair *q, int64_t a, int64_t b) {
  bool first = real_of(&q->a, a) >= real_of(&q->b, b);
  return first ? moved_to(&q->a, a, &q->y) : moved_to(&q->b, b, &q->y);
}
static int64_t exact_minimum(const pair *q, int64_t a, int64_t b) {
  bool first = real_of(&q->a, a) <= real_of(&q->b, b);
  return first ? moved_to(&q->a, a, &q->y) : moved_to(&q->b, b, &q->y);
}

/* The exact result of PReLU; b is the slope for negative a. */
static int64_t exact_prelu(const pair *q, int64_t a, int64_t b) {
  const int64_t x = a - q->a.zero_point;
  return x >= 0 ? moved_to(&q->a, a, &q->y) : exact_product(q, a, b);
}

static qn_status plan_bytes(qn_planner *p, const qn_op *op, result_fn *result, qn_plan *out) {
  pair q;
  QN_TRY(read_ends(p, op, &q));
  if (q.real || !are_bytes(&q))
    return qn_plan_refuse(p, op, "it has an exact form of 8 bits to 8 bits only");
  return plan_pairs(p, &q, result, out);
}

/* Plans minimum and maximum; stored values with equal quantization are compared directly. */
static qn_status plan_minmax(qn_planner *p, const qn_op *op, result_fn *result, qn_plan *out) {
  const qn_type *element = qn_type_element(op->results[0].type);
  bool same = element == qn_type_element(op->operands[0].value->type) &&
              element == qn_type_element(op->operands[1].value->type);
  return same ? p->record->plan(p, op, out) : plan_bytes(p, op, result, out);
}

qn_status qn_unit_maximum(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_minmax(p, op, exact_maximum, out);
}
qn_status qn_unit_minimum(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_minmax(p, op, exact_minimum, out);
}
qn_status qn_unit_prelu(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_bytes(p, op, exact_prelu, out);
}

/* Plans comparisons of exact reals, 8 bits. */
static qn_status plan_comparison(qn_planner *p, const qn_op *op, result_fn *result, qn_plan *out) {
  pair q = {.op = op};
  QN_TRY(qn_unit_operand(p, op, 0, &q.a));
  QN_TRY(qn_unit_operand(p, op, 1, &q.b));
  if (q.a.width != 8 || q.b.width != 8)
    return qn_plan_refuse(p, op, "it has an exact form of 8 bits only");
  return plan_pairs(p, &q, result, out);
}
#define COMPARISON(name, is)                                                                       \
  static int64_t is_##name(const pair *q, int64_t a, int64_t b) {                                  \
    return real_of(&q->a, a) is real_of(&q->b, b);                                                 \
  }                                                                                                \
  qn_status qn_unit_##name(qn_planner *p, const qn_op *op, qn_plan *out) {                         \
    return plan_comparison(p, op, is_##name, out);                                                 \
  }
COMPARISON(equal, ==)
COMPARISON(not_equal, !=)
COMPARISON(less, <)
COMPARISON(less_equal, <=)
COMPARISON(greater, >)
COMPARISON(greater_equal, >=)
#undef COMPARISON
