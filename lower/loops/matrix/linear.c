/* Matrix product: a convolution over one row of pixels, each a row of x.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_emit.h"
#include "lower/loops/schedule.h"

static qn_status lower_linear(qn_loops *lo, qn_op *op) {
  qn_weights weights;
  QN_TRY(qn_weights_read(lo, op, &weights));
  int64_t *taps = QN_NEW_ARRAY(lo->scratch, (size_t)weights.taps + 1, int64_t);
  for (int64_t t = 0; t < weights.taps; t++) taps[t] = t;
  /* Rows of x are pixels; those of an entry of dimension 0 are an image, where it matters. */
  int64_t rows = qn_type_elements(qn_op_operand(op, 0)->type) / weights.taps, images = 1;
  int32_t size = qn_loops_size(lo, &op->results[0]);
  if (size != QN_SIZE_FIXED) images = qn_loops_bound(lo, size);
  int64_t per_image = rows / images;
  qn_epilogue epilogue = qn_epilogue_of(lo, op, 3, weights.channels, weights.sums);
  qn_gemm gemm = {
      .op = op,
      .stem = "linear",
      .micro = &qn_gemm_bytes,
      .channels = weights.channels,
      .tap_count = weights.taps,
      .weights = &weights,
      .epilogue = &epilogue,
      .dot = lo->target->dot,
      .taps = taps,
      .extent = weights.taps,
      .groups = 1,
      .counts = {images, 1, per_image},
      .strides = {per_image * weights.taps, 0, weights.taps},
      .by_image = size != QN_SIZE_FIXED,
      .y_strides = {per_image * weights.channels, 0, weights.channels},
  };
  return qn_gemm_lower(lo, &gemm);
}
const qn_schedule qn_schedule_ml_integer_linear = {
    .lower = lower_linear, .constants_from = 1, .leads = true};
