/* Cast, CastLike and BitCast.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

/* Integers as the type that a quantized value stores. */
static qn_value *unquantized(qn_graph_op *op, qn_value *v) {
  const qn_type *from = qn_type_element(v->type);
  if (from->kind != QN_TYPE_QUANT_UNIFORM) return v;
  const qn_graph_shape shape = qn_graph_shape_of(v);
  v = qn_graph_part(op, QN_OP_QUANT_SCAST, from->uniform.storage, &shape, &v, 1, NULL);
  if (from->uniform.is_signed || from->uniform.storage->integer.width != 8) return v;
  const qn_type *byte = qn_type_integer(op->graph->cx, 8, QN_UNSIGNED);
  return qn_graph_part(op, QN_OP_ML_BITCAST, byte, &shape, &v, 1, NULL);
}

/* The lowest bits as a number of so many bits. */
static qn_value *narrowed(qn_graph_op *op, qn_value *x, uint32_t bits, uint8_t dtype) {
  const qn_type *index = qn_onnx_i64(op);
  const bool is_signed = dtype == QN_GRAPH_INT8;
  x = qn_onnx_as_i64(op, x, dtype);
  if (is_signed) {
    const int64_t up = 64 - (int64_t)bits;
    x = qn_onnx_binary(op, QN_OP_ML_SHIFT, x, qn_onnx_whole(op, index, up));
    x = qn_onnx_binary(op, QN_OP_ML_SHIFT, x, qn_onnx_whole(op, index, -up));
  } else {
    qn_value *mask = qn_onnx_whole(op, index, (1 << bits) - 1);
    x = qn_onnx_binary(op, QN_OP_ML_BITWISE_AND, x, mask);
  }
  return qn_onnx_from_i64(op, x, dtype);
}

/* float32 and float64 rounded to float16, as float32. */
static qn_value *halved(qn_graph_op *op, qn_value *x) {
  x = qn_onnx_as(op, x, qn_type_float(op->graph->cx, QN_F16));
  return qn_onnx_as(op, x, qn_onnx_f32(op->graph));
}

static void give(qn_graph_op *op, uint8_t dtype, int64_t to, qn_value *value,
                 qn_onnx_layout layout) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (!value) {
    op->failed = true;
    return;
  }
  y->stored_dtype = (uint8_t)to;
  qn_onnx_define(op, y, dtype, &x->shape, value, layout);
}

static void cast_to(qn_graph_op *op, int64_t to) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed) return;
  const uint32_t bits = qn_onnx_narrow_bits(to), from_bits = qn_onnx_extra(op->graph, x)->bits;
  const bool is_half = to == QN_ONNX_FLOAT16 && !qn_onnx_is_half(x);
  const uint8_t dtype = to == QN_ONNX_FLOAT16 ? QN_GRAPH_FLOAT32 : qn_onnx_dtype(to);
  if (dtype == x->dtype && !is_half && (!bits || bits == from_bits)) {
    qn_onnx_alias(op, y, x);
    y->stored_dtype = (uint8_t)to;
    return;
  }
  if (to < 1 || dtype == QN_GRAPH_UNKNOWN) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "a cast to %s is not supported", qn_onnx_type_name(to));
    return;
  }
  const qn_onnx_layout layout = qn_onnx_layout_of(op, x);
  qn_value *v = qn_onnx_value_in(op, x, layout);
  if (!v) return;
  v = unquantized(op, v);
  const bool is_real = qn_onnx_is_real(x->dtype);
  if (is_half && !is_real) v = qn_onnx_converted(op, v, x->dtype, QN_GRAPH_FLOAT64);
  const bool wraps = bits && is_real;
  if (wraps) v = qn_onnx_converted(op, v, x->dtype, QN_GRAPH_INT64);
  v = is_half ? halved(op, v) : qn_onnx_converted(op, v, wraps ? QN_GRAPH_INT64 : x->dtype, dtype);
  if (v && bits) v = narrowed(op, v, bits, dtype);
  qn_onnx_extra(op->graph, y)->bits = (uint8_t)bits;
  give(op, dtype, to, v, layout);
}

void qn_onnx_import_cast(qn_graph_op *op) { cast_to(op, qn_onnx_int(op, "to", 0)); }

/* The number of the type in the file, or of the type that it was read as. */
static int64_t number_of(const qn_graph_tensor *tensor) {
  if (tensor->stored_dtype == QN_ONNX_FLOAT16) return QN_ONNX_FLOAT16;
  if (qn_onnx_narrow_bits(tensor->stored_dtype)) return tensor->stored_dtype;
  for (int64_t number = 1; number < QN_ONNX_UINT4; number++)
    if (qn_onnx_dtype(number) == tensor->dtype) return number;
  return 0;
}

void qn_onnx_import_cast_like(qn_graph_op *op) {
  const qn_graph_tensor *like = qn_graph_input(op, 1);
  if (like) cast_to(op, number_of(like));
}

void qn_onnx_import_bit_cast(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  const int64_t to = qn_onnx_int(op, "to", 0);
  if (op->failed) return;
  qn_graph_tensor as = *y;
  as.dtype = qn_onnx_dtype(to);
  const bool is_half = x->stored_dtype == QN_ONNX_FLOAT16 || to == QN_ONNX_FLOAT16;
  const uint32_t bits = qn_graph_dtype_bits(as.dtype);
  if (is_half || bits == 0 || bits != qn_graph_dtype_bits(x->dtype) || qn_onnx_narrow_bits(to) ||
      qn_onnx_extra(op->graph, x)->bits) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "the bits of %s as %s are not supported",
                   qn_graph_dtype_name(x->dtype), qn_onnx_type_name(to));
    return;
  }
  if (as.dtype == x->dtype) {
    qn_onnx_alias(op, y, x);
    return;
  }
  const qn_onnx_layout layout = qn_onnx_layout_of(op, x);
  qn_value *v = qn_onnx_value_in(op, x, layout);
  const qn_type *element = qn_graph_element_type(op->graph, op, &as);
  if (!v || !element) return;
  const qn_graph_shape shape = qn_graph_shape_of(v);
  if (x->dtype == QN_GRAPH_BOOL || as.dtype == QN_GRAPH_BOOL)
    v = qn_onnx_as(op, v, element); /* a byte, 0 or 1 */
  else if (qn_type_element(v->type) != element)
    v = qn_graph_part(op, QN_OP_ML_BITCAST, element, &shape, &v, 1, NULL);
  give(op, as.dtype, to, v, layout);
}
