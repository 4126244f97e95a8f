/* Operators on the bits of elements: BITCAST, and BITWISE_XOR and RIGHT_SHIFT of unsigned ones,
 * which are computed in more bits. Where the widths differ, the parts of the wider elements are the
 * last dimension of the others, the lowest first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/ops.h"
#include "import/tflite/signal/signal.h"
#include "ir/ops/forms.h"

enum { MOST_PARTS = 8 };

/* Bits of an element in the file, not of the type that a constant was unpacked to; 0 if not
 * supported. */
static uint32_t width_of(const qn_graph_tensor *tensor) {
  return qn_graph_dtype_bits(tensor->stored_dtype);
}

static qn_value *alike(qn_graph_op *op, qn_op_kind kind, qn_value *x, const qn_type *element) {
  const qn_graph_shape shape = qn_graph_shape_of(x);
  return qn_graph_part(op, kind, element, &shape, &x, 1, NULL);
}

static qn_value *with(qn_graph_op *op, qn_op_kind kind, qn_value *x, int64_t number) {
  const qn_type *element = qn_type_element(x->type);
  const qn_graph_shape shape = qn_graph_shape_of(x);
  qn_value *operands[] = {x, qn_graph_const_number(op, element, number)};
  return qn_graph_part(op, kind, element, &shape, operands, 2, NULL);
}

/* Elements as signless integers of their width; booleans are 0 and 1. */
static qn_value *bits_of(qn_graph_op *op, qn_value *x, const qn_type *whole) {
  const qn_type *element = qn_type_element(x->type);
  if (element == whole) return x;
  qn_op_kind kind = qn_type_quant(x->type)       ? QN_OP_QUANT_SCAST
                    : qn_type_is_int(element, 1) ? QN_OP_ML_CAST
                                                 : QN_OP_ML_BITCAST;
  return alike(op, kind, x, whole);
}

/* Converts integers back to elements of a type. A boolean is true if any bit is set. */
static qn_value *of_bits(qn_graph_op *op, qn_value *x, const qn_type *element) {
  if (qn_type_element(x->type) == element) return x;
  const qn_graph_shape scalar = {0};
  bool quantized = qn_type_quant(qn_graph_shaped(op->graph, element, &scalar)) != NULL;
  qn_op_kind kind = quantized                    ? QN_OP_QUANT_SCAST
                    : qn_type_is_int(element, 1) ? QN_OP_ML_CAST
                                                 : QN_OP_ML_BITCAST;
  return alike(op, kind, x, element);
}

static qn_value *split(qn_graph_op *op, qn_value *x, const qn_type *narrow, uint32_t count) {
  qn_graph_shape shape = qn_graph_shape_of(x);
  qn_value *parts[MOST_PARTS];
  for (uint32_t i = 0; i < count; i++) {
    qn_value *low = i ? with(op, QN_OP_ML_SHIFT, x, -(int64_t)(i * narrow->integer.width)) : x;
    parts[i] = alike(op, QN_OP_ML_CAST, low, narrow);
  }
  const qn_attr *axis = qn_attr_i64(op->graph->cx, shape.rank);
  shape.dims[shape.rank++] = count;
  return qn_graph_part(op, QN_OP_ML_STACK, narrow, &shape, parts, count, QN_ATTRS({"axis", axis}));
}

/* The slice at index i of the last dimension, without that dimension. */
static qn_value *part_of(qn_graph_op *op, qn_value *x, uint32_t i) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_shape cut = qn_graph_shape_of(x);
  uint32_t rank = cut.rank, last = rank - 1;
  int64_t begin[QN_GRAPH_MAX_RANK] = {0}, end[QN_GRAPH_MAX_RANK], stride[QN_GRAPH_MAX_RANK];
  for (uint32_t d = 0; d < rank; d++) end[d] = cut.dims[d], stride[d] = 1;
  begin[last] = i, end[last] = i + 1, cut.dims[last] = 1;
  x = qn_graph_part(op, QN_OP_ML_SLICE_BY_INDEX, qn_type_element(x->type), &cut, &x, 1,
                    QN_ATTRS({"begin", qn_attr_i64s(cx, begin, rank)},
                             {"end", qn_attr_i64s(cx, end, rank)},
                             {"stride", qn_attr_i64s(cx, stride, rank)}));
  cut.rank--;
  return qn_graph_view(op, x, &cut);
}

static qn_value *join(qn_graph_op *op, qn_value *x, const qn_type *wide, uint32_t count) {
  uint32_t width = qn_type_element(x->type)->integer.width;
  qn_value *y = NULL;
  for (uint32_t i = 0; i < count; i++) {
    qn_value *part = alike(op, QN_OP_ML_CAST, part_of(op, x, i), wide);
    if (i + 1 < count) part = with(op, QN_OP_ML_BITWISE_AND, part, (INT64_C(1) << width) - 1);
    if (i > 0) part = with(op, QN_OP_ML_SHIFT, part, (int64_t)(i * width));
    const qn_graph_shape shape = qn_graph_shape_of(part);
    qn_value *both[] = {y, part};
    y = y ? qn_graph_part(op, QN_OP_ML_ADD, wide, &shape, both, 2, NULL) : part;
  }
  return y;
}

/* The shape of the result, for elements of `from` bits in the operand and `to` bits in the
 * result. */
static bool place(qn_graph_op *op, const qn_graph_tensor *x, uint32_t from, uint32_t to,
                  qn_graph_shape *shape) {
  *shape = x->shape;
  if (from > to && shape->rank == QN_GRAPH_MAX_RANK)
    return qn_graph_error(op, x, QN_LIMIT, "the result's rank is above the limit of %d",
                          QN_GRAPH_MAX_RANK);
  if (from > to) shape->dims[shape->rank++] = from / to;
  if (from < to) {
    if (shape->rank == 0 || shape->dims[shape->rank - 1] != to / from)
      return qn_graph_error(op, x, QN_INVALID,
                            "%u bits are not made of its last dimension of %u-bit elements", to,
                            from);
    shape->rank--;
  }
  return qn_graph_check_size(op, qn_graph_output(op, 0), shape);
}

void qn_tflite_import_bitcast(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  qn_graph_shape shape;
  if (op->failed) return;
  uint32_t from = width_of(x), to = width_of(y);
  if (!from || !to) {
    const qn_graph_tensor *bad = from ? y : x;
    uint8_t dtype = bad->stored_dtype;
    qn_graph_error(op, bad, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name((uint8_t)dtype));
    return;
  }
  const qn_type *element = qn_graph_element_type(op->graph, op, y);
  if (!element || !place(op, x, from, to, &shape)) return;
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  value = bits_of(op, value, qn_type_i(cx, from));
  if (from > to) value = split(op, value, qn_type_i(cx, to), from / to);
  if (from < to) value = join(op, value, qn_type_i(cx, to), to / from);
  value = of_bits(op, value, element);
  value = qn_graph_part(op, QN_OP_ML_RESHAPE, element, &shape, &value, 1, NULL);
  qn_graph_define(op, y, &shape, value);
}

static void unsigned_bits(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *by = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  qn_graph_shape shape;
  if (op->failed || !qn_graph_broadcast(op, x, by, &shape)) return;
  if (by->dtype != x->dtype) {
    qn_graph_error(op, by, QN_UNSUPPORTED, "%s is not supported here beside %s",
                   qn_graph_dtype_name(by->dtype), qn_graph_dtype_name(x->dtype));
    return;
  }
  qn_value *a = qn_signal_wide(op, x), *b = qn_signal_wide(op, by);
  qn_op_kind kind = op->row->kind;
  if (kind == QN_OP_ML_RIGHT_SHIFT) {
    b = qn_signal_clamp(op, b, 0, width_of(x) - 1);
    b = qn_signal_two(op, QN_OP_ML_SUB, qn_signal_constant(op, 0), b);
    kind = QN_OP_ML_SHIFT;
  }
  if (y) qn_signal_define(op, 0, x->dtype, &shape, qn_signal_two(op, kind, a, b));
}

/* BITWISE_XOR, RIGHT_SHIFT and POW. Integers must not have a scale; POW supports 32-bit integers
 * and floats. */
void qn_tflite_import_bits(qn_graph_op *op) {
  const qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed) return;
  bool power = op->row->kind == QN_OP_ML_POW;
  if (!power && (x->dtype == QN_GRAPH_UINT16 || x->dtype == QN_GRAPH_UINT32)) {
    unsigned_bits(op);
    return;
  }
  bool narrow =
      x->dtype == QN_GRAPH_INT8 || x->dtype == QN_GRAPH_UINT8 || x->dtype == QN_GRAPH_INT16;
  bool taken = x->dtype == QN_GRAPH_INT32 ||
               (power ? x->dtype == QN_GRAPH_FLOAT32 : narrow && !qn_graph_is_quantized(x));
  if (taken)
    qn_graph_import_pair(op);
  else
    qn_graph_error(op, x, QN_UNSUPPORTED, "%s%s is not supported here",
                   qn_graph_is_quantized(x) ? "quantized " : "", qn_graph_dtype_name(x->dtype));
}
