/* Windows of convolutions and pools: strides, and SAME or VALID as explicit padding
 * (docs/arithmetic.md 4.1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

enum { PADDING_SAME = 0, PADDING_VALID = 1 };

/* One dimension of size n. All values fit 32 bits, so 64-bit arithmetic can't overflow. */
static bool place(qn_tflite_op *op, int64_t n, bool same, const char *name, uint32_t d,
                  qn_tflite_window *w) {
  int64_t stride = w->stride[d];
  if (stride < 1 || w->kernel[d] < 1 || w->dilation[d] < 1)
    return qn_tflite_error(op, NULL, QN_INVALID,
                           "%s: kernel %lld, stride %lld and dilation %lld must be positive", name,
                           (long long)w->kernel[d], (long long)stride, (long long)w->dilation[d]);
  int64_t extent = (w->kernel[d] - 1) * w->dilation[d] + 1;
  w->out[d] = same ? (n + stride - 1) / stride : n < extent ? 0 : (n - extent) / stride + 1;
  if (w->out[d] < 1)
    return qn_tflite_error(op, NULL, QN_INVALID,
                           "%s: a kernel that spans %lld does not fit into %lld", name,
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
  qn_tflite_shape padded = input->shape;
  uint32_t ways = padded.rank - 2;
  QN_ASSERT(ways == 2 || ways == 3);
  for (uint32_t d = 0; d < ways; d++) {
    static const char *const strides[] = {"STRIDE_D", "STRIDE_H", "STRIDE_W"}, *const names[] = {
                                                                                   "depth",
                                                                                   "height",
                                                                                   "width"};
    w->stride[d] = qn_tflite_option(op, strides[d + 3 - ways]);
    if (!place(op, padded.dims[1 + d], padding == PADDING_SAME, names[d + 3 - ways], d, w))
      return false;
    padded.dims[1 + d] += w->pad[2 * d] + w->pad[2 * d + 1];
  }
  return qn_tflite_check_size(op, input, &padded); /* so that padding can be made explicit */
}

/* ---- transposed: from the result to the input ---- */

static bool read_stated(qn_tflite_op *op, qn_tflite_tensor *operand, uint32_t rank,
                        qn_tflite_shape *out) {
  const qn_tflite_tensor *output = qn_tflite_output(op, 0);
  int64_t stated[QN_TFLITE_MAX_RANK];
  if (!qn_tflite_stated_sizes(op, operand, output, stated, &out->rank)) return false;
  if (out->rank != rank)
    return qn_tflite_error(op, operand, QN_INVALID, "%u sizes where %u are expected", out->rank,
                           rank);
  for (uint32_t i = 0; i < rank; i++) {
    out->dims[i] = stated[i];
    if (stated[i] < 1 || stated[i] > QN_TFLITE_MAX_TENSOR_BYTES)
      return qn_tflite_error(op, operand, QN_INVALID, "size %lld is out of range",
                             (long long)stated[i]);
  }
  return qn_tflite_check_size(op, output, out);
}

static bool follows(const qn_tflite_window *w, uint32_t d, int64_t in, int64_t out) {
  int64_t whole = (in - 1) * w->stride[d] + (w->kernel[d] - 1) * w->dilation[d] + 1;
  return out == whole - w->pad[2 * d] - w->pad[2 * d + 1];
}

bool qn_tflite_place_transposed(qn_tflite_op *op, const qn_tflite_tensor *input, int64_t channels,
                                qn_tflite_window *w, qn_tflite_shape *out_result,
                                bool *out_is_stated) {
  qn_tflite_tensor *operand = qn_tflite_input(op, 0), result;
  const qn_tflite_shape *x = &input->shape;
  if (!operand || !read_stated(op, operand, x->rank, out_result)) return false;
  result = *qn_tflite_output(op, 0);
  result.shape = *out_result;
  if (!qn_tflite_place_window(op, &result, w)) return false;
  bool fits = out_result->dims[0] == x->dims[0] && out_result->dims[x->rank - 1] == channels;
  *out_is_stated = false;
  for (uint32_t d = 0; d + 2 < x->rank; d++) {
    fits = fits && w->out[d] == x->dims[1 + d];
    *out_is_stated |= !follows(w, d, x->dims[1 + d], out_result->dims[1 + d]);
  }
  qn_str text = qn_tflite_shape_text(op->im, out_result);
  return fits || qn_tflite_error(op, input, QN_INVALID,
                                 "the stated shape %.*s does not go with input and weights",
                                 QN_STR_ARG(text));
}
