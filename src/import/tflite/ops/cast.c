/* CAST. What is stored counts, so that quantized tensors have none, but of int4 beside floats.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"
#include "ir/ops/forms.h"

/* Between int4, as it is stored, and floats, which saturate. */
static void cast_narrow(qn_tflite_op *op, qn_tflite_tensor *x, qn_tflite_tensor *y) {
  enum { LOW = -8, HIGH = 7 };
  const qn_type *i8 = qn_type_i(op->im->cx, 8), *f32 = qn_type_float(op->im->cx, QN_F32);
  bool to = qn_tflite_is_narrow(y);
  const qn_tflite_shape shape = x->shape;
  const qn_tflite_tensor *real = to ? x : y;
  if (real->dtype != QN_TFLITE_FLOAT32) {
    qn_tflite_error(op, real, QN_UNSUPPORTED, "it is %s where float32 is expected",
                    qn_tflite_dtype_name(real->dtype));
    return;
  }
  qn_value *value = qn_tflite_value(op, x);
  const qn_type *element = qn_tflite_element_type(op->im, op, y);
  if (!value || !element) return;
  if (!to && qn_type_quant(value->type))
    value = qn_tflite_part(op, QN_OP_QUANT_SCAST, i8, &shape, &value, 1, NULL);
  value = qn_tflite_part(op, QN_OP_ML_CAST, to ? i8 : f32, &shape, &value, 1, NULL);
  for (uint32_t i = 0; to && i < 2; i++) {
    qn_value *both[] = {value, qn_tflite_number(op, i8, i ? HIGH : LOW)};
    value = qn_tflite_part(op, i ? QN_OP_ML_MINIMUM : QN_OP_ML_MAXIMUM, i8, &shape, both, 2, NULL);
  }
  if (qn_type_element(value->type) != element)
    value = qn_tflite_part(op, QN_OP_QUANT_SCAST, element, &shape, &value, 1, NULL);
  qn_tflite_define(op, y, &shape, value);
}

void qn_tflite_import_cast(qn_tflite_op *op) {
  qn_tflite_tensor *x = qn_tflite_input(op, 0), *y = qn_tflite_output(op, 0);
  if (op->failed) return;
  if (qn_tflite_is_narrow(x) || qn_tflite_is_narrow(y)) {
    cast_narrow(op, x, y);
    return;
  }
  if (qn_tflite_is_quantized(x) || qn_tflite_is_quantized(y)) {
    qn_tflite_error(op, x, QN_UNSUPPORTED, "a cast of quantized tensors is not supported");
    return;
  }
  bool from = qn_tflite_is_wide_unsigned(x), to = qn_tflite_is_wide_unsigned(y);
  bool bits = (from && y->dtype == QN_TFLITE_INT32) || (to && x->dtype == QN_TFLITE_INT32);
  if ((from || to) && x->dtype != y->dtype && !bits) {
    qn_tflite_error(op, x, QN_UNSUPPORTED, "a cast from %s to %s is not supported",
                    qn_tflite_dtype_name(x->dtype), qn_tflite_dtype_name(y->dtype));
    return;
  }
  qn_value *value = qn_tflite_value(op, x);
  qn_tflite_attrs attrs = {0};
  qn_tflite_shape shape = x->shape;
  if (value) qn_tflite_build(op, QN_OP_ML_CAST, &value, 1, &attrs, &shape);
}
