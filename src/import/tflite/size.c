/* Sizes of types and shapes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

uint32_t qn_tflite_dtype_bits(int64_t dtype) {
  static const uint8_t bits[] = {
      [QN_TFLITE_FLOAT32] = 32, [QN_TFLITE_INT32] = 32,  [QN_TFLITE_UINT8] = 8,
      [QN_TFLITE_INT64] = 64,   [QN_TFLITE_BOOL] = 8,    [QN_TFLITE_INT16] = 16,
      [QN_TFLITE_INT8] = 8,     [QN_TFLITE_UINT64] = 64, [QN_TFLITE_UINT32] = 32,
      [QN_TFLITE_UINT16] = 16};
  return dtype < (int64_t)QN_COUNT(bits) ? bits[dtype] : 0;
}

int64_t qn_tflite_dtype_bytes(uint8_t dtype) {
  uint32_t bits = qn_tflite_dtype_bits(dtype);
  return bits ? bits / 8 : 1;
}

int64_t qn_tflite_elements(const qn_tflite_shape *shape) {
  int64_t n = 1;
  for (uint32_t i = 0; i < shape->rank; i++) n *= shape->dims[i];
  return n;
}

bool qn_tflite_has_elements(qn_tflite_op *op, const qn_tflite_tensor *tensor) {
  return qn_tflite_elements(&tensor->shape) > 0 ||
         qn_tflite_error(op, tensor, QN_UNSUPPORTED,
                         "a tensor without elements is not supported here");
}

bool qn_tflite_same_shape(const qn_tflite_shape *a, const qn_tflite_shape *b) {
  if (a->rank != b->rank) return false;
  for (uint32_t i = 0; i < a->rank; i++)
    if (a->dims[i] != b->dims[i]) return false;
  return true;
}

bool qn_tflite_has_shape_of(qn_tflite_op *op, const qn_tflite_tensor *x,
                            const qn_tflite_tensor *first, qn_status status) {
  if (qn_tflite_same_shape(&x->shape, &first->shape)) return true;
  qn_str own = qn_tflite_shape_text(op->im, &x->shape);
  qn_str wanted = qn_tflite_shape_text(op->im, &first->shape);
  return qn_tflite_error(op, x, status, "it has shape %.*s, the first operand %.*s",
                         QN_STR_ARG(own), QN_STR_ARG(wanted));
}

const qn_type *qn_tflite_shaped(qn_tflite *im, const qn_type *element,
                                const qn_tflite_shape *shape) {
  return qn_type_tensor(im->cx, element, shape->rank, shape->dims);
}
