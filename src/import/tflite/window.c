/* Windows of convolutions and pools: strides, and SAME or VALID as explicit padding
 * (docs/arithmetic.md 4.1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

enum { PADDING_SAME = 0, PADDING_VALID = 1 };

/* One dimension of size n. All values fit 32 bits, so 64-bit arithmetic can't overflow. */
static bool place(qn_tflite_op *op, int64_t n, bool same, int d, qn_tflite_window *w) {
  static const char *const names[] = {"height", "width"};
  int64_t stride = w->stride[d];
  if (stride < 1 || w->kernel[d] < 1 || w->dilation[d] < 1)
    return qn_tflite_error(
        op, NULL, QN_INVALID, "%s: kernel %lld, stride %lld and dilation %lld must be positive",
        names[d], (long long)w->kernel[d], (long long)stride, (long long)w->dilation[d]);
  int64_t extent = (w->kernel[d] - 1) * w->dilation[d] + 1;
  w->out[d] = same ? (n + stride - 1) / stride : n < extent ? 0 : (n - extent) / stride + 1;
  if (w->out[d] < 1)
    return qn_tflite_error(op, NULL, QN_INVALID,
                           "%s: a kernel that spans %lld does not fit into %lld", names[d],
                           (long long)extent, (long long)n);
  int64_t total = (w->out[d] - 1) * stride + extent - n;
  if (total < 0) total = 0;
  w->pad[2 * d] = total / 2;
  w->pad[2 * d + 1] = total - total / 2;
  return true;
}

bool qn_tflite_place_window(qn_tflite_op *op, const qn_tflite_tensor *input, qn_tflite_window *w) {
  int64_t padding = qn_tflite_option(op, "PADDING");
  if (padding != PADDING_SAME && padding != PADDING_VALID)
    return qn_tflite_error(op, NULL, QN_INVALID, "unknown padding %lld", (long long)padding);
  w->stride[0] = qn_tflite_option(op, "STRIDE_H");
  w->stride[1] = qn_tflite_option(op, "STRIDE_W");
  qn_tflite_shape padded = input->shape;
  for (int d = 0; d < 2; d++) {
    if (!place(op, input->shape.dims[1 + d], padding == PADDING_SAME, d, w)) return false;
    padded.dims[1 + d] += w->pad[2 * d] + w->pad[2 * d + 1];
  }
  return qn_tflite_check_size(op, input, &padded); /* so that padding can be made explicit */
}
