/* Windows of convolutions and pools: padding as explicit amounts, and sizes of results
 * (docs/arithmetic.md 4.1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/window.h"

/* Computes the padding before and after dimension d of size n, if the format does not specify it.
 */
static void pad(int64_t n, int64_t extent, qn_graph_padding padding, uint32_t d,
                qn_graph_window *w) {
  int64_t total = (w->out[d] - 1) * w->stride[d] + extent - n;
  if (total < 0) total = 0;
  int64_t less = total / 2, more = total - less;
  w->pad[2 * d] = padding == QN_GRAPH_PAD_SAME_LOWER ? more : less;
  w->pad[2 * d + 1] = total - w->pad[2 * d];
}

/* Places the window in one dimension of size n. All values fit 32 bits, so 64-bit arithmetic cannot
 * overflow. */
static bool place(qn_graph_op *op, int64_t n, qn_graph_padding padding, const char *name,
                  uint32_t d, qn_graph_window *w) {
  int64_t stride = w->stride[d];
  if (stride < 1 || w->kernel[d] < 1 || w->dilation[d] < 1)
    return qn_graph_error(op, NULL, QN_INVALID,
                          "%s: kernel %lld, stride %lld and dilation %lld must be positive", name,
                          (long long)w->kernel[d], (long long)stride, (long long)w->dilation[d]);
  int64_t extent = (w->kernel[d] - 1) * w->dilation[d] + 1;
  bool same = padding == QN_GRAPH_PAD_SAME || padding == QN_GRAPH_PAD_SAME_LOWER;
  if (padding == QN_GRAPH_PAD_GIVEN) n += w->pad[2 * d] + w->pad[2 * d + 1];
  w->out[d] = same ? (n + stride - 1) / stride : n < extent ? 0 : (n - extent) / stride + 1;
  if (w->out[d] < 1)
    return qn_graph_error(op, NULL, QN_INVALID,
                          "%s: a kernel that spans %lld does not fit into %lld", name,
                          (long long)extent, (long long)n);
  if (padding != QN_GRAPH_PAD_GIVEN) pad(n, extent, padding, d, w);
  return true;
}

bool qn_graph_place_window(qn_graph_op *op, const qn_graph_tensor *input, uint32_t first,
                           qn_graph_padding padding, qn_graph_window *w) {
  static const char *const names[] = {"depth", "height", "width"};
  qn_graph_shape padded = input->shape;
  uint32_t ways = padded.rank - 2;
  QN_ASSERT(padded.rank > 2 && ways <= QN_GRAPH_MOST_WAYS && first + ways <= padded.rank);
  for (uint32_t d = 0; d < ways; d++) {
    const char *name = names[d + QN_GRAPH_MOST_WAYS - ways];
    if (!place(op, padded.dims[first + d], padding, name, d, w)) return false;
    padded.dims[first + d] += w->pad[2 * d] + w->pad[2 * d + 1];
  }
  return qn_graph_check_size(
      op, input,
      &padded); /* the padded input must not be too large, because padding may become explicit */
}

/* ---- transposed: from the result to the input ---- */

static bool read_stated(qn_graph_op *op, qn_graph_tensor *operand, uint32_t rank,
                        qn_graph_shape *out) {
  const qn_graph_tensor *output = qn_graph_output(op, 0);
  int64_t stated[QN_GRAPH_MAX_RANK];
  if (!qn_graph_stated_sizes(op, operand, output, stated, &out->rank)) return false;
  if (out->rank != rank)
    return qn_graph_error(op, operand, QN_INVALID, "%u sizes where %u are expected", out->rank,
                          rank);
  for (uint32_t i = 0; i < rank; i++) {
    out->dims[i] = stated[i];
    if (stated[i] < 1 || stated[i] > QN_GRAPH_MAX_TENSOR_BYTES)
      return qn_graph_error(op, operand, QN_INVALID, "size %lld is out of range",
                            (long long)stated[i]);
  }
  return qn_graph_check_size(op, output, out);
}

static bool follows(const qn_graph_window *w, uint32_t d, int64_t in, int64_t out) {
  int64_t whole = (in - 1) * w->stride[d] + (w->kernel[d] - 1) * w->dilation[d] + 1;
  return out == whole - w->pad[2 * d] - w->pad[2 * d + 1];
}

bool qn_graph_place_transposed(qn_graph_op *op, qn_graph_tensor *stated,
                               const qn_graph_tensor *input, int64_t channels,
                               qn_graph_padding padding, qn_graph_window *w,
                               qn_graph_shape *out_result, bool *out_is_stated) {
  qn_graph_tensor result;
  const qn_graph_shape *x = &input->shape;
  if (!read_stated(op, stated, x->rank, out_result)) return false;
  /* The stated batch is the file's. */
  const qn_graph *graph = op->graph;
  if (graph->options->rebatch && out_result->dims[0] == graph->stored_batch)
    out_result->dims[0] = x->dims[0];
  if (!qn_graph_check_size(op, qn_graph_output(op, 0), out_result)) return false;
  result = *qn_graph_output(op, 0);
  result.shape = *out_result;
  if (!qn_graph_place_window(op, &result, 1, padding, w)) return false;
  bool fits = out_result->dims[0] == x->dims[0] && out_result->dims[x->rank - 1] == channels;
  *out_is_stated = false;
  for (uint32_t d = 0; d + 2 < x->rank; d++) {
    fits = fits && w->out[d] == x->dims[1 + d];
    *out_is_stated |= !follows(w, d, x->dims[1 + d], out_result->dims[1 + d]);
  }
  qn_str text = qn_graph_shape_text(op->graph, out_result);
  return fits || qn_graph_error(op, input, QN_INVALID,
                                "the stated shape %.*s does not go with input and weights",
                                QN_STR_ARG(text));
}
