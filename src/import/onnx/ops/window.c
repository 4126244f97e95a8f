/* Windows from the attributes of nodes (window.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/window.h"

bool qn_onnx_is_image(qn_graph_op *op, const qn_graph_tensor *x) {
  return x->shape.rank == 4 ||
         qn_graph_error(op, x, QN_UNSUPPORTED,
                        "rank %u is not supported here, only images of rank 4", x->shape.rank);
}

/* Reads an attribute with two integers, one for height and one for width. Both are `fallback` if it
 * is absent. */
static bool per_way(qn_graph_op *op, const char *name, int64_t fallback, int64_t out[2],
                    bool *out_is_there) {
  uint32_t count;
  out[0] = out[1] = fallback;
  if (!qn_onnx_ints(op, name, 2, out, &count)) return false;
  *out_is_there = count > 0;
  if (count == 1)
    return qn_graph_error(op, NULL, QN_INVALID, "attribute '%s' has 1 number where 2 are expected",
                          name);
  for (uint32_t i = 0; i < 2; i++)
    if (out[i] < 1 || out[i] > INT32_MAX)
      return qn_graph_error(op, NULL, QN_INVALID, "attribute '%s' has the number %lld", name,
                            (long long)out[i]);
  return true;
}

bool qn_onnx_kernel(qn_graph_op *op, int64_t out[2], bool *out_is_there) {
  return per_way(op, "kernel_shape", 1, out, out_is_there);
}

/* Reads the padding of the file, [top, left, bottom, right], in the order of qn_graph_window: [top,
 * bottom, left, right]. */
static bool given_pads(qn_graph_op *op, int64_t pad[4]) {
  int64_t pads[4] = {0};
  uint32_t count;
  if (!qn_onnx_ints(op, "pads", 4, pads, &count)) return false;
  if (count != 0 && count != 4)
    return qn_graph_error(op, NULL, QN_INVALID,
                          "attribute 'pads' has %u numbers where 4 are expected", count);
  for (uint32_t i = 0; i < 4; i++)
    if (pads[i] < 0 || pads[i] > INT32_MAX)
      return qn_graph_error(op, NULL, QN_INVALID, "a padding of %lld", (long long)pads[i]);
  pad[0] = pads[0], pad[1] = pads[2], pad[2] = pads[1], pad[3] = pads[3];
  return true;
}

static bool read_padding(qn_graph_op *op, int64_t pad[4], qn_graph_padding *out) {
  static const struct {
    const char *word;
    qn_graph_padding padding;
  } words[] = {{"NOTSET", QN_GRAPH_PAD_GIVEN},
               {"VALID", QN_GRAPH_PAD_VALID},
               {"SAME_UPPER", QN_GRAPH_PAD_SAME},
               {"SAME_LOWER", QN_GRAPH_PAD_SAME_LOWER}};
  qn_str word = qn_onnx_string(op, "auto_pad", "NOTSET");
  if (op->failed) return false;
  for (size_t i = 0; i < QN_COUNT(words); i++)
    if (qn_str_is(word, words[i].word)) {
      *out = words[i].padding;
      return *out != QN_GRAPH_PAD_GIVEN || given_pads(op, pad);
    }
  word = qn_graph_printable(&op->graph->arena, word, 40);
  return qn_graph_error(op, NULL, QN_INVALID, "unknown auto_pad '%.*s'", QN_STR_ARG(word));
}

/* With ceil_mode the number of windows is rounded up: the last window may extend beyond the
 * padding, if it begins before the padding's end. The padding at the end is enlarged
 * accordingly. */
static void reach_beyond(const qn_graph_tensor *input, qn_graph_window *w) {
  for (uint32_t d = 0; d < 2; d++) {
    int64_t extent = (w->kernel[d] - 1) * w->dilation[d] + 1, size = input->shape.dims[2 + d];
    int64_t padded = size + w->pad[2 * d] + w->pad[2 * d + 1];
    if (padded < extent) continue;
    int64_t out = (padded - extent + w->stride[d] - 1) / w->stride[d] + 1;
    if ((out - 1) * w->stride[d] >= size + w->pad[2 * d]) out--;
    int64_t missing = (out - 1) * w->stride[d] + extent - padded;
    if (missing > 0) w->pad[2 * d + 1] += missing;
  }
}

bool qn_onnx_place_window(qn_graph_op *op, const qn_graph_tensor *input, const int64_t kernel[2],
                          qn_graph_window *out) {
  bool ignored;
  qn_graph_padding padding = QN_GRAPH_PAD_GIVEN;
  *out = (qn_graph_window){.kernel = {kernel[0], kernel[1]}};
  if (!per_way(op, "strides", 1, out->stride, &ignored) ||
      !per_way(op, "dilations", 1, out->dilation, &ignored) ||
      !read_padding(op, out->pad, &padding))
    return false;
  if (qn_onnx_int(op, "ceil_mode", 0) && padding == QN_GRAPH_PAD_GIVEN) reach_beyond(input, out);
  return qn_graph_place_window(op, input, 2, padding, out);
}
