/* DEQUANTIZE. Kernels that take eight elements at once round the product of the stored value and
 * that of the zero point each; those left over at the end have one product. Where both are one
 * float for every stored value, or the profile's kernels know one way only, it is quant.dcast; else
 * the elements are cut there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/ops/by_place.h"

static float zero_product(const qn_tflite_q8 *q8) {
  return (float)(-q8->scale * (double)q8->zero_point);
}

/* Whether there is a stored value that becomes two floats. */
static bool differs(const qn_tflite_q8 *q8) {
  const float scale = (float)q8->scale, offset = zero_product(q8);
  int64_t lo, hi;
  qn_storage_range(q8->width, !q8->is_unsigned, &lo, &hi);
  for (int64_t q = lo; q <= hi; q++) {
    float product = (float)q * scale, y = product + offset;
    if (y != qn_dequantize_f32(q, scale, q8->zero_point)) return true;
  }
  return false;
}

/* As if there were no zero point, then its product added. */
static qn_value *in_vectors(qn_tflite_op *op, const void *user, qn_value *x, int64_t count) {
  const qn_tflite_q8 *q8 = user;
  qn_ir_context *cx = op->im->cx;
  const qn_type *f32 = qn_type_float(cx, QN_F32);
  const qn_tflite_shape shape = {1, {count}};
  const int64_t zero = 0;
  qn_quant_uniform plain = *qn_type_quant(x->type);
  plain.zero_points = &zero;
  x = qn_tflite_part(op, QN_OP_QUANT_SCAST, plain.storage, &shape, &x, 1, NULL);
  x = qn_tflite_part(op, QN_OP_QUANT_SCAST, qn_type_uniform(cx, &plain), &shape, &x, 1, NULL);
  x = qn_tflite_part(op, QN_OP_QUANT_DCAST, f32, &shape, &x, 1, NULL);
  qn_value *added = qn_tflite_one_float(op, f32, (double)zero_product(q8));
  return qn_tflite_part(op, QN_OP_ML_ADD, f32, &shape, (qn_value *[]){x, added}, 2, NULL);
}
static qn_value *one_by_one(qn_tflite_op *op, const void *user, qn_value *x, int64_t count) {
  (void)user;
  const qn_tflite_shape shape = {1, {count}};
  return qn_tflite_part(op, QN_OP_QUANT_DCAST, qn_type_float(op->im->cx, QN_F32), &shape, &x, 1,
                        NULL);
}

void qn_tflite_import_dequantize(qn_tflite_op *op) {
  qn_tflite_tensor *x = qn_tflite_input(op, 0), *y = qn_tflite_output(op, 0);
  qn_tflite_q8 q8;
  if (op->failed) return;
  qn_tflite_shape shape = x->shape;
  if (x->dtype == QN_TFLITE_FLOAT32 && y->dtype == QN_TFLITE_FLOAT32 && x->data.size) {
    if (qn_tflite_spend(op, (int64_t)x->data.size))
      qn_tflite_become_constant(op, y, x->data, &shape); /* that was of float16 */
    return;
  }
  bool narrow = x->dtype == QN_TFLITE_INT4;
  if (!(narrow ? qn_tflite_stored(op, x, &q8) : qn_tflite_8bit(op, x))) return;
  if (y->dtype != QN_TFLITE_FLOAT32) {
    qn_tflite_error(op, y, QN_UNSUPPORTED, "it is %s where float32 is expected",
                    qn_tflite_dtype_name(y->dtype));
    return;
  }
  qn_value *value = qn_tflite_value(op, x);
  qn_tflite_attrs attrs = {0};
  if (!value) return;
  const qn_quant_uniform *q = qn_type_quant(value->type);
  bool by_place = op->im->profile->dequantize == QN_DEQUANTIZE_BY_PLACE && q &&
                  q->scheme == QN_PER_LAYER && q->storage->integer.width <= 8 &&
                  qn_tflite_elements(&shape) >= QN_TFLITE_AT_ONCE &&
                  (narrow || qn_tflite_activation(op, x, &q8)) && differs(&q8);
  if (by_place)
    qn_tflite_build_by_place(op, y, qn_type_float(op->im->cx, QN_F32), value, &shape, in_vectors,
                             one_by_one, &q8);
  else
    qn_tflite_build(op, QN_OP_QUANT_DCAST, &value, 1, &attrs, &shape);
}
