/* Matrix product with transposed weights (spec "tflite numerics" 4.3): the input is seen as rows of
 * K values, K the weights' last dimension.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

static void run_linear(const int32_t *x, const int32_t *w, const qn_ref_channels *channels,
                       int64_t rows, int64_t depth, qn_rt_value *y) {
  for (int64_t row = 0; row < rows; row++)
    for (int64_t unit = 0; unit < channels->count; unit++) {
      uint32_t acc = (uint32_t)channels->bias[unit];
      for (int64_t k = 0; k < depth; k++)
        acc += (uint32_t)x[row * depth + k] * (uint32_t)w[unit * depth + k];
      qn_rt_set_int(y, row * channels->count + unit,
                    qn_ref_requantize(channels, unit, (int32_t)acc));
    }
}

static qn_status eval_linear(qn_eval *ev, const qn_op *op, const qn_ref_channels *channels) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0), *w = qn_eval_operand(ev, op, 1);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  int64_t depth = w->type->shaped.rank == 2 ? w->type->shaped.dims[1] : 0;
  if (depth < 1 || qn_rt_count(x) % depth != 0 ||
      qn_rt_count(x) / depth * channels->count != qn_rt_count(y))
    return qn_eval_fail(ev, op, "has an input that is not the result's number of rows of %lld",
                        (long long)depth);
  run_linear(qn_ref_load(ev, x, channels->input_zero_point),
             qn_ref_load(ev, w, channels->weight_zero_point), channels, qn_rt_count(x) / depth,
             depth, y);
  return QN_OK;
}

static qn_status model_linear(qn_eval *ev, const qn_op *op) {
  qn_ref_channels channels;
  QN_TRY(qn_ref_channels_of_types(ev, op, 0, &channels));
  return eval_linear(ev, op, &channels);
}

static qn_status integer_linear(qn_eval *ev, const qn_op *op) {
  qn_ref_channels channels;
  QN_TRY(qn_ref_channels_of_operands(ev, op, 0, &channels));
  return eval_linear(ev, op, &channels);
}

qn_status qn_eval_ml_linear(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, model_linear);
}
qn_status qn_eval_ml_integer_linear(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, integer_linear);
}
