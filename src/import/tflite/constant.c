/* The values that stand for tensors in the IR, and the numbers that constants are.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/tflite/tflite.h"

/* Without elements there is no data either. */
static bool is_constant(const qn_tflite_tensor *tensor) {
  return (tensor->data.size || qn_tflite_elements(&tensor->shape) == 0) && tensor->writer < 0 &&
         !tensor->is_input;
}

/* Integers that are computed from constants are one for who has to know them now. */
static bool is_known(qn_tflite_op *op, qn_tflite_tensor *tensor) {
  return is_constant(tensor) || qn_tflite_know(op, tensor);
}

/* Why a tensor without value and data can't be read. */
static void report_undefined(qn_tflite_op *op, qn_tflite_tensor *tensor) {
  if (tensor->writer >= (int64_t)op->index) {
    qn_tflite_error(op, tensor, QN_INVALID, "used before operator %lld writes it",
                    (long long)tensor->writer);
  } else if (tensor->writer < 0) {
    qn_tflite_error(op, tensor, QN_INVALID,
                    "it has no data, no operator writes it and it is no input");
  }
  tensor->bad = tensor->writer < 0;
  op->failed = true;
}

qn_value *qn_tflite_value(qn_tflite_op *op, qn_tflite_tensor *tensor) {
  if (tensor->value) return tensor->value;
  if (tensor->is_state) return qn_tflite_open_state(op, tensor);
  if (!is_constant(tensor)) {
    report_undefined(op, tensor);
    return NULL;
  }
  const qn_type *element = qn_tflite_element_type(op->im, op, tensor);
  if (!element) return NULL;
  return qn_tflite_constant(op, tensor, qn_tflite_shaped(op->im, element, &tensor->shape));
}

/* Once per type. Bytes that an operator has made are paid for. */
static qn_value *make_constant(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_type *type,
                               bool paid) {
  qn_tflite *im = op->im;
  if (tensor->value && tensor->value->type == type) return tensor->value;
  int64_t bytes = qn_tflite_elements(&tensor->shape) * qn_tflite_dtype_bytes(tensor->dtype);
  if (!is_constant(tensor)) {
    qn_tflite_error(op, tensor, QN_UNSUPPORTED, "it must be a constant");
    return NULL;
  }
  if (tensor->data.size != (size_t)bytes) {
    tensor->bad = true;
    qn_tflite_error(op, tensor, QN_INVALID, "its buffer has %zu bytes, its shape and type say %lld",
                    tensor->data.size, (long long)bytes);
    return NULL;
  }
  if (!paid && !qn_tflite_spend(op, bytes)) return NULL;
  const qn_type *stored = qn_type_stored(im->cx, type);
  bool aligned =
      (uintptr_t)tensor->data.data % (uintptr_t)qn_tflite_dtype_bytes(tensor->dtype) == 0;
  const qn_attr *value = qn_attr_dense(im->cx, stored, tensor->data, aligned);
  qn_builder b = im->builder;
  b.loc = qn_tflite_loc(op, tensor);
  tensor->value = qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
  return tensor->value;
}

qn_value *qn_tflite_constant(qn_tflite_op *op, qn_tflite_tensor *tensor, const qn_type *type) {
  return make_constant(op, tensor, type, false);
}

void qn_tflite_become_constant(qn_tflite_op *op, qn_tflite_tensor *y, qn_bytes data,
                               const qn_tflite_shape *shape) {
  y->data = data;
  y->shape = *shape;
  y->writer = -1;
  const qn_type *element = qn_tflite_element_type(op->im, op, y);
  if (element) make_constant(op, y, qn_tflite_shaped(op->im, element, shape), true);
}

bool qn_tflite_ints(qn_tflite_op *op, qn_tflite_tensor *tensor, uint32_t most, int64_t *out_values,
                    uint32_t *out_count) {
  if (tensor->dtype != QN_TFLITE_INT32 && tensor->dtype != QN_TFLITE_INT64)
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED, "it is %s where int32 or int64 is expected",
                           qn_tflite_dtype_name(tensor->dtype));
  if (!is_known(op, tensor))
    return qn_tflite_error(op, tensor, QN_UNSUPPORTED,
                           "it must be a constant: shapes are fixed at compile time");
  int64_t n = qn_tflite_elements(&tensor->shape), width = qn_tflite_dtype_bytes(tensor->dtype);
  if (tensor->data.size != (size_t)(n * width))
    return qn_tflite_error(op, tensor, QN_INVALID,
                           "its buffer has %zu bytes, its shape and type say %lld",
                           tensor->data.size, (long long)(n * width));
  if (n > most)
    return qn_tflite_error(op, tensor, QN_INVALID, "%lld elements where at most %u make sense",
                           (long long)n, most);
  for (int64_t i = 0; i < n; i++) {
    const uint8_t *p = tensor->data.data + i * width;
    out_values[i] = width == 4 ? (int32_t)qn_fb_load_u32(p) : (int64_t)qn_fb_load_u64(p);
  }
  *out_count = (uint32_t)n;
  return true;
}

bool qn_tflite_stated_sizes(qn_tflite_op *op, qn_tflite_tensor *operand,
                            const qn_tflite_tensor *result, int64_t *out_values,
                            uint32_t *out_count) {
  bool whole = operand->dtype == QN_TFLITE_INT32 || operand->dtype == QN_TFLITE_INT64;
  if (!whole || is_known(op, operand) || op->im->rebound || result->is_optional_shape)
    return qn_tflite_ints(op, operand, QN_TFLITE_MAX_RANK, out_values, out_count);
  if (!qn_tflite_value(op, operand)) return false; /* What nobody gives is no shape. */
  *out_count = result->shape.rank;
  for (uint32_t i = 0; i < result->shape.rank; i++) out_values[i] = result->shape.dims[i];
  qn_str text = qn_tflite_shape_text(op->im, &result->shape);
  qn_tflite_warn(op, operand,
                 "its value is not in the file; the stored shape %.*s of the result is used, as "
                 "shapes are fixed at compile time",
                 QN_STR_ARG(text));
  return true;
}

bool qn_tflite_whole(const qn_tflite_tensor *tensor, int64_t *out_value) {
  const uint8_t *p = tensor->data.data;
  if (!is_constant(tensor) || tensor->data.size != (size_t)qn_tflite_dtype_bytes(tensor->dtype))
    return false;
  switch (tensor->dtype) {
  case QN_TFLITE_INT8:
    *out_value = (int8_t)*p;
    return true;
  case QN_TFLITE_UINT8:
  case QN_TFLITE_BOOL:
    *out_value = *p;
    return true;
  case QN_TFLITE_INT16:
    *out_value = (int16_t)(p[0] | p[1] << 8);
    return true;
  case QN_TFLITE_INT32:
    *out_value = (int32_t)qn_fb_load_u32(p);
    return true;
  case QN_TFLITE_INT64:
    *out_value = (int64_t)qn_fb_load_u64(p);
    return true;
  case QN_TFLITE_FLOAT32:
    break;
  default:
    return false;
  }
  uint32_t bits = qn_fb_load_u32(p), again;
  float real;
  memcpy(&real, &bits, sizeof real);
  *out_value = fabsf(real) <= 0x1p24F ? (int64_t)real : 0;
  real = (float)*out_value;
  memcpy(&again, &real, sizeof again);
  return again == bits; /* -0.0 is none */
}

bool qn_tflite_scalar(qn_tflite_op *op, qn_tflite_tensor *tensor, int64_t *out_value) {
  bool known = is_known(op, tensor);
  return (known && qn_tflite_whole(tensor, out_value)) ||
         qn_tflite_error(op, tensor, QN_UNSUPPORTED, "it must be a constant, one whole number");
}

bool qn_tflite_axis(qn_tflite_op *op, int64_t axis, uint32_t rank, uint32_t *out_axis) {
  if (axis < -(int64_t)rank || axis >= (int64_t)rank)
    return qn_tflite_error(op, NULL, QN_INVALID, "axis %lld of a tensor of rank %u",
                           (long long)axis, rank);
  *out_axis = (uint32_t)(axis < 0 ? axis + rank : axis);
  return true;
}
