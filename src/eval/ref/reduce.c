/* Mean over axes (docs/arithmetic.md 7.3). The multiplier includes the division by the number of
 * elements.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

typedef struct reduction {
  const int64_t *dims;
  int64_t *strides; /* [dimension] stride in the result; 0 if reduced */
  int64_t *index;
  uint32_t rank;
  int64_t count; /* elements per result */
} reduction;

static qn_status reduction_of(qn_eval *ev, const qn_op *op, reduction *out) {
  const qn_type *x = qn_ref_operand_type(op, 0);
  qn_i64s axes = qn_op_axes(op);
  out->rank = x->shaped.rank;
  out->dims = x->shaped.dims;
  out->strides = QN_NEW_ARRAY(ev->arena, out->rank + 1, int64_t);
  out->index = QN_NEW_ARRAY(ev->arena, out->rank + 1, int64_t);
  out->count = 1;
  for (uint32_t d = 0; d < out->rank; d++) out->strides[d] = 1;
  for (uint32_t i = 0; i < axes.count; i++) {
    if (axes.data[i] < 0 || axes.data[i] >= out->rank)
      return qn_eval_fail(ev, op, "reduces axis %lld of a tensor of rank %u",
                          (long long)axes.data[i], out->rank);
    out->strides[axes.data[i]] = 0;
  }
  int64_t kept = 1;
  for (uint32_t d = out->rank; d-- > 0;) {
    if (out->strides[d] == 0) {
      out->count *= out->dims[d];
      continue;
    }
    out->strides[d] = kept;
    kept *= out->dims[d];
  }
  if (kept != qn_type_elements(qn_ref_result_type(op, 0)))
    return qn_eval_fail(ev, op, "has a result of the wrong size");
  if (out->count < 1) return qn_eval_fail(ev, op, "has no elements to reduce");
  return QN_OK;
}

/* The index of the result for the element after `index`. */
static int64_t advance(reduction *r, int64_t at) {
  for (uint32_t d = r->rank; d-- > 0;) {
    at += r->strides[d];
    if (++r->index[d] < r->dims[d]) return at;
    at -= r->dims[d] * r->strides[d];
    r->index[d] = 0;
  }
  return at;
}

static qn_status mean(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  reduction r;
  QN_TRY(reduction_of(ev, op, &r));
  const qn_multiplier m = plan->mean.multiplier;
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  const qn_rt_value *operand = qn_eval_operand(ev, op, 0);
  const int32_t *x = qn_ref_load(ev, operand, plan->mean.input_zero_point);
  int64_t results = qn_rt_count(y), elements = qn_rt_count(operand);
  int32_t *sums = QN_NEW_ARRAY(ev->arena, (size_t)results + 1, int32_t);
  for (int64_t i = 0, at = 0; i < elements; i++, at = advance(&r, at)) {
    sums[at] = qn_wrap_add32(sums[at], x[i]);
    qn_guard_work(1);
  }
  for (int64_t i = 0; i < results; i++) {
    int32_t scaled = plan->mean.rounding == QN_REQUANT_SINGLE
                         ? qn_requant_single(sums[i], m.mantissa, m.shift, plan->mean.offset)
                     : plan->mean.rounding == QN_REQUANT_UP
                         ? qn_requant32_up(sums[i], m.mantissa, m.shift)
                         : qn_requant32(sums[i], m.mantissa, m.shift);
    qn_rt_set_int(y, i, qn_ref_finish(&plan->mean.output, scaled));
  }
  return QN_OK;
}

qn_status qn_eval_ml_reduce_mean(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, mean);
}
qn_status qn_eval_ml_integer_mean(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_mean, mean);
}
