/* Casts of the quant dialect. Casts with a plan become ops with a kernel. Casts between other types
 * are decomposed into arith, math and linalg.generic. Storage casts only change types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cast_form/cast_form.h"
#include "lower/integer/integer.h"

/* ---- decomposition ---- */

/* Builds a constant at the start of the block, where an equal one is found quickly. */
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
  const qn_cast_rounding rounding = {.fixed = in->planner.rounding};
  if (!quantizes) x = qn_build_unary(&e.b, QN_OP_QUANT_SCAST, x, stored);
  qn_value *result = qn_build_cast_form(&e, x, &rounding);
  if (quantizes) result = qn_build_unary(&e.b, QN_OP_QUANT_SCAST, result, y->type);
  qn_grids_deinit(&grids);
  qn_integer_replace(in, op, result);
  return QN_OK;
}

/* ---- the ops ---- */

static qn_status lower_cast(qn_integer *in, qn_op *op, bool quantizes) {
  qn_plan plan;
  qn_str unused;
  if (qn_plan_of(&in->planner, op, &plan, &unused) != QN_OK) return write_out(in, op, quantizes);
  qn_integer_carry_out(in, op, &plan);
  return QN_OK;
}

qn_status qn_integer_quant_qcast(qn_integer *in, qn_op *op) { return lower_cast(in, op, true); }
qn_status qn_integer_quant_dcast(qn_integer *in, qn_op *op) { return lower_cast(in, op, false); }

/* A storage cast disappears when types are converted. Integers with fewer bits than their bytes are
 * widened before it, or narrowed after it. */
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
