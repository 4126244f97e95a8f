/* Matrix product: a convolution over one row of pixels, each a row of x.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm.h"

qn_status qn_loops_ml_integer_linear(qn_loops *lo, qn_op *op) {
  qn_weights weights;
  QN_TRY(qn_weights_read(lo, op, &weights));
  int64_t *taps = QN_NEW_ARRAY(lo->scratch, (size_t)weights.taps + 1, int64_t);
  for (int64_t t = 0; t < weights.taps; t++) taps[t] = t;
  qn_epilogue epilogue = qn_epilogue_of(lo, op, 3, weights.channels, weights.sums);
  qn_gemm gemm = {
      .op = op, .stem = "linear", .weights = &weights, .epilogue = &epilogue,
      .taps = taps, .extent = weights.taps, .groups = 1,
      .counts = {1, 1, qn_type_elements(qn_op_operand(op, 0)->type) / weights.taps},
      .strides = {0, 0, weights.taps},
      .y_strides = {0, 0, weights.channels},
  };
  return qn_gemm_lower(lo, &gemm);
}
