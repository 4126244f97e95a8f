/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/narrow/reals.h"

#include "ir/float_form/hybrid.h"
#include "lower/loops/vec.h"

static qn_value *times(qn_form *f, qn_value *a, qn_value *b) {
  return qn_build_binary(f->b, QN_OP_ARITH_MULF, a, b);
}

static qn_value *fused(qn_form *f, qn_value *sum, const qn_narrow_sum *s) {
  qn_value *bias = qn_form_flushed(f, s->bias), *factor = times(f, sum, s->row);
  qn_value *y =
      qn_build_1(f->b, QN_OP_MATH_FMA, sum->type, QN_VALUES(factor, s->channel, bias), NULL);
  return qn_form_flushed(f, y);
}

static qn_value *scaled(qn_form *f, qn_scale_order order, qn_value *sum, const qn_narrow_sum *s) {
  if (order == QN_ORDER_SCALES) return times(f, sum, times(f, s->row, s->channel));
  if (order == QN_ORDER_CHANNEL_FIRST) return times(f, times(f, sum, s->channel), s->row);
  QN_ASSERT(order == QN_ORDER_FOURS && s->in_group);
  qn_value *none = qn_build_float(f->b, 0, sum->type);
  qn_value *in_group = qn_form_compare_reals(f, QN_CMP_OGT, s->in_group, none);
  qn_value *first = qn_build_select(f->b, in_group, s->channel, s->row);
  qn_value *second = qn_build_select(f->b, in_group, s->row, s->channel);
  return times(f, times(f, sum, first), second);
}

qn_value *qn_narrow_real(qn_form *f, qn_scale_order order, const qn_narrow_sum *s) {
  qn_value *sum = qn_vec_cast(f->b, QN_OP_ARITH_SITOFP, s->sum, qn_type_float(f->cx, QN_F32));
  if (order == QN_ORDER_FUSED) return fused(f, sum, s);
  return qn_build_binary(f->b, QN_OP_ARITH_ADDF, scaled(f, order, sum, s), s->bias);
}
