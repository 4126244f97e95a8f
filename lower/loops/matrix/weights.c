/* Reading weights, and proving the range of each channel's accumulator from them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/weights.h"

#include "lower/integer/integer.h"

/* What constants can't take of zero points, and types that there is no kernel for. */
static qn_status check(qn_loops *lo, const qn_op *op) {
  const char *what = NULL;
  QN_ASSERT(qn_property_padding_explicit.holds(op) && qn_property_zero_points_folded.holds(op));
  if (qn_op_weight_zero_point(op) != 0) what = "a weight zero point";
  if (qn_op_input_zero_point(op) != 0) what = "an input zero point";
  const qn_type *x = qn_type_element(qn_op_operand(op, 0)->type);
  const qn_type *y = qn_type_element(qn_op_result(op, 0)->type);
  if (!qn_type_is_int(x, 8) || !qn_type_is_int(y, 8)) what = "an input or output that is not 8-bit";
  const qn_type *w = qn_type_element(qn_op_operand(op, 1)->type);
  if (!(qn_type_is_int(w, 8) && !qn_type_is_unsigned(w)) && !qn_type_is_int(w, 16))
    what = "weights that are neither i8 nor i16";
  if (!what) return QN_OK;
  return qn_error(&lo->cx->diag, op->loc, QN_UNSUPPORTED, "no schedule for '%.*s' with %s",
                  QN_STR_ARG(op->name), what);
}

qn_status qn_weights_read(qn_loops *lo, const qn_op *op, qn_weights *out_weights) {
  QN_TRY(check(lo, op));
  qn_channel_layout layout = qn_channel_layout_of(op);
  size_t channels = (size_t)layout.channels, taps = (size_t)layout.taps;
  const qn_attr *payload = qn_loops_payload(op, 1), *biases = qn_loops_payload(op, 2);
  int32_t *values = QN_NEW_ARRAY(lo->scratch, channels * taps + 1, int32_t);
  int32_t *bias = QN_NEW_ARRAY(lo->scratch, channels + 1, int32_t);
  qn_interval *sums = QN_NEW_ARRAY(lo->scratch, channels + 1, qn_interval);
  bool x_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(op, 0)->type));
  int64_t x_lo, x_hi;
  qn_storage_range(8, !x_unsigned, &x_lo, &x_hi);
  for (int64_t c = 0; c < layout.channels; c++) {
    int32_t *row = values + c * layout.taps;
    for (int64_t t = 0; t < layout.taps; t++)
      row[t] = (int32_t)qn_dense_int(payload, qn_channel_index(&layout, c, t));
    bias[c] = (int32_t)qn_dense_int(biases, c);
    sums[c] = qn_bounds_dot(row, layout.taps, x_lo, x_hi, bias[c], false);
  }
  *out_weights = (qn_weights){layout.channels, layout.taps, values, bias, x_unsigned, sums};
  return QN_OK;
}
