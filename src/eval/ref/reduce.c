/* Mean over axes (spec "tflite numerics" 6.3): the division by the number of elements is in the
 * multiplier.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

typedef struct reduction {
  const int64_t *dims;
  int64_t *strides; /* of the result, 0 along reduced dimensions */
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

/* The number of the result that the element after `index` goes to. */
static int64_t advance(reduction *r, int64_t at) {
  for (uint32_t d = r->rank; d-- > 0;) {
    at += r->strides[d];
    if (++r->index[d] < r->dims[d]) return at;
    at -= r->dims[d] * r->strides[d];
    r->index[d] = 0;
  }
  return at;
}

static void run_mean(qn_eval *ev, const qn_op *op, reduction *r, int32_t zero_point,
                     qn_multiplier m, const qn_ref_output *output) {
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  const qn_rt_value *operand = qn_eval_operand(ev, op, 0);
  const int32_t *x = qn_ref_load(ev, operand, zero_point);
  int64_t results = qn_rt_count(y), elements = qn_rt_count(operand);
  int32_t *sums = QN_NEW_ARRAY(ev->arena, (size_t)results + 1, int32_t);
  for (int64_t i = 0, at = 0; i < elements; i++, at = advance(r, at))
    sums[at] = qn_wrap_add32(sums[at], x[i]);
  for (int64_t i = 0; i < results; i++)
    qn_rt_set_int(y, i, qn_ref_finish(output, qn_requant32(sums[i], m.mantissa, m.shift)));
}

static qn_status model_mean(qn_eval *ev, const qn_op *op) {
  reduction r;
  qn_ref_quant x, y;
  QN_TRY(reduction_of(ev, op, &r));
  QN_TRY(qn_ref_unary_quant8(ev, op, &x, &y));
  QN_TRY(qn_ref_check_real(ev, op, qn_real_requantize(x.affine.scale, y.affine.scale)));
  qn_ref_output output = {y.affine.zero_point, y.affine.min, y.affine.max};
  qn_multiplier m = qn_multiplier_mean(x.affine.scale, y.affine.scale, r.count);
  run_mean(ev, op, &r, x.affine.zero_point, m, &output);
  return QN_OK;
}

static qn_status integer_mean(qn_eval *ev, const qn_op *op) {
  reduction r;
  int32_t zero_point;
  qn_multiplier m;
  qn_ref_output output;
  QN_TRY(reduction_of(ev, op, &r));
  QN_TRY(qn_ref_zero_point(ev, op, QN_A_INPUT_ZERO_POINT, &zero_point));
  QN_TRY(qn_ref_multiplier(ev, op, QN_A_MULTIPLIER, QN_A_SHIFT, &m));
  QN_TRY(qn_ref_output_of(ev, op, &output));
  run_mean(ev, op, &r, zero_point, m, &output);
  return QN_OK;
}

qn_status qn_eval_ml_reduce_mean(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, model_mean);
}
qn_status qn_eval_ml_integer_mean(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, integer_mean);
}
