/* Decomposition of quant.qcast and quant.dcast: the arithmetic of ir/types/quant_cast.h, with a
 * defined result for every input. Stochastic rounding exists only here.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/checked.h"
#include "ir/cast_form/cast_form.h"

/* State of one conversion. */
typedef struct conversion {
  qn_emit *e;
  const qn_cast_rounding *rounding;
  const qn_type *compute; /* f32 or f64 */
  const qn_type *wide;    /* dcast: integer that holds stored - zero point */
  qn_value *scale,
      *zero_point; /* common to all elements; NULL if it varies, or if the zero point is 0 */
  qn_value *sizes[QN_EMIT_MAX_RANK]; /* stochastic: sizes of all dimensions */
  qn_value *x;                       /* the whole operand, ranked */
} conversion;

/* ---- which types compute ---- */

static qn_quant_direction direction_of(const qn_emit *e) {
  return e->quantizes ? QN_QUANTIZE : QN_DEQUANTIZE;
}

static const qn_type *compute_type(const qn_emit *e) {
  return qn_type_float(e->cx, qn_quant_compute_kind(e->q, direction_of(e)));
}

static const qn_type *wide_type(const qn_emit *e) {
  bool narrow = qn_quant_magnitude(e->q, QN_DEQUANTIZE) < 0x1p31 && e->stored->integer.width < 32;
  return qn_type_i(e->cx, narrow ? 32 : 64);
}

/* ---- rounding to an integer, as a float ---- */

static qn_value *float_constant(conversion *c, double value) {
  return qn_emit_float(c->e, value, c->compute);
}

static qn_value *compare(conversion *c, int64_t predicate, qn_value *a, qn_value *b) {
  return qn_build_1(&c->e->b, QN_OP_ARITH_CMPF, qn_type_i(c->e->cx, 1), QN_VALUES(a, b),
                    QN_ATTRS({"predicate", qn_attr_i64(c->e->cx, predicate)}));
}

/* The element's position in row-major order, as i64. */
static qn_value *position(conversion *c) {
  qn_emit *e = c->e;
  const qn_type *index = qn_type_index(e->cx), *i64 = qn_type_i(e->cx, 64);
  uint32_t rank = qn_type_is_shaped(c->x->type) ? c->x->type->shaped.rank : 0;
  qn_value *linear = rank ? NULL : qn_emit_index(e, 0);
  for (uint32_t i = 0; i < rank; i++) {
    qn_value *at = qn_build_1(&e->b, QN_OP_LINALG_INDEX, index, NULL, 0,
                              QN_ATTRS({"dim", qn_attr_i64(e->cx, i)}));
    if (linear) linear = qn_build_binary(&e->b, QN_OP_ARITH_MULI, linear, c->sizes[i]);
    linear = linear ? qn_build_binary(&e->b, QN_OP_ARITH_ADDI, linear, at) : at;
  }
  return qn_build_unary(&e->b, QN_OP_ARITH_INDEX_CAST, linear, i64);
}

static qn_value *with_int(conversion *c, qn_op_kind kind, qn_value *value, uint64_t constant) {
  return qn_build_binary(&c->e->b, kind, value,
                         qn_emit_int(c->e, (int64_t)constant, qn_type_i(c->e->cx, 64)));
}

/* A multiple of 2^-24 in [0, 1): element `position` of the SplitMix64 sequence that `stream` seeds.
 */
static qn_value *uniform_random(conversion *c) {
  qn_value *z = with_int(c, QN_OP_ARITH_MULI, position(c), UINT64_C(0x9e3779b97f4a7c15));
  z = with_int(c, QN_OP_ARITH_ADDI, z, c->rounding->stream);
  static const struct {
    uint64_t shift, factor;
  } rounds[] = {{30, UINT64_C(0xbf58476d1ce4e5b9)}, {27, UINT64_C(0x94d049bb133111eb)}};
  for (size_t i = 0; i < QN_COUNT(rounds); i++) {
    qn_value *high = with_int(c, QN_OP_ARITH_SHRUI, z, rounds[i].shift);
    z = qn_build_binary(&c->e->b, QN_OP_ARITH_XORI, z, high);
    z = with_int(c, QN_OP_ARITH_MULI, z, rounds[i].factor);
  }
  /* the last xor-shift would not change these bits, so it is omitted */
  z = with_int(c, QN_OP_ARITH_SHRUI, z, 40);
  qn_value *integer = qn_build_unary(&c->e->b, QN_OP_ARITH_UITOFP, z, c->compute);
  return qn_build_binary(&c->e->b, QN_OP_ARITH_MULF, integer, float_constant(c, 0x1p-24));
}

/* Stochastic rounding: up with a probability equal to the fraction. */
static qn_value *round_stochastic(conversion *c, qn_value *value) {
  qn_builder *b = &c->e->b;
  qn_value *floor = qn_build_unary(b, QN_OP_MATH_FLOOR, value, c->compute);
  qn_value *fraction = qn_build_binary(b, QN_OP_ARITH_SUBF, value, floor);
  qn_value *up = compare(c, QN_CMP_OGT, fraction, uniform_random(c));
  qn_value *zero = float_constant(c, 0.0), *one = float_constant(c, 1.0);
  qn_value *step = qn_build_select(b, up, one, zero);
  return qn_build_binary(b, QN_OP_ARITH_ADDF, floor, step);
}

qn_op_kind qn_rounding_op(qn_rounding rounding) {
  static const qn_op_kind ops[] = {
      [QN_ROUND_EVEN] = QN_OP_MATH_ROUNDEVEN,
      [QN_ROUND_AWAY] = QN_OP_MATH_ROUND,
      [QN_ROUND_TOWARD_ZERO] = QN_OP_MATH_TRUNC,
      [QN_ROUND_FLOOR] = QN_OP_MATH_FLOOR,
  };
  return ops[rounding];
}

static qn_value *round_to_integer(conversion *c, qn_value *value) {
  if (c->rounding->stochastic) return round_stochastic(c, value);
  return qn_build_unary(&c->e->b, qn_rounding_op(c->rounding->fixed), value, c->compute);
}

/* ---- one element ---- */

static qn_value *quantize(conversion *c, qn_value *x, qn_value *scale, qn_value *zero_point) {
  qn_emit *e = c->e;
  qn_builder *b = &e->b;
  if (x->type != c->compute) x = qn_build_unary(b, QN_OP_ARITH_EXTF, x, c->compute);
  qn_value *value = round_to_integer(c, qn_build_binary(b, QN_OP_ARITH_DIVF, x, scale));
  qn_value *is_nan = compare(c, QN_CMP_UNO, value, value);
  value = qn_build_select(b, is_nan, float_constant(c, 0.0), value);
  if (zero_point) value = qn_build_binary(b, QN_OP_ARITH_ADDF, value, zero_point);
  value = qn_build_binary(b, QN_OP_ARITH_MAXIMUMF, value, float_constant(c, (double)e->q->min));
  value = qn_build_binary(b, QN_OP_ARITH_MINIMUMF, value, float_constant(c, (double)e->q->max));
  return qn_build_unary(b, e->q->is_signed ? QN_OP_ARITH_FPTOSI : QN_OP_ARITH_FPTOUI, value,
                        e->stored);
}

static qn_value *dequantize(conversion *c, qn_value *stored, qn_value *scale,
                            qn_value *zero_point) {
  qn_emit *e = c->e;
  qn_builder *b = &e->b;
  bool is_signed = e->q->is_signed;
  if (zero_point) {
    if (stored->type != c->wide)
      stored =
          qn_build_unary(b, is_signed ? QN_OP_ARITH_EXTSI : QN_OP_ARITH_EXTUI, stored, c->wide);
    stored = qn_build_binary(b, QN_OP_ARITH_SUBI, stored, zero_point);
    is_signed = true;
  }
  qn_value *value =
      qn_build_unary(b, is_signed ? QN_OP_ARITH_SITOFP : QN_OP_ARITH_UITOFP, stored, c->compute);
  value = qn_build_binary(b, QN_OP_ARITH_MULF, value, scale);
  if (e->q->expressed == c->compute) return value;
  return qn_build_unary(b, QN_OP_ARITH_TRUNCF, value, e->q->expressed);
}

static qn_value *convert(conversion *c, qn_value *x, qn_value *scale, qn_value *zero_point) {
  return c->e->quantizes ? quantize(c, x, scale, zero_point) : dequantize(c, x, scale, zero_point);
}

/* ---- all elements ---- */

static bool all_equal(const int64_t *values, uint32_t count) {
  for (uint32_t i = 1; i < count; i++)
    if (values[i] != values[0]) return false;
  return true;
}

/* The tensor's parameters: scalars if all elements share them, else tensors of scales and zero
 * points. */
static uint32_t parameters(conversion *c, qn_value *out_grids[2]) {
  qn_emit *e = c->e;
  uint32_t count = 0;
  const qn_type *zero_type = e->quantizes ? c->compute : c->wide;
  if (e->q->scheme == QN_PER_LAYER)
    c->scale = float_constant(c, qn_emit_scale(e, 0));
  else
    out_grids[count++] = qn_emit_scales(e, c->compute);
  int64_t zero = e->q->zero_points[0];
  if (!all_equal(e->q->zero_points, e->q->count)) {
    out_grids[count++] = qn_emit_zero_points(e, zero_type);
  } else if (zero != 0) {
    c->zero_point =
        e->quantizes ? float_constant(c, (double)zero) : qn_emit_int(e, zero, zero_type);
  }
  return count;
}

static void all_sizes(conversion *c) {
  const qn_type *type = c->x->type;
  for (uint32_t i = 0; i < type->shaped.rank; i++) {
    qn_emit *e = c->e;
    bool dynamic = type->shaped.dims[i] == QN_DYNAMIC;
    c->sizes[i] = qn_emit_index(e, dynamic ? i : type->shaped.dims[i]);
    if (dynamic)
      c->sizes[i] = qn_build_1(&e->b, QN_OP_TENSOR_DIM, qn_type_index(e->cx),
                               QN_VALUES(c->x, c->sizes[i]), NULL);
  }
}

static qn_value *convert_ranked(conversion *c, qn_value *x, uint32_t axis) {
  qn_emit *e = c->e;
  qn_value *grids[2];
  c->x = x;
  uint32_t count = parameters(c, grids), next = 1;
  if (!qn_type_is_shaped(x->type)) return convert(c, x, c->scale, c->zero_point);
  if (c->rounding->stochastic && e->quantizes) all_sizes(c);
  const qn_attr *map = count ? qn_emit_grid_map(e, x->type->shaped.rank, axis) : NULL;
  qn_op *generic =
      qn_emit_open(e, x, grids, count, map, e->quantizes ? e->stored : e->q->expressed);
  qn_value **args = qn_op_body(generic)->args;
  bool scales = c->scale == NULL;
  qn_value *scale = scales ? args[next++] : c->scale;
  qn_value *zero_point = count > (scales ? 1u : 0u) ? args[next] : c->zero_point;
  return qn_emit_close(e, generic, convert(c, args[0], scale, zero_point));
}

/* ---- runtime checks ---- */

static void require(qn_emit *e, qn_cmpi predicate, qn_value *is, int64_t wanted,
                    const char *message) {
  qn_value *holds = qn_build_cmpi(&e->b, predicate, is, qn_emit_index(e, wanted));
  qn_build_0(&e->b, QN_OP_CF_ASSERT, QN_VALUES(holds),
             QN_ATTRS({"msg", qn_attr_string(e->cx, qn_str_of(message))}));
}

static const char size_message[] = "dimension size does not match the number of scales";

static void check_dims(qn_emit *e, qn_value *x) {
  const qn_type *index = qn_type_index(e->cx);
  for (uint32_t i = 0; e->q->scheme != QN_PER_LAYER && i < x->type->shaped.rank; i++) {
    int64_t block = e->q->scheme == QN_SUB_CHANNEL ? qn_quant_block_size(e->q, i) : 1;
    bool scaled = e->q->scheme == QN_SUB_CHANNEL ? block > 0 : i == (uint32_t)e->q->axis;
    if (!scaled || x->type->shaped.dims[i] != QN_DYNAMIC) continue;
    int64_t wanted = e->q->scheme == QN_SUB_CHANNEL ? e->q->grid_dims[i] : (int64_t)e->q->count;
    if (!qn_checked_mul(wanted, block, &wanted)) wanted = -1; /* no dimension has that size */
    qn_value *dim = qn_emit_index(e, i);
    qn_value *size = qn_build_1(&e->b, QN_OP_TENSOR_DIM, index, QN_VALUES(x, dim), NULL);
    require(e, QN_CMP_EQ, size, wanted, size_message);
  }
}

static void check_unranked(qn_emit *e, qn_value *x, qn_value *shape) {
  const qn_type *index = qn_type_index(e->cx);
  qn_value *rank = qn_build_unary(&e->b, QN_OP_TENSOR_RANK, x, index);
  require(e, QN_CMP_UGT, rank, e->q->axis, "rank does not exceed the quantized dimension");
  qn_value *axis = qn_emit_index(e, e->q->axis);
  qn_value *size = qn_build_1(&e->b, QN_OP_TENSOR_EXTRACT, index, QN_VALUES(shape, axis), NULL);
  require(e, QN_CMP_EQ, size, e->q->count, size_message);
}

qn_status qn_check_cast_form(const qn_emit *e) {
  const qn_type *type = e->cast->results[0].type;
  if (!qn_quant_has_arithmetic(e->q))
    return qn_error(&e->cx->diag, e->cast->loc, QN_UNSUPPORTED,
                    "'%.*s' op can be lowered for f16, bf16, f32 and f64 only",
                    QN_STR_ARG(e->cast->name));
  if (qn_type_is_shaped(type) && type->shaped.ranked && type->shaped.rank > QN_EMIT_MAX_RANK)
    return qn_error(&e->cx->diag, e->cast->loc, QN_LIMIT,
                    "'%.*s' op can be lowered up to rank %d, but has rank %u",
                    QN_STR_ARG(e->cast->name), QN_EMIT_MAX_RANK, type->shaped.rank);
  return QN_OK;
}

qn_value *qn_build_cast_form(qn_emit *e, qn_value *x, const qn_cast_rounding *rounding) {
  conversion c = {.e = e, .rounding = rounding};
  c.compute = compute_type(e);
  c.wide = wide_type(e);
  bool per_axis = e->q->scheme == QN_PER_AXIS;
  if (qn_type_is_shaped(x->type) && !x->type->shaped.ranked) {
    qn_value *shape = qn_emit_shape(e, x);
    if (per_axis) check_unranked(e, x, shape);
    x = per_axis ? qn_emit_collapse(e, x, shape) : qn_emit_flatten(e, x, shape);
    return qn_emit_expand(e, convert_ranked(&c, x, per_axis ? 1 : 0), shape);
  }
  if (qn_type_is_shaped(x->type)) check_dims(e, x);
  return convert_ranked(&c, x, per_axis ? (uint32_t)e->q->axis : 0);
}
