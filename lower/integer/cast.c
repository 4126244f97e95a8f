/* The quant dialect's casts. Between f32 and 8-bit storage with one scale they are ops with a kernel
 * (spec "tflite numerics" 11); between all other types they are written out in arith, math and
 * linalg.generic. Between storage and quantized type they are only types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cast_form/cast_form.h"
#include "ir/ops/ml.h"
#include "lower/integer/integer.h"

/* ---- with a kernel ---- */

static bool has_kernel(const qn_value *real, const qn_value *quantized) {
  const qn_quant_uniform *q = qn_type_quant(quantized->type);
  return qn_ml_is_shape(real->type) && qn_type_is_float(qn_type_element(real->type), QN_F32) && q &&
         q->scheme == QN_PER_LAYER && q->storage->integer.width == 8;
}

/* The float formulas work on the scale in single precision. */
static const qn_attr *scale_attr(const qn_integer *in, const qn_quant8 *q) {
  return qn_attr_float(in->cx, (double)(float)q->affine.scale, qn_type_float(in->cx, QN_F32));
}

/* ---- written out ---- */

/* At the start of the block, where few are looked at for an equal one. */
static qn_value *early_constant(void *user, qn_op *at, const qn_attr *attr, const qn_type *type) {
  enum { LOOKED_AT = 16 };
  const qn_integer *in = user;
  qn_op_kind kind = qn_type_is_shaped(type) ? QN_OP_ML_CONST : QN_OP_ARITH_CONSTANT;
  qn_op *first = at->block->first;
  int seen = 0;
  for (qn_op *op = first; op && seen < LOOKED_AT && qn_op_has(op, QN_CONSTANT); op = op->next) {
    if (op->kind == kind && op->results[0].type == type && qn_op_find(op, QN_A_VALUE) == attr)
      return &op->results[0];
    seen++;
  }
  qn_builder b = qn_builder_before(in->module, first);
  b.loc = at->loc;
  return qn_build_1(&b, kind, type, NULL, 0, QN_ATTRS({"value", attr}));
}

static const qn_type *stored_type(const qn_integer *in, const qn_value *quantized) {
  const qn_quant_uniform *q = qn_type_quant(quantized->type);
  const qn_type *element = qn_type_i(in->cx, 8 * qn_type_bytes(q->storage));
  return qn_type_with_element(in->cx, quantized->type, element);
}

static qn_status write_out(qn_integer *in, qn_op *op, bool quantizes) {
  qn_value *x = qn_op_operand(op, 0), *y = qn_op_result(op, 0);
  const qn_type *stored = stored_type(in, quantizes ? y : x);
  qn_grids grids = {0};
  qn_emit e = {.cx = in->cx,
               .b = qn_builder_before(in->module, op),
               .cast = op,
               .q = qn_type_quant(quantizes ? y->type : x->type),
               .quantizes = quantizes,
               .constant = early_constant,
               .constant_user = in,
               .grids = &grids,
               .stored = qn_type_element(stored)};
  QN_TRY(qn_check_cast_form(&e));
  const qn_cast_rounding rounding = {.fixed = in->rounding};
  if (!quantizes) x = qn_build_unary(&e.b, QN_OP_QUANT_SCAST, x, stored);
  qn_value *result = qn_build_cast_form(&e, x, &rounding);
  if (quantizes) result = qn_build_unary(&e.b, QN_OP_QUANT_SCAST, result, y->type);
  qn_grids_deinit(&grids);
  qn_integer_replace(in, op, result);
  return QN_OK;
}

/* ---- the ops ---- */

qn_status qn_integer_quant_qcast(qn_integer *in, qn_op *op) {
  qn_value *x = qn_op_operand(op, 0), *y = qn_op_result(op, 0);
  qn_quant8 q;
  if (!has_kernel(x, y)) return write_out(in, op, true);
  if (!qn_integer_quant8(in, op, y, "the result", &q)) return QN_UNSUPPORTED;
  qn_builder b = qn_builder_before(in->module, op);
  const qn_attr *rounding = qn_attr_word(in->cx, QN_A_QUANTIZE_ROUNDING, in->rounding);
  qn_integer_replace(in, op,
                     qn_build_1(&b, QN_OP_ML_QUANTIZE_FLOAT, y->type, QN_VALUES(x),
                                QN_ATTRS({"scale", scale_attr(in, &q)},
                                         {"zero_point", qn_integer_i64(in, q.affine.zero_point)},
                                         {"min", qn_integer_i64(in, q.affine.min)},
                                         {"max", qn_integer_i64(in, q.affine.max)},
                                         {"rounding", rounding})));
  return QN_OK;
}

qn_status qn_integer_quant_dcast(qn_integer *in, qn_op *op) {
  qn_value *x = qn_op_operand(op, 0), *y = qn_op_result(op, 0);
  qn_quant8 q;
  if (!has_kernel(y, x)) return write_out(in, op, false);
  if (!qn_integer_quant8(in, op, x, "the input", &q)) return QN_UNSUPPORTED;
  qn_builder b = qn_builder_before(in->module, op);
  qn_integer_replace(in, op,
                     qn_build_1(&b, QN_OP_ML_DEQUANTIZE_FLOAT, y->type, QN_VALUES(x),
                                QN_ATTRS({"scale", scale_attr(in, &q)},
                                         {"zero_point", qn_integer_i64(in, q.affine.zero_point)})));
  return QN_OK;
}

/* It disappears when types are converted; integers of fewer bits than their bytes
 * have are widened before it, or narrowed after. */
qn_status qn_integer_quant_scast(qn_integer *in, qn_op *op) {
  qn_value *x = qn_op_operand(op, 0), *y = qn_op_result(op, 0);
  bool to_quantized = qn_type_is_quant(qn_type_element(y->type));
  const qn_quant_uniform *q = qn_type_quant(to_quantized ? y->type : x->type);
  if (!q) return QN_UNSUPPORTED; /* reported with its type */
  const qn_type *stored = stored_type(in, to_quantized ? y : x);
  if (qn_type_element(stored)->integer.width == q->storage->integer.width) return QN_OK;
  qn_builder b = qn_builder_before(in->module, op);
  if (to_quantized)
    x = qn_build_unary(&b, q->is_signed ? QN_OP_ARITH_EXTSI : QN_OP_ARITH_EXTUI, x, stored);
  x = qn_build_unary(&b, QN_OP_QUANT_SCAST, x, to_quantized ? y->type : stored);
  if (!to_quantized) x = qn_build_unary(&b, QN_OP_ARITH_TRUNCI, x, y->type);
  qn_integer_replace(in, op, x);
  return QN_OK;
}
