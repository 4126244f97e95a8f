/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/reals.h"

#include "ir/float_form/hybrid.h"
#include "ir/op_attrs.h"
#include "lower/loops/matrix/floats.h"
#include "lower/loops/vec.h"

qn_value *qn_narrow_row_number(qn_builder *b, qn_value *buffer, qn_value *at, int64_t lanes) {
  const qn_type *type = qn_type_element(buffer->type);
  qn_value *number = qn_build_1(b, QN_OP_MEMREF_LOAD, type, QN_VALUES(buffer, at), NULL);
  return qn_vec_broadcast(b, number, lanes);
}

static qn_value *times(qn_builder *b, qn_value *x, qn_value *y) {
  return qn_build_binary(b, QN_OP_ARITH_MULF, x, y);
}

static qn_value *scaled(qn_builder *b, const qn_op *op, qn_value *sum, qn_value *row,
                        const qn_narrow_channel *n) {
  qn_scale_order order = qn_op_scale_order(op);
  if (order == QN_ORDER_FUSED) {
    qn_form form = {.b = b, .cx = b->cx};
    qn_value *bias = qn_form_flushed(&form, n->bias);
    qn_value *y = qn_build_1(b, QN_OP_MATH_FMA, sum->type,
                             QN_VALUES(times(b, sum, row), n->scale, bias), NULL);
    return qn_form_flushed(&form, y);
  }
  qn_value *y = order == QN_ORDER_SCALES ? times(b, sum, times(b, row, n->scale))
                                         : times(b, times(b, sum, n->scale), row);
  return qn_build_binary(b, QN_OP_ARITH_ADDF, y, n->bias);
}

qn_value *qn_narrow_real(qn_builder *b, const qn_op *op, qn_value *sum, const qn_narrow_row *row,
                         const qn_narrow_channel *channel) {
  qn_value *excess = qn_build_binary(b, QN_OP_ARITH_MULI, channel->total, row->zero);
  sum = qn_build_binary(b, QN_OP_ARITH_SUBI, sum, excess);
  sum = qn_vec_cast(b, QN_OP_ARITH_SITOFP, sum, qn_type_float(b->cx, QN_F32));
  return qn_float_activate(b, scaled(b, op, sum, row->scale, channel), op);
}
