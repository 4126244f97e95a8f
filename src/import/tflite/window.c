/* Reads windows from the options of operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

/* Reads the padding, SAME or VALID, and the strides of `ways` spatial dimensions. */
static bool read_window(qn_graph_op *op, uint32_t ways, qn_graph_padding *out_padding,
                        qn_graph_window *w) {
  static const qn_graph_padding paddings[] = {QN_GRAPH_PAD_SAME, QN_GRAPH_PAD_VALID};
  static const char *const strides[] = {"STRIDE_D", "STRIDE_H", "STRIDE_W"};
  int64_t padding = qn_graph_option(op, "PADDING");
  if (padding < 0 || padding >= (int64_t)QN_COUNT(paddings))
    return qn_graph_error(op, NULL, QN_INVALID, "unknown padding %lld", (long long)padding);
  *out_padding = paddings[padding];
  for (uint32_t d = 0; d < ways; d++)
    w->stride[d] = qn_graph_option(op, strides[d + QN_GRAPH_MOST_WAYS - ways]);
  return true;
}

bool qn_tflite_place_window(qn_graph_op *op, const qn_graph_tensor *input, qn_graph_window *w) {
  qn_graph_padding padding = QN_GRAPH_PAD_VALID;
  QN_ASSERT(input->shape.rank == 4 || input->shape.rank == 5);
  return read_window(op, input->shape.rank - 2, &padding, w) &&
         qn_graph_place_window(op, input, 1, padding, w);
}

bool qn_tflite_place_transposed(qn_graph_op *op, const qn_graph_tensor *input, int64_t channels,
                                qn_graph_window *w, qn_graph_shape *out_result,
                                bool *out_is_stated) {
  qn_graph_padding padding = QN_GRAPH_PAD_VALID;
  qn_graph_tensor *stated = qn_graph_input(op, 0);
  return stated && read_window(op, input->shape.rank - 2, &padding, w) &&
         qn_graph_place_transposed(op, stated, input, channels, padding, w, out_result,
                                   out_is_stated);
}
