/* Random elementwise ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "elementwise.h"

#include <math.h>

#include "quant/multiplier.h"

typedef struct shape {
  uint32_t rank;
  int64_t dims[4];
} shape;

static shape random_shape(maker *m) {
  shape s = {.rank = (uint32_t)maker_range(m, 1, 4)};
  int64_t limit = 6000;
  for (uint32_t i = s.rank; i-- > 0;) {
    s.dims[i] = maker_dim(m);
    if (s.dims[i] > limit) s.dims[i] = limit;
    limit /= s.dims[i];
  }
  return s;
}

/* An operand that broadcasts to `full`: some dimensions are 1, leading ones may be missing. */
static const qn_type *random_operand(maker *m, const shape *full, bool broadcast) {
  shape s = *full;
  for (uint32_t i = 0; broadcast && i < s.rank; i++)
    if (maker_chance(m, 40)) s.dims[i] = 1;
  uint32_t skip = 0;
  while (broadcast && skip + 1 < s.rank && s.dims[skip] == 1 && maker_chance(m, 50)) skip++;
  return maker_tensor(m, maker_byte(m, maker_chance(m, 30)), s.rank - skip, s.dims + skip);
}

static qn_value *random_value(maker *m, const qn_type *type) {
  return maker_chance(m, 30) ? maker_const_random(m, type) : maker_input(m, type);
}

static int64_t random_zero_point(maker *m, const qn_type *type) {
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(type));
  return is_unsigned ? maker_range(m, 0, 255) : maker_range(m, -128, 127);
}

static void random_clamp(maker *m, bool is_unsigned, int64_t *out_min, int64_t *out_max) {
  *out_min = is_unsigned ? 0 : -128;
  *out_max = is_unsigned ? 255 : 127;
  if (maker_chance(m, 30)) *out_min = maker_range(m, *out_min, *out_max - 10);
  if (maker_chance(m, 20)) *out_max = maker_range(m, *out_min + 1, *out_max);
}

/* Scales as people choose them: of two digits, or powers of two. Their sums are often ties. */
static void make_round(maker *m, double *io_a, double *io_b, double *io_result) {
  bool in_twos = maker_chance(m, 30);
  double *scales[] = {io_a, io_b, io_result}, most = 0;
  for (int i = 0; i < 3; i++) {
    double digits = (double)maker_range(m, 1, 99);
    *scales[i] = in_twos ? ldexp(1, (int)maker_range(m, -6, 0)) : (double)(float)(digits / 1000);
    if (i < 2) most = fmax(most, *scales[i]);
  }
  while (*io_result < most / 4) *io_result *= 2;
}

qn_value *elementwise_add(maker *m, qn_value *a, qn_value *b, const qn_type *result,
                          bool subtract) {
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(result));
  double sa = maker_scale(m, 0.001, 1.0), sb = maker_scale(m, sa / 8, sa * 8);
  double so = maker_scale(m, sa + sb, 2 * (sa + sb));
  if (maker_chance(m, 50)) make_round(m, &sa, &sb, &so);
  qn_add_multipliers q = qn_multipliers_add(&qn_profile_litert_ref, 8, sa, sb, so, subtract);
  int64_t min, max;
  random_clamp(m, is_unsigned, &min, &max);
  int64_t za = random_zero_point(m, a->type), zb = random_zero_point(m, b->type);
  int64_t zo = random_zero_point(m, result);
  return maker_op(
      m, subtract ? QN_OP_ML_INTEGER_SUB : QN_OP_ML_INTEGER_ADD, result, QN_VALUES(a, b),
      QN_ATTRS({"a_zero_point", maker_i64(m, za)}, {"b_zero_point", maker_i64(m, zb)},
               {"left_shift", maker_i64(m, q.left_shift)},
               {"a_multiplier", maker_i64(m, q.a.mantissa)}, {"a_shift", maker_i64(m, q.a.shift)},
               {"b_multiplier", maker_i64(m, q.b.mantissa)}, {"b_shift", maker_i64(m, q.b.shift)},
               {"multiplier", maker_i64(m, q.output.mantissa)},
               {"shift", maker_i64(m, q.output.shift)}, {"output_zero_point", maker_i64(m, zo)},
               {"min", maker_i64(m, min)}, {"max", maker_i64(m, max)}));
}

static qn_value *build_mul(maker *m, qn_value *a, qn_value *b, const qn_type *result) {
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(result));
  qn_multiplier q = qn_multiplier_of(maker_scale(m, 1e-4, maker_chance(m, 20) ? 3.0 : 0.05));
  int64_t min, max;
  random_clamp(m, is_unsigned, &min, &max);
  int64_t za = random_zero_point(m, a->type), zb = random_zero_point(m, b->type);
  int64_t zo = random_zero_point(m, result);
  return maker_op(m, QN_OP_ML_INTEGER_MUL, result, QN_VALUES(a, b),
                  QN_ATTRS({"a_zero_point", maker_i64(m, za)}, {"b_zero_point", maker_i64(m, zb)},
                           {"multiplier", maker_i64(m, q.mantissa)},
                           {"shift", maker_i64(m, q.shift)},
                           {"output_zero_point", maker_i64(m, zo)}, {"min", maker_i64(m, min)},
                           {"max", maker_i64(m, max)}));
}

/* Operands and result of an op with broadcasting. Each dimension of the result is the larger of the
 * operands'. */
typedef struct pair {
  qn_value *a, *b;
  const qn_type *result;
} pair;

static pair random_pair(maker *m) {
  shape full = random_shape(m);
  bool broadcast = maker_chance(m, 60);
  const qn_type *a = random_operand(m, &full, broadcast && maker_chance(m, 50));
  const qn_type *b = random_operand(m, &full, broadcast);
  for (uint32_t i = 0; i < full.rank; i++) {
    uint32_t skip_a = full.rank - a->shaped.rank, skip_b = full.rank - b->shaped.rank;
    int64_t da = i < skip_a ? 1 : a->shaped.dims[i - skip_a];
    int64_t db = i < skip_b ? 1 : b->shaped.dims[i - skip_b];
    full.dims[i] = da > db ? da : db;
  }
  uint32_t rank = a->shaped.rank > b->shaped.rank ? a->shaped.rank : b->shaped.rank;
  pair p;
  p.a = maker_input(m, a);
  p.b = random_value(m, b);
  p.result =
      maker_tensor(m, maker_byte(m, maker_chance(m, 30)), rank, full.dims + (full.rank - rank));
  return p;
}

void case_add(maker *m) {
  pair p = random_pair(m);
  bool swap = maker_chance(m, 50), subtract = maker_chance(m, 30);
  qn_value *y = elementwise_add(m, swap ? p.b : p.a, swap ? p.a : p.b, p.result, subtract);
  maker_return(m, &y, 1);
}

void case_mul(maker *m) {
  pair p = random_pair(m);
  qn_value *y = build_mul(m, p.a, p.b, p.result);
  maker_return(m, &y, 1);
}

qn_value *elementwise_lut(maker *m, qn_value *x, const qn_type *result) {
  int64_t size = 256;
  qn_value *table = maker_const_random(m, maker_tensor(m, qn_type_element(result), 1, &size));
  return maker_op(m, QN_OP_ML_LUT, result, QN_VALUES(x, table), NULL);
}

void case_lut(maker *m) {
  shape s = random_shape(m);
  qn_value *x = maker_input(m, maker_tensor(m, maker_byte(m, maker_chance(m, 30)), s.rank, s.dims));
  qn_value *y =
      elementwise_lut(m, x, maker_tensor(m, maker_byte(m, maker_chance(m, 30)), s.rank, s.dims));
  maker_return(m, &y, 1);
}

/* To 8 bits, or to 16 without a zero point; often to no value below the zero point. */
void case_quantize(maker *m) {
  shape s = random_shape(m);
  const bool is_wide = maker_chance(m, 25);
  qn_value *x = maker_input(m, maker_tensor(m, qn_type_float(m->cx, QN_F32), s.rank, s.dims));
  const qn_type *byte = maker_byte(m, maker_chance(m, 30));
  const qn_type *result = maker_tensor(m, is_wide ? qn_type_i(m->cx, 16) : byte, s.rank, s.dims);
  double scale = maker_chance(m, 50) ? 1.0 : maker_scale(m, 0.001, 4.0);
  const char *rounding = maker_chance(m, 50) ? "even" : "away";
  int64_t min, max, zero_point = random_zero_point(m, result);
  random_clamp(m, qn_type_is_unsigned(qn_type_element(result)), &min, &max);
  if (is_wide) zero_point = 0, min = INT16_MIN, max = maker_range(m, 0, INT16_MAX);
  if (maker_chance(m, 30)) min = zero_point;
  if (max < min) max = min;
  qn_value *y =
      maker_op(m, QN_OP_ML_QUANTIZE_FLOAT, result, QN_VALUES(x),
               QN_ATTRS({"scale", qn_attr_float(m->cx, scale, qn_type_float(m->cx, QN_F64))},
                        {"zero_point", maker_i64(m, zero_point)}, {"min", maker_i64(m, min)},
                        {"max", maker_i64(m, max)},
                        {"rounding", qn_attr_string(m->cx, qn_str_of(rounding))}));
  maker_return(m, &y, 1);
}

void case_dequantize(maker *m) {
  shape s = random_shape(m);
  qn_value *x = maker_input(m, maker_tensor(m, maker_byte(m, maker_chance(m, 30)), s.rank, s.dims));
  const qn_type *result = maker_tensor(m, qn_type_float(m->cx, QN_F32), s.rank, s.dims);
  double scale = maker_scale(m, 0.001, 4.0);
  int64_t zero_point = random_zero_point(m, x->type);
  qn_value *y =
      maker_op(m, QN_OP_ML_DEQUANTIZE_FLOAT, result, QN_VALUES(x),
               QN_ATTRS({"scale", qn_attr_float(m->cx, scale, qn_type_float(m->cx, QN_F64))},
                        {"zero_point", maker_i64(m, zero_point)}));
  maker_return(m, &y, 1);
}
