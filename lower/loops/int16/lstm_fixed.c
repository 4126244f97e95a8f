/* Fixed-point arithmetic of the kernel of ml.integer_lstm: multipliers, saturated 16-bit sums.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fixed_point.h"
#include "lower/loops/int16/lstm.h"
#include "lower/loops/ops/stored.h"

qn_value *qn_lstm_saturated(qn_builder *b, qn_value *lanes) {
  return qn_fixed_clamp(b, lanes, INT16_MIN, INT16_MAX);
}

qn_value *qn_lstm_sum(qn_builder *b, qn_value *x, qn_value *any) {
  any = qn_fixed_clamp(b, any, -UINT16_MAX,
                       UINT16_MAX); /* outside this range the sum saturates anyway */
  return qn_lstm_saturated(b, qn_build_binary(b, QN_OP_ARITH_ADDI, x, any));
}

qn_multiplier qn_lstm_multiplier(const qn_lstm_kernel *l, uint32_t i) {
  uint32_t first = qn_cell_first(l->op, QN_CELL_MULTIPLIERS);
  return (qn_multiplier){(int32_t)qn_stored_constant(l->op, first + QN_LSTM_MULTIPLIER, i),
                         (int32_t)qn_stored_constant(l->op, first + QN_LSTM_SHIFT, i)};
}
