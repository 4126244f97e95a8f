/* Ops that move values without arithmetic stand at the integer stage as they are; what is left to
 * do is to say which stored value fills a border, and to join tensors of different quantization
 * (spec "tflite numerics" 9).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

/* The stored values are moved unchanged whatever the types say; storage has to agree, and unequal
 * parameters are worth a warning: the model means something else than the kernels do. */
static qn_status check_pair(qn_integer *in, const qn_op *op, const qn_value *from,
                            const qn_value *to) {
  const qn_type *a = qn_type_element(from->type), *b = qn_type_element(to->type);
  if (qn_integer_storage_element(in->cx, a) != qn_integer_storage_element(in->cx, b) ||
      qn_type_is_quant(a) != qn_type_is_quant(b))
    return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                    "'%.*s' has no integer form: it changes the storage type",
                    QN_STR_ARG(op->name));
  const qn_quant_uniform *p = qn_type_quant(from->type), *q = qn_type_quant(to->type);
  if (!p || p->scheme != QN_PER_LAYER || q->scheme != QN_PER_LAYER) return QN_OK;
  if (p->scales[0] != q->scales[0] || p->zero_points[0] != q->zero_points[0])
    qn_warning(&in->cx->diag, op->loc,
               "'%.*s' changes the quantization from scale %g, zero point %lld to scale %g, zero "
               "point %lld; the stored values are kept",
               QN_STR_ARG(op->name), p->scales[0], (long long)p->zero_points[0], q->scales[0],
               (long long)q->zero_points[0]);
  return QN_OK;
}

static qn_status check_movement(qn_integer *in, qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    QN_TRY(check_pair(in, op, qn_op_operand(op, 0), qn_op_result(op, i)));
  return QN_OK;
}

qn_status qn_integer_ml_reshape(qn_integer *in, qn_op *op) {
  return check_movement(in, op);
}
qn_status qn_integer_ml_squeeze(qn_integer *in, qn_op *op) {
  return check_movement(in, op);
}
qn_status qn_integer_ml_expand_dims(qn_integer *in, qn_op *op) {
  return check_movement(in, op);
}
qn_status qn_integer_ml_transpose(qn_integer *in, qn_op *op) {
  return check_movement(in, op);
}
qn_status qn_integer_ml_split(qn_integer *in, qn_op *op) {
  return check_movement(in, op);
}
qn_status qn_integer_ml_slice_by_index(qn_integer *in, qn_op *op) {
  return check_movement(in, op);
}

/* Constants only change their type, with everything else (retype.c). */
qn_status qn_integer_ml_const(qn_integer *in, qn_op *op) {
  (void)in;
  (void)op;
  return QN_OK;
}

qn_status qn_integer_ml_pad(qn_integer *in, qn_op *op) {
  QN_TRY(check_movement(in, op));
  if (qn_op_find(op, QN_A_PAD_VALUE)) return QN_OK;
  int64_t value = 0;
  const qn_quant_uniform *q = qn_type_quant(qn_op_result(op, 0)->type);
  for (uint32_t i = 0; q && i < q->count; i++) {
    value = q->zero_points[i];
    if (value != q->zero_points[0])
      return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                      "'%.*s' has no integer form: the result has more than one zero point",
                      QN_STR_ARG(op->name));
  }
  qn_op_set_attr(in->module, op, "value", qn_integer_i64(in, value));
  return QN_OK;
}

/* ---- concatenation ---- */

/* An input with other parameters than the result: uint8 is rescaled by a table, int8 has no kernel
 * that would. */
static qn_status match_input(qn_integer *in, qn_op *op, uint32_t index, const qn_quant8 *y) {
  char role[24];
  snprintf(role, sizeof role, "operand %u", index);
  qn_value *operand = qn_op_operand(op, index);
  qn_quant8 x;
  if (!qn_integer_quant8(in, op, operand, role, &x) || !qn_integer_same_sign(in, op, &x, y))
    return QN_UNSUPPORTED;
  if (qn_quant8_equal(&x, y)) return QN_OK;
  if (!x.is_unsigned)
    return qn_error(&in->cx->diag, op->loc, QN_UNSUPPORTED,
                    "'%.*s' has no integer form: %s has another quantization than the result",
                    QN_STR_ARG(op->name), role);
  qn_multiplier unused;
  if (!qn_integer_multiplier(in, op, x.affine.scale / y->affine.scale, &unused)) return QN_INVALID;
  uint8_t table[256];
  qn_unary_table(QN_UNARY_CONCAT_RESCALE, in->profile, x.affine, true, y->affine, table);
  const qn_type *element = qn_type_element(qn_op_result(op, 0)->type);
  qn_builder b = qn_builder_before(in->module, op);
  qn_op_set_operand(
      op, index,
      qn_integer_lut(&b, operand, table, qn_type_with_element(in->cx, operand->type, element)));
  return QN_OK;
}

static bool same_elements(const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_type_element(op->operands[i].value->type) != qn_type_element(op->results[0].type))
      return false;
  return true;
}

qn_status qn_integer_ml_concat(qn_integer *in, qn_op *op) {
  if (same_elements(op)) return QN_OK;
  qn_quant8 y;
  if (!qn_integer_quant8(in, op, qn_op_result(op, 0), "the result", &y)) return QN_UNSUPPORTED;
  qn_status worst = QN_OK;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_status status = match_input(in, op, i, &y);
    if (status != QN_OK && worst != QN_INVALID) worst = status;
  }
  return worst;
}
