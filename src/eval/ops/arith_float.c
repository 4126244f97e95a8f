/* Evaluators of the float ops of arith and math. Each result is rounded once to nearest even. f32
 * and f64 use the C operators (the build forbids contraction). f16 and bf16 are computed in f64,
 * whose precision is more than twice theirs, so that the second rounding does not change the
 * result. A NaN that is computed or converted with f16 or bf16 becomes the positive quiet NaN
 * without payload.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <string.h>

#include "eval/ops/elementwise.h"
#include "ir/types/float_format.h"

static bool is_f32(const qn_type *type) { return qn_type_is_float(qn_type_element(type), QN_F32); }
static bool is_f64(const qn_type *type) { return qn_type_is_float(qn_type_element(type), QN_F64); }

static qn_float_kind kind_of(const qn_type *type) { return qn_type_element(type)->float_kind; }

static bool is_narrow(const qn_type *type) {
  return qn_type_is_float(qn_type_element(type), QN_F16) ||
         qn_type_is_float(qn_type_element(type), QN_BF16);
}

static qn_status check_float(qn_eval *ev, const qn_op *op, const qn_type *type) {
  if (is_f32(type) || is_f64(type) || is_narrow(type)) return QN_OK;
  return qn_eval_fail(ev, op, "is interpreted for f16, bf16, f32 and f64 only");
}

/* a * b + c of narrow floats, rounded to odd, so that the final rounding to nearest is correct. */
static double fma_to_odd(double a, double b, double c) {
  double product = a * b, sum = product + c; /* the product is exact */
  double part = sum - product, error = (product - (sum - part)) + (c - part);
  uint64_t bits;
  memcpy(&bits, &sum, sizeof bits);
  if (!isfinite(sum) || error == 0 || (bits & 1)) return sum;
  return nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}

/* maximum and minimum implement MLIR's maximumf and minimumf: NaN if an operand is NaN, and -0 <
 * +0. maximum_number and minimum_number implement maxnumf and minnumf: the other operand if one is
 * NaN. Upstream does not specify which of two zeros maxnumf and minnumf give; here also -0 < +0. */
static double maximum(double a, double b) {
  if (isnan(a) || isnan(b)) return NAN;
  if (a == b) return signbit(a) ? b : a;
  return a > b ? a : b;
}
static double minimum(double a, double b) {
  if (isnan(a) || isnan(b)) return NAN;
  if (a == b) return signbit(a) ? a : b;
  return a < b ? a : b;
}

static double maximum_number(double a, double b) {
  return isnan(a) ? b : isnan(b) ? a : maximum(a, b);
}
static double minimum_number(double a, double b) {
  return isnan(a) ? b : isnan(b) ? a : minimum(a, b);
}

/* x, or for any NaN the only NaN that f16 and bf16 results can have. */
static double computed(double x) { return isnan(x) ? NAN : x; }

/* Loops over all lanes: a, b and c are the operands' elements, of C type T. */
#define FLOAT_LOOP(op_name, T, expression)                                                         \
  for (int64_t i = 0; i < lanes.count; i++) {                                                      \
    T a = ((const T *)lanes.in[0])[i];                                                             \
    T b = lanes.in[1] ? ((const T *)lanes.in[1])[i] : 0;                                           \
    T c = lanes.in[2] ? ((const T *)lanes.in[2])[i] : 0;                                           \
    (void)b, (void)c;                                                                              \
    ((T *)lanes.out)[i] = (T)(expression);                                                         \
  }
#define NARROW_LOOP(op_name, expression)                                                           \
  for (int64_t i = 0; i < lanes.count; i++) {                                                      \
    double a = qn_float_load(kind, lanes.in[0] + 2 * i);                                           \
    double b = lanes.in[1] ? qn_float_load(kind, lanes.in[1] + 2 * i) : 0;                         \
    double c = lanes.in[2] ? qn_float_load(kind, lanes.in[2] + 2 * i) : 0;                         \
    (void)b, (void)c;                                                                              \
    qn_float_store(kind, expression, lanes.out + 2 * i);                                           \
  }
#define FLOAT_OP(op_name, single, wide) NARROWED_OP(op_name, single, wide, computed(wide))
#define NARROWED_OP(op_name, single, wide, narrow)                                                 \
  qn_status qn_eval_##op_name(qn_eval *ev, const qn_op *op) {                                      \
    qn_lanes lanes;                                                                                \
    QN_TRY(check_float(ev, op, op->results[0].type));                                              \
    QN_TRY(qn_lanes_open(ev, op, &lanes));                                                         \
    qn_float_kind kind = qn_type_element(op->results[0].type)->float_kind;                         \
    if (is_narrow(op->results[0].type)) {                                                          \
      NARROW_LOOP(op_name, narrow)                                                                 \
    } else if (kind == QN_F32) {                                                                   \
      FLOAT_LOOP(op_name, float, single)                                                           \
    } else {                                                                                       \
      FLOAT_LOOP(op_name, double, wide)                                                            \
    }                                                                                              \
    qn_lanes_close(&lanes);                                                                        \
    return QN_OK;                                                                                  \
  }
FLOAT_OP(arith_addf, a + b, a + b)
FLOAT_OP(arith_subf, a - b, a - b)
FLOAT_OP(arith_mulf, a *b, a *b)
FLOAT_OP(arith_divf, a / b, a / b)
FLOAT_OP(arith_remf, fmodf(a, b), fmod(a, b))
NARROWED_OP(arith_negf, -a, -a, -a) /* changes only the sign bit, also of a NaN */
FLOAT_OP(arith_maximumf, maximum(a, b), maximum(a, b))
FLOAT_OP(arith_minimumf, minimum(a, b), minimum(a, b))
FLOAT_OP(arith_maxnumf, maximum_number(a, b), maximum_number(a, b))
FLOAT_OP(arith_minnumf, minimum_number(a, b), minimum_number(a, b))
NARROWED_OP(math_fma, fmaf(a, b, c), fma(a, b, c), computed(fma_to_odd(a, b, c)))
FLOAT_OP(math_roundeven, nearbyintf(a), nearbyint(a))
FLOAT_OP(math_round, roundf(a), round(a))
FLOAT_OP(math_floor, floorf(a), floor(a))
FLOAT_OP(math_ceil, ceilf(a), ceil(a))
FLOAT_OP(math_trunc, truncf(a), trunc(a))
NARROWED_OP(math_absf, fabsf(a), fabs(a), fabs(a))

/* ---- comparison ---- */

/* The predicates in MLIR's numbering, and what is true of a and b. */
#define PREDICATES(ROW)                                                                            \
  ROW(never, 0)                                                                                    \
  ROW(oeq, a == b)                                                                                 \
  ROW(ogt, a > b)                                                                                  \
  ROW(oge, a >= b)                                                                                 \
  ROW(olt, a < b)                                                                                  \
  ROW(ole, a <= b)                                                                                 \
  ROW(one, (a < b) | (a > b))                                                                      \
  ROW(ord, (a == a) & (b == b))                                                                    \
  ROW(ueq, !((a < b) | (a > b)))                                                                   \
  ROW(ugt, !(a <= b))                                                                              \
  ROW(uge, !(a < b))                                                                               \
  ROW(ult, !(a >= b))                                                                              \
  ROW(ule, !(a > b))                                                                               \
  ROW(une, a != b)                                                                                 \
  ROW(uno, (a != a) | (b != b))                                                                    \
  ROW(always, 1)

#define COMPARE(name, expression)                                                                  \
  static bool compare_##name(double a, double b) {                                                 \
    (void)a, (void)b;                                                                              \
    return expression;                                                                             \
  }                                                                                                \
  static void compare_singles_##name(const float *x, const float *y, uint8_t *out,                 \
                                     int64_t count) {                                              \
    for (int64_t i = 0; i < count; i++) {                                                          \
      float a = x[i], b = y[i];                                                                    \
      (void)a, (void)b;                                                                            \
      out[i] = expression;                                                                         \
    }                                                                                              \
  }
PREDICATES(COMPARE)

#define COMPARISON(name, expression) {compare_##name, compare_singles_##name},
static const struct comparison {
  bool (*one)(double a, double b);
  void (*singles)(const float *x, const float *y, uint8_t *out, int64_t count);
} comparisons[] = {PREDICATES(COMPARISON)};

qn_status qn_eval_arith_cmpf(qn_eval *ev, const qn_op *op) {
  qn_lanes lanes;
  QN_TRY(check_float(ev, op, qn_op_operand(op, 0)->type));
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  int64_t predicate = qn_op_predicate(op);
  if (predicate < 0 || predicate >= (int64_t)QN_COUNT(comparisons))
    return qn_eval_fail(ev, op, "has an unknown predicate");
  const struct comparison *compare = &comparisons[predicate];
  qn_float_kind kind = kind_of(qn_op_operand(op, 0)->type);
  if (kind == QN_F32)
    compare->singles((const float *)(const void *)lanes.in[0],
                     (const float *)(const void *)lanes.in[1], lanes.out, lanes.count);
  else
    for (int64_t i = 0; i < lanes.count; i++)
      lanes.out[i] = compare->one(qn_lane_float(lanes.in[0], i, lanes.in_bytes, kind),
                                  qn_lane_float(lanes.in[1], i, lanes.in_bytes, kind));
  qn_lanes_close(&lanes);
  return QN_OK;
}

/* ---- conversions ---- */

static uint32_t int_width(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  return element->kind == QN_TYPE_INTEGER ? element->integer.width : 64;
}

/* Rounds toward zero. Upstream leaves values outside of the integer type undefined; here they are
 * errors. */
static qn_status float_to_int(qn_eval *ev, const qn_op *op, bool is_signed) {
  QN_TRY(check_float(ev, op, qn_op_operand(op, 0)->type));
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  uint32_t width = int_width(op->results[0].type);
  double above = ldexp(1.0, (int)width - (is_signed ? 1 : 0)), below = is_signed ? -above : 0.0;
  qn_float_kind kind = kind_of(qn_op_operand(op, 0)->type);
  for (int64_t i = 0; i < lanes.count; i++) {
    double x = trunc(qn_lane_float(lanes.in[0], i, lanes.in_bytes, kind));
    if (!(x >= below && x < above))
      return qn_eval_undefined(ev, op, "converts a value out of range");
    int64_t bits = is_signed ? (int64_t)x : (int64_t)(uint64_t)x;
    bits = qn_low_bits(bits, width, width > 1); /* an i1 is stored as 0 or 1 */
    qn_write_int(lanes.out, i, lanes.out_bytes, bits);
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}
qn_status qn_eval_arith_fptosi(qn_eval *ev, const qn_op *op) { return float_to_int(ev, op, true); }
qn_status qn_eval_arith_fptoui(qn_eval *ev, const qn_op *op) { return float_to_int(ev, op, false); }

/* An integer as a double, rounded to odd: bits beyond its precision are collected in the last one,
 * so that rounding again to a narrow float gives the result of rounding once. */
static double to_odd(uint64_t magnitude) {
  if (magnitude >> 53 == 0) return (double)magnitude;
  return ldexp((double)(magnitude >> 11 | ((magnitude & 2047) != 0)), 11);
}

static double wide_of(uint64_t u, bool is_signed, bool narrow) {
  if (!narrow) return is_signed ? (double)(int64_t)u : (double)u;
  bool negative = is_signed && (int64_t)u < 0;
  return negative ? -to_odd(0 - u) : to_odd(u);
}

/* In a loop of its own, for which compilers use vectors. */
static void ints_to_singles(const int32_t *x, float *y, int64_t count) {
  for (int64_t i = 0; i < count; i++) y[i] = (float)x[i];
}

static qn_status int_to_float(qn_eval *ev, const qn_op *op, bool is_signed) {
  QN_TRY(check_float(ev, op, op->results[0].type));
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  const qn_type *from = qn_type_element(qn_op_operand(op, 0)->type);
  uint32_t width = int_width(from);
  /* converts to f32 directly, because a conversion through double would round twice */
  bool f32 = is_f32(op->results[0].type), narrow = is_narrow(op->results[0].type);
  bool zeros = qn_type_is_unsigned(from);
  qn_float_kind kind = kind_of(op->results[0].type);
  bool usual = f32 && is_signed && width == 32 && !zeros;
  if (usual) ints_to_singles((const int32_t *)lanes.in[0], (float *)lanes.out, lanes.count);
  for (int64_t i = usual ? lanes.count : 0; i < lanes.count; i++) {
    int64_t x = qn_read_int(lanes.in[0], i, lanes.in_bytes, zeros);
    if (width == 1 && is_signed) x = -x;
    uint64_t u = width < 64 ? (uint64_t)x & ((UINT64_C(1) << width) - 1) : (uint64_t)x;
    float single = is_signed ? (float)x : (float)u;
    double y = f32 ? (double)single : wide_of(is_signed ? (uint64_t)x : u, is_signed, narrow);
    qn_lane_set_float(lanes.out, i, lanes.out_bytes, kind, y);
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}
qn_status qn_eval_arith_sitofp(qn_eval *ev, const qn_op *op) { return int_to_float(ev, op, true); }
qn_status qn_eval_arith_uitofp(qn_eval *ev, const qn_op *op) { return int_to_float(ev, op, false); }

/* Makes a signalling NaN quiet, as CPU conversions between f32 and f64 do. It changes the bits,
 * because a compiler may remove arithmetic that changes no value. */
static double quieted(double x) {
  uint64_t bits;
  if (!isnan(x)) return x;
  memcpy(&bits, &x, sizeof bits);
  bits |= UINT64_C(1) << 51;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static qn_status float_to_float(qn_eval *ev, const qn_op *op) {
  QN_TRY(check_float(ev, op, qn_op_operand(op, 0)->type));
  QN_TRY(check_float(ev, op, op->results[0].type));
  qn_lanes lanes;
  QN_TRY(qn_lanes_open(ev, op, &lanes));
  qn_float_kind from = kind_of(qn_op_operand(op, 0)->type), to = kind_of(op->results[0].type);
  bool narrow = is_narrow(qn_op_operand(op, 0)->type) || is_narrow(op->results[0].type);
  for (int64_t i = 0; i < lanes.count; i++) {
    double x = qn_lane_float(lanes.in[0], i, lanes.in_bytes, from);
    qn_lane_set_float(lanes.out, i, lanes.out_bytes, to, narrow ? computed(x) : quieted(x));
  }
  qn_lanes_close(&lanes);
  return QN_OK;
}
qn_status qn_eval_arith_extf(qn_eval *ev, const qn_op *op) { return float_to_float(ev, op); }
qn_status qn_eval_arith_truncf(qn_eval *ev, const qn_op *op) { return float_to_float(ev, op); }
