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

static qn_value *fused(qn_builder *b, qn_value *sum, qn_value *row, const qn_narrow_channel *n) {
  qn_form form = {.b = b, .cx = b->cx};
  qn_value *bias = qn_form_flushed(&form, n->bias);
  qn_value *y =
      qn_build_1(b, QN_OP_MATH_FMA, sum->type, QN_VALUES(times(b, sum, row), n->scale, bias), NULL);
  return qn_form_flushed(&form, y);
}

/* Channel first in whole groups of four channels, else row first. */
static qn_value *by_groups(qn_builder *b, qn_value *sum, qn_value *row,
                           const qn_narrow_channel *n) {
  QN_ASSERT(n->in_group);
  qn_form form = {.b = b, .cx = b->cx};
  qn_value *none = qn_build_float(b, 0, sum->type);
  qn_value *in_group = qn_form_compare_reals(&form, QN_CMP_OGT, n->in_group, none);
  qn_value *first = qn_build_select(b, in_group, n->scale, row);
  qn_value *second = qn_build_select(b, in_group, row, n->scale);
  return times(b, times(b, sum, first), second);
}

static qn_value *in_order(qn_builder *b, qn_scale_order order, qn_value *sum, qn_value *row,
                          const qn_narrow_channel *n) {
  if (order == QN_ORDER_SCALES) return times(b, sum, times(b, row, n->scale));
  if (order == QN_ORDER_FOURS) return by_groups(b, sum, row, n);
  QN_ASSERT(order == QN_ORDER_CHANNEL_FIRST);
  return times(b, times(b, sum, n->scale), row);
}

qn_value *qn_narrow_scaled(qn_builder *b, const qn_op *op, qn_value *sum, const qn_narrow_row *row,
                           const qn_narrow_channel *channel) {
  qn_scale_order order = qn_op_scale_order(op);
  sum = qn_vec_cast(b, QN_OP_ARITH_SITOFP, sum, qn_type_float(b->cx, QN_F32));
  qn_value *y = order == QN_ORDER_FUSED
                    ? fused(b, sum, row->scale, channel)
                    : qn_build_binary(b, QN_OP_ARITH_ADDF,
                                      in_order(b, order, sum, row->scale, channel), channel->bias);
  return qn_float_activate(b, y, op);
}

qn_value *qn_narrow_real(qn_builder *b, const qn_op *op, qn_value *sum, const qn_narrow_row *row,
                         const qn_narrow_channel *channel) {
  qn_value *excess = qn_build_binary(b, QN_OP_ARITH_MULI, channel->total, row->zero);
  return qn_narrow_scaled(b, op, qn_build_binary(b, QN_OP_ARITH_SUBI, sum, excess), row, channel);
}
