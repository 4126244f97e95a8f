/* See whole.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

static const struct {
  uint8_t dtype, width;
  bool is_unsigned;
} wholes[] = {{QN_GRAPH_INT8, 8, false},   {QN_GRAPH_UINT8, 8, true},   {QN_GRAPH_INT16, 16, false},
              {QN_GRAPH_UINT16, 16, true}, {QN_GRAPH_INT32, 32, false}, {QN_GRAPH_UINT32, 32, true},
              {QN_GRAPH_INT64, 64, false}, {QN_GRAPH_UINT64, 64, true}};

static size_t row_of(uint8_t dtype) {
  size_t i = 0;
  while (i < QN_COUNT(wholes) && wholes[i].dtype != dtype) i++;
  return i;
}

bool qn_onnx_is_whole(uint8_t dtype) { return row_of(dtype) < QN_COUNT(wholes); }
bool qn_onnx_is_real(uint8_t dtype) {
  return dtype == QN_GRAPH_FLOAT32 || dtype == QN_GRAPH_FLOAT64;
}
bool qn_onnx_is_unsigned(uint8_t dtype) {
  return qn_onnx_is_whole(dtype) && wholes[row_of(dtype)].is_unsigned;
}

bool qn_onnx_is_ordered(qn_graph_op *op, const qn_graph_tensor *tensor) {
  if (qn_onnx_is_real(tensor->dtype) || qn_onnx_is_whole(tensor->dtype)) return true;
  return qn_graph_error(op, tensor, QN_UNSUPPORTED, "%s is not supported here",
                        qn_graph_dtype_name(tensor->dtype));
}

const qn_type *qn_onnx_whole_type(const qn_graph_op *op, uint8_t dtype) {
  QN_ASSERT(qn_onnx_is_whole(dtype));
  const qn_sign sign = dtype == QN_GRAPH_UINT8 ? QN_UNSIGNED : QN_SIGNLESS;
  return qn_type_integer(op->graph->cx, wholes[row_of(dtype)].width, sign);
}

qn_value *qn_onnx_as_i64(qn_graph_op *op, qn_value *x, uint8_t dtype) {
  QN_ASSERT(qn_onnx_is_whole(dtype));
  const uint32_t width = wholes[row_of(dtype)].width;
  x = qn_onnx_as(op, x, qn_onnx_i64(op)); /* sign-extended, but for ui8 */
  if (!x || !wholes[row_of(dtype)].is_unsigned || width == 64 || width == 8) return x;
  qn_value *mask = qn_onnx_whole(op, qn_onnx_i64(op), (INT64_C(1) << width) - 1);
  return qn_onnx_binary(op, QN_OP_ML_BITWISE_AND, x, mask);
}

qn_value *qn_onnx_from_i64(qn_graph_op *op, qn_value *x, uint8_t dtype) {
  return qn_onnx_as(op, x, qn_onnx_whole_type(op, dtype));
}

/* ---- uint64 ---- */

/* Unsigned order is signed order of numbers whose highest bit is flipped. */
static qn_value *flipped(qn_graph_op *op, qn_value *x) {
  qn_value *high = qn_onnx_whole(op, qn_onnx_i64(op), INT64_MIN);
  return x ? qn_onnx_binary(op, QN_OP_ML_BITWISE_XOR, x, high) : NULL;
}

static qn_value *compare_u64(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y) {
  qn_value *a = flipped(op, x), *b = flipped(op, y);
  return qn_onnx_compare(op, kind, a, b);
}

/* x / 2 as unsigned numbers. */
static qn_value *half_of(qn_graph_op *op, qn_value *x) {
  qn_value *minus_one = qn_onnx_whole(op, qn_onnx_i64(op), -1);
  qn_value *most = qn_onnx_whole(op, qn_onnx_i64(op), INT64_MAX);
  x = qn_onnx_binary(op, QN_OP_ML_SHIFT, x, minus_one);
  return qn_onnx_binary(op, QN_OP_ML_BITWISE_AND, x, most);
}

/* By a signed quotient of x / 2, which is off by 1 at most; with y from 2^63 on it is 0 or 1. */
static qn_value *divide_u64(qn_graph_op *op, qn_value *x, qn_value *y) {
  qn_value *zero = qn_onnx_whole(op, qn_onnx_i64(op), 0);
  qn_value *one = qn_onnx_whole(op, qn_onnx_i64(op), 1);
  qn_value *q = qn_onnx_binary(op, QN_OP_ML_REAL_DIV, half_of(op, x), y);
  q = qn_onnx_binary(op, QN_OP_ML_ADD, q, q);
  qn_value *rest = qn_onnx_binary(op, QN_OP_ML_MUL, q, y);
  rest = qn_onnx_binary(op, QN_OP_ML_SUB, x, rest);
  qn_value *more = compare_u64(op, QN_OP_ML_GREATER_EQUAL, rest, y);
  qn_value *next = qn_onnx_binary(op, QN_OP_ML_ADD, q, one);
  q = qn_onnx_choose(op, more, next, q);
  qn_value *is_one = compare_u64(op, QN_OP_ML_GREATER_EQUAL, x, y);
  qn_value *large = qn_onnx_choose(op, is_one, one, zero);
  qn_value *is_large = y ? qn_onnx_compare(op, QN_OP_ML_LESS, y, zero) : NULL;
  q = qn_onnx_choose(op, is_large, large, q);
  qn_value *is_zero = y ? qn_onnx_compare(op, QN_OP_ML_EQUAL, y, zero) : NULL;
  return qn_onnx_choose(op, is_zero, zero, q); /* as of signed integers */
}

static qn_value *binary_u64(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y) {
  qn_value *q;
  switch (kind) {
  case QN_OP_ML_MAXIMUM:
    return qn_onnx_choose(op, compare_u64(op, QN_OP_ML_LESS, x, y), y, x);
  case QN_OP_ML_MINIMUM:
    return qn_onnx_choose(op, compare_u64(op, QN_OP_ML_LESS, x, y), x, y);
  case QN_OP_ML_REAL_DIV:
    return divide_u64(op, x, y);
  case QN_OP_ML_FLOOR_MOD:
    q = qn_onnx_binary(op, QN_OP_ML_MUL, divide_u64(op, x, y), y);
    return qn_onnx_binary(op, QN_OP_ML_SUB, x, q);
  default: /* the same bits for either sign */
    return qn_onnx_binary(op, kind, x, y);
  }
}

/* ---- any integers ---- */

qn_value *qn_onnx_whole_binary(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y,
                               uint8_t dtype) {
  if (!x || !y) return NULL;
  if (dtype == QN_GRAPH_UINT64) return binary_u64(op, kind, x, y);
  if (!qn_onnx_is_unsigned(dtype)) return qn_onnx_binary(op, kind, x, y);
  x = qn_onnx_as_i64(op, x, dtype);
  y = qn_onnx_as_i64(op, y, dtype);
  return qn_onnx_from_i64(op, qn_onnx_binary(op, kind, x, y), dtype);
}

qn_value *qn_onnx_whole_compare(qn_graph_op *op, qn_op_kind kind, qn_value *x, qn_value *y,
                                uint8_t dtype) {
  if (dtype == QN_GRAPH_UINT64) return compare_u64(op, kind, x, y);
  if (!qn_onnx_is_unsigned(dtype) || dtype == QN_GRAPH_UINT8)
    return qn_onnx_compare(op, kind, x, y);
  x = qn_onnx_as_i64(op, x, dtype);
  y = qn_onnx_as_i64(op, y, dtype);
  return qn_onnx_compare(op, kind, x, y);
}

/* ---- conversions ---- */

static qn_value *in_doubles(qn_graph_op *op, qn_value *x) {
  return qn_onnx_as(op, x, qn_onnx_f64(op));
}

/* Reals from 2^63 on less that, with the highest bit set. */
static qn_value *real_to_u64(qn_graph_op *op, qn_value *x) {
  qn_value *half = qn_onnx_double(op, 0x1p63), *most = qn_onnx_double(op, 0x1p64 - 2048);
  x = qn_onnx_with(op, QN_OP_ML_MAXIMUM, in_doubles(op, x), 0);
  x = x ? qn_onnx_binary(op, QN_OP_ML_MINIMUM, x, most) : NULL;
  qn_value *is_high = x ? qn_onnx_compare(op, QN_OP_ML_GREATER_EQUAL, x, half) : NULL;
  qn_value *rest = x ? qn_onnx_binary(op, QN_OP_ML_SUB, x, half) : NULL;
  qn_value *high = flipped(op, qn_onnx_as(op, rest, qn_onnx_i64(op)));
  qn_value *low = qn_onnx_as(op, x, qn_onnx_i64(op));
  return qn_onnx_choose(op, is_high, high, low);
}

static qn_value *real_to_whole(qn_graph_op *op, qn_value *x, uint8_t to) {
  if (to == QN_GRAPH_UINT64) return real_to_u64(op, x);
  if (to == QN_GRAPH_UINT8 || !qn_onnx_is_unsigned(to))
    return qn_onnx_as(op, x, qn_onnx_whole_type(op, to)); /* the cast saturates */
  const uint32_t width = wholes[row_of(to)].width;
  const double most = (double)((INT64_C(1) << width) - 1);
  x = qn_onnx_with(op, QN_OP_ML_MAXIMUM, in_doubles(op, x), 0);
  x = qn_onnx_with(op, QN_OP_ML_MINIMUM, x, most);
  return qn_onnx_from_i64(op, qn_onnx_as(op, x, qn_onnx_i64(op)), to);
}

static const qn_type *real_type(qn_graph_op *op, uint8_t dtype) {
  return dtype == QN_GRAPH_FLOAT64 ? qn_onnx_f64(op) : qn_onnx_f32(op->graph);
}

/* From 2^63 on twice the half, whose lowest bit is set if the bit shifted out is, so that the only
 * rounding is that of all bits. */
static qn_value *u64_to_real(qn_graph_op *op, qn_value *x, const qn_type *type) {
  qn_value *zero = qn_onnx_whole(op, qn_onnx_i64(op), 0);
  qn_value *one = qn_onnx_whole(op, qn_onnx_i64(op), 1);
  if (!x) return NULL;
  qn_value *is_high = qn_onnx_compare(op, QN_OP_ML_LESS, x, zero);
  qn_value *half = half_of(op, x), *odd = qn_onnx_binary(op, QN_OP_ML_BITWISE_AND, x, one);
  qn_value *both = qn_onnx_binary(op, QN_OP_ML_BITWISE_AND, half, odd);
  half = qn_onnx_binary(op, QN_OP_ML_BITWISE_XOR, half, odd);
  half = qn_onnx_as(op, qn_onnx_binary(op, QN_OP_ML_BITWISE_XOR, half, both), type);
  qn_value *high = half ? qn_onnx_binary(op, QN_OP_ML_ADD, half, half) : NULL;
  return qn_onnx_choose(op, is_high, high, qn_onnx_as(op, x, type));
}

static qn_value *whole_to_real(qn_graph_op *op, qn_value *x, uint8_t from, uint8_t to) {
  if (from == QN_GRAPH_UINT64) return u64_to_real(op, x, real_type(op, to));
  return qn_onnx_as(op, qn_onnx_as_i64(op, x, from), real_type(op, to));
}

/* Whether a number is not 0; true for NaN. */
static qn_value *to_boolean(qn_graph_op *op, qn_value *x) {
  return qn_onnx_as(op, x, qn_onnx_boolean(op));
}

qn_value *qn_onnx_converted(qn_graph_op *op, qn_value *x, uint8_t from, uint8_t to) {
  const bool known = (qn_onnx_is_real(from) || qn_onnx_is_whole(from) || from == QN_GRAPH_BOOL) &&
                     (qn_onnx_is_real(to) || qn_onnx_is_whole(to) || to == QN_GRAPH_BOOL);
  if (!known) {
    qn_graph_error(op, NULL, QN_UNSUPPORTED, "a cast of %s to %s is not supported",
                   qn_graph_dtype_name(from), qn_graph_dtype_name(to));
    return NULL;
  }
  if (from == to) return x;
  if (to == QN_GRAPH_BOOL) return to_boolean(op, x);
  if (from == QN_GRAPH_BOOL)
    return qn_onnx_as(op, x, qn_onnx_is_real(to) ? real_type(op, to) : qn_onnx_whole_type(op, to));
  if (qn_onnx_is_real(from))
    return qn_onnx_is_real(to) ? qn_onnx_as(op, x, real_type(op, to)) : real_to_whole(op, x, to);
  if (qn_onnx_is_real(to)) return whole_to_real(op, x, from, to);
  return qn_onnx_from_i64(op, qn_onnx_as_i64(op, x, from), to);
}

/* ---- shifts ---- */

/* Amounts as unsigned numbers, at most the width. */
static qn_value *amounts(qn_graph_op *op, qn_value *n, uint32_t width) {
  const qn_type *index = qn_onnx_i64(op);
  qn_value *zero = qn_onnx_whole(op, index, 0), *most = qn_onnx_whole(op, index, width);
  qn_value *is_negative = n ? qn_onnx_compare(op, QN_OP_ML_LESS, n, zero) : NULL;
  n = n ? qn_onnx_binary(op, QN_OP_ML_MINIMUM, n, most) : NULL;
  return qn_onnx_choose(op, is_negative, most, n);
}

static qn_value *shifted_right(qn_graph_op *op, qn_value *x, qn_value *n) {
  qn_value *zero = qn_onnx_whole(op, qn_onnx_i64(op), 0);
  return qn_onnx_binary(op, QN_OP_ML_SHIFT, x, n ? qn_onnx_binary(op, QN_OP_ML_SUB, zero, n) : n);
}

/* By one place without a sign, by the others with it: it is 0 then. */
static qn_value *shifted_right_u64(qn_graph_op *op, qn_value *x, qn_value *n) {
  qn_value *zero = qn_onnx_whole(op, qn_onnx_i64(op), 0);
  qn_value *one = qn_onnx_whole(op, qn_onnx_i64(op), 1);
  qn_value *others = n ? qn_onnx_binary(op, QN_OP_ML_SUB, n, one) : NULL;
  qn_value *y = shifted_right(op, half_of(op, x), others);
  qn_value *stays = n ? qn_onnx_compare(op, QN_OP_ML_EQUAL, n, zero) : NULL;
  return qn_onnx_choose(op, stays, x, y);
}

void qn_onnx_import_bit_shift(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *n = qn_graph_input(op, 1);
  const qn_str direction = qn_onnx_string(op, "direction", "");
  if (op->failed || !qn_graph_check_dtype(op, n, x->dtype)) return;
  const bool is_left = qn_str_is(direction, "LEFT");
  if (!qn_onnx_is_whole(x->dtype) || (!is_left && !qn_str_is(direction, "RIGHT"))) {
    qn_graph_error(op, x, QN_INVALID, "integers, and the direction LEFT or RIGHT, are expected");
    return;
  }
  const uint32_t width = wholes[row_of(x->dtype)].width;
  qn_value *a = qn_onnx_as_i64(op, qn_onnx_value(op, x), x->dtype);
  qn_value *by = qn_onnx_as_i64(op, qn_onnx_value(op, n), x->dtype);
  by = amounts(op, by, width);
  qn_value *y = is_left                       ? qn_onnx_binary(op, QN_OP_ML_SHIFT, a, by)
                : x->dtype == QN_GRAPH_UINT64 ? shifted_right_u64(op, a, by)
                                              : shifted_right(op, a, by);
  qn_onnx_give(op, 0, x->dtype, qn_onnx_from_i64(op, y, x->dtype));
}
