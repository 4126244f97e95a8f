/* Requantization per channel, from constants in lanes: initial accumulator, then
 *
 *   reduced:  i64 mantissa, rounding, right shift     (qn_requant64)
 *   double:   i32 left shift, mantissa, right shift   (qn_requant32)
 *             and the limit of accumulators that are clamped first
 *   once:     i32 right shift, mantissa               (qn_requant32_once)
 *   real:     f64 multiplier                          (qn_requant_real)
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/int16/int16.h"

#include "lower/loops/fixed_point.h"
#include "lower/loops/ops/stored.h"
#include "lower/loops/vec.h"
#include "runtime/fixed.h"

enum { X, WEIGHTS, BIAS, MULTIPLIER, SHIFT }; /* operand indices */

/* ---- constants ---- */

int64_t qn_int16_weight(const qn_int16_product *w, int64_t channel, int64_t tap) {
  int64_t i = w->depthwise ? tap * w->channels + channel : channel * w->taps + tap;
  return qn_stored_constant(w->op, WEIGHTS, i) - qn_op_weight_zero_point(w->op);
}

/* Whether 32 bits hold every channel's accumulator for arbitrary inputs. */
static bool is_proved(const qn_int16_product *w) {
  for (int64_t c = 0; c < w->channels; c++) {
    int64_t bias = qn_stored_constant(w->op, BIAS, c), most = INT32_MAX;
    if (bias < -most || bias > most) return false;
    most -= bias < 0 ? -bias : bias;
    for (int64_t t = 0; t < w->taps && most >= 0; t++) {
      int64_t weight = qn_int16_weight(w, c, t);
      most -= (weight < 0 ? -weight : weight) << 15;
    }
    if (most < 0) return false;
  }
  return true;
}

static int64_t largest_weight(const qn_int16_product *w) {
  int64_t largest = 1;
  for (int64_t c = 0; c < w->channels; c++)
    for (int64_t t = 0; t < w->taps; t++) {
      int64_t weight = qn_int16_weight(w, c, t), size = weight < 0 ? -weight : weight;
      if (size > largest) largest = size;
    }
  return largest;
}

static qn_limited limited_of(const qn_int16_product *w, int64_t c) {
  qn_multiplier m = {(int32_t)qn_stored_constant(w->op, MULTIPLIER, c),
                     (int32_t)qn_stored_constant(w->op, SHIFT, c)};
  return qn_multiplier_limited(m, w->rounding == QN_REQUANT_REDUCED ? 7 : 31);
}

static bool is_limited(const qn_int16_product *w) {
  if (w->rounding == QN_REQUANT_REAL) return false;
  for (int64_t c = 0; c < w->channels; c++)
    if (limited_of(w, c).limit != INT64_MAX) return true;
  return false;
}

typedef int64_t parameter_fn(const qn_int16_product *w, int64_t channel);

static int64_t bias_of(const qn_int16_product *w, int64_t c) {
  return qn_stored_constant(w->op, BIAS, c);
}
static int32_t mantissa_of(const qn_int16_product *w, int64_t c) {
  return limited_of(w, c).multiplier.mantissa;
}
static int32_t shift_of(const qn_int16_product *w, int64_t c) {
  return limited_of(w, c).multiplier.shift;
}
static int64_t limit_of(const qn_int16_product *w, int64_t c) {
  int64_t limit = limited_of(w, c).limit;
  return w->wide ? limit : qn_sat32(limit);
}
/* Mantissa of the reduced rounding. For shifts of 15 and more nothing is rounded, and the mantissa
 * contains the remaining factor. */
static int64_t reduced_of(const qn_int16_product *w, int64_t c) {
  int32_t shift = shift_of(w, c), more = shift > 15 ? shift - 15 : 0;
  return (int64_t)qn_reduced_mantissa(mantissa_of(w, c)) << more;
}
static int64_t reduced_rounding_of(const qn_int16_product *w, int64_t c) {
  int32_t shift = shift_of(w, c);
  return shift < 15 ? INT64_C(1) << (14 - shift) : 0;
}
static int64_t reduced_shift_of(const qn_int16_product *w, int64_t c) {
  int32_t shift = shift_of(w, c);
  return shift < 15 ? 15 - shift : 0;
}
static int64_t left_of(const qn_int16_product *w, int64_t c) {
  return shift_of(w, c) > 0 ? shift_of(w, c) : 0;
}
static int64_t whole_of(const qn_int16_product *w, int64_t c) { return mantissa_of(w, c); }
static int64_t right_of(const qn_int16_product *w, int64_t c) {
  return shift_of(w, c) < 0 ? -shift_of(w, c) : 0;
}

static int64_t once_right_of(const qn_int16_product *w, int64_t c) { return 31 - shift_of(w, c); }

/* The f64 multiplier as a bit pattern. */
static int64_t real_of(const qn_int16_product *w, int64_t c) {
  const qn_attr *payload = qn_loops_payload(w->op, MULTIPLIER);
  int64_t bits;
  memcpy(&bits, payload->dense.bytes.data + (payload->dense.splat ? 0 : 8 * c), sizeof bits);
  return bits;
}

/* Parameter functions, indexed by rounding. */
static parameter_fn *const rounding_of[][3] = {
    [QN_REQUANT_REAL] = {real_of},
    [QN_REQUANT_REDUCED] = {reduced_of, reduced_rounding_of, reduced_shift_of},
    [QN_REQUANT_DOUBLE] = {left_of, whole_of, right_of},
    [QN_REQUANT_ONCE] = {once_right_of, whole_of},
}; /* the other roundings exist for 8-bit results only */

static parameter_fn *parameter_of(const qn_int16_product *w, uint32_t parameter) {
  if (parameter == QN_INT16_START) return bias_of;
  if (parameter == QN_INT16_LIMIT) return w->limited ? limit_of : NULL;
  return rounding_of[w->rounding][parameter - QN_INT16_ROUNDING];
}

const qn_type *qn_int16_parameter_type(const qn_int16_product *w, uint32_t parameter) {
  parameter_fn *value = parameter_of(w, parameter);
  if (!value) return NULL;
  if (value == real_of) return qn_type_float(w->cx, QN_F64);
  bool is_wide = w->rounding == QN_REQUANT_REDUCED;
  if (parameter == QN_INT16_START || parameter == QN_INT16_LIMIT) is_wide = w->wide;
  if (value == reduced_of) is_wide = w->large;
  return qn_type_i(w->cx, is_wide ? 64 : 32);
}

int64_t qn_int16_parameter(const qn_int16_product *w, uint32_t parameter, int64_t channel) {
  return parameter_of(w, parameter)(w, channel);
}

qn_int16_product qn_int16_of(qn_ir_context *cx, const qn_op *op) {
  const qn_type *weights = qn_op_operand(op, WEIGHTS)->type, *y = op->results[0].type;
  qn_int16_product w = {.cx = cx,
                        .op = op,
                        .rounding = qn_op_requant_rounding(op),
                        .channels = y->shaped.dims[y->shaped.rank - 1],
                        .depthwise = qn_op_weights(op) == QN_CHANNELS_LAST,
                        .min = qn_op_min(op),
                        .max = qn_op_max(op)};
  w.taps = qn_type_elements(weights) / w.channels;
  bool wide = qn_type_is_int(qn_type_element(qn_op_operand(op, BIAS)->type), 64);
  w.wide = wide && !is_proved(&w);
  w.largest = w.wide ? largest_weight(&w) : 1;
  w.limited = is_limited(&w);
  for (int64_t c = 0; c < w.channels && w.rounding == QN_REQUANT_REDUCED; c++)
    w.large |= reduced_of(&w, c) > INT32_MAX;
  return w;
}

/* ---- in the kernel ---- */

static qn_value *to_i64(qn_builder *b, qn_value *sums) {
  const qn_type *i64 = qn_type_i(b->cx, 64);
  return qn_type_element(sums->type) == i64 ? sums : qn_vec_cast(b, QN_OP_ARITH_EXTSI, sums, i64);
}

static qn_value *reduced(qn_builder *b, qn_value *sums, qn_value *const *p) {
  qn_value *mantissa = to_i64(b, p[0]);
  qn_value *y = qn_build_binary(b, QN_OP_ARITH_MULI, to_i64(b, sums), mantissa);
  y = qn_build_binary(b, QN_OP_ARITH_ADDI, y, p[1]);
  y = qn_build_binary(b, QN_OP_ARITH_SHRSI, y, p[2]);
  return qn_vec_cast(b, QN_OP_ARITH_TRUNCI, y, qn_type_i(b->cx, 32));
}

/* As qn_fixed_requant32, with shifts per lane. */
static qn_value *doubled(qn_builder *b, qn_value *sums, qn_value *const *p) {
  const qn_type *i64 = qn_type_i(b->cx, 64), *i32 = qn_type_i(b->cx, 32);
  qn_value *x = qn_build_binary(b, QN_OP_ARITH_SHLI, sums, p[0]);
  x = qn_vec_cast(b, QN_OP_ARITH_EXTSI, x, i64);
  qn_value *mantissa = qn_vec_cast(b, QN_OP_ARITH_EXTSI, p[1], i64);
  x = qn_build_binary(b, QN_OP_ARITH_MULI, x, mantissa);
  x = qn_build_binary_int(b, QN_OP_ARITH_SHRSI,
                          qn_build_binary_int(b, QN_OP_ARITH_ADDI, x, INT64_C(1) << 30), 31);
  x = qn_vec_cast(b, QN_OP_ARITH_TRUNCI, x, i32);
  qn_value *one = qn_build_int(b, 1, x->type);
  qn_value *mask =
      qn_build_binary_int(b, QN_OP_ARITH_SUBI, qn_build_binary(b, QN_OP_ARITH_SHLI, one, p[2]), 1);
  qn_value *remainder = qn_build_binary(b, QN_OP_ARITH_ANDI, x, mask);
  qn_value *threshold = qn_build_binary_int(b, QN_OP_ARITH_SHRUI, mask, 1),
           *sign = qn_build_binary_int(b, QN_OP_ARITH_SHRUI, x, 31);
  threshold = qn_build_binary(b, QN_OP_ARITH_ADDI, threshold, sign);
  qn_value *up =
      qn_vec_cast(b, QN_OP_ARITH_EXTUI, qn_build_cmpi(b, QN_CMP_SGT, remainder, threshold), i32);
  return qn_build_binary(b, QN_OP_ARITH_ADDI, qn_build_binary(b, QN_OP_ARITH_SHRSI, x, p[2]), up);
}

static qn_value *once(qn_builder *b, qn_value *sums, qn_value *const *p) {
  qn_value *wide = to_i64(b, sums), *mantissas = to_i64(b, p[1]), *rights = to_i64(b, p[0]);
  return qn_fixed_requant32_once_by(b, wide, mantissas, rights);
}

/* arith.cmpf predicates, in MLIR's numbering */
enum { CMPF_OGE = 3, CMPF_OLE = 5 };

/* x, or `bound` where the comparison of x with it holds. */
static qn_value *limit(qn_builder *b, int64_t predicate, qn_value *x, double bound) {
  const qn_type *mask = qn_type_with_element(b->cx, x->type, qn_type_i(b->cx, 1));
  qn_value *end = qn_build_float(b, bound, x->type);
  qn_value *holds = qn_build_1(b, QN_OP_ARITH_CMPF, mask, QN_VALUES(x, end),
                               QN_ATTRS({"predicate", qn_attr_i64(b->cx, predicate)}));
  return qn_build_select(b, holds, end, x);
}

/* Rounds half away from zero. After the clamp, the conversion to i32 cannot overflow. */
static qn_value *real(qn_builder *b, qn_value *sums, qn_value *multiplier) {
  const double far = 1 << 24;
  qn_value *x = qn_build_unary(b, QN_OP_ARITH_SITOFP, sums, multiplier->type);
  x = qn_build_binary(b, QN_OP_ARITH_MULF, x, multiplier);
  x = limit(b, CMPF_OGE, x, far);
  x = limit(b, CMPF_OLE, x, -far);
  return qn_fixed_round_away(b, x, QN_FIXED_HALF_F64);
}

qn_value *qn_int16_finish(qn_builder *b, const qn_int16_product *w, qn_value *sums,
                          qn_value *const parameters[QN_INT16_PARAMETERS]) {
  qn_value *const *p = parameters + QN_INT16_ROUNDING, *y;
  if (w->limited) sums = qn_fixed_limit(b, sums, parameters[QN_INT16_LIMIT]);
  if (w->rounding == QN_REQUANT_REAL)
    y = real(b, sums, p[0]);
  else if (w->rounding == QN_REQUANT_REDUCED)
    y = reduced(b, sums, p);
  else if (w->rounding == QN_REQUANT_ONCE)
    y = once(b, sums, p);
  else
    y = doubled(b, sums, p);
  return qn_fixed_clamp(b, y, w->min, w->max);
}
