/* Windows from the attributes of nodes (window.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/window.h"

bool qn_onnx_is_image(qn_graph_op *op, const qn_graph_tensor *x) {
  return x->shape.rank == 4 ||
         qn_graph_error(op, x, QN_UNSUPPORTED,
                        "rank %u is not supported here, only images of rank 4", x->shape.rank);
}

bool qn_onnx_is_spatial(qn_graph_op *op, const qn_graph_tensor *x) {
  return (x->shape.rank >= 3 && x->shape.rank <= 2 + QN_GRAPH_MOST_WAYS) ||
         qn_graph_error(op, x, QN_UNSUPPORTED, "rank %u is not supported here, only 3, 4 and 5",
                        x->shape.rank);
}

bool qn_onnx_has_rank(qn_graph_op *op, const qn_graph_tensor *w, uint32_t rank) {
  return w->shape.rank == rank ||
         qn_graph_error(op, w, QN_INVALID, "weights of rank %u for an input of rank %u",
                        w->shape.rank, rank);
}

bool qn_onnx_per_way(qn_graph_op *op, const char *name, uint32_t ways, int64_t least,
                     int64_t fallback, int64_t *out, bool *out_is_there) {
  uint32_t count;
  for (uint32_t i = 0; i < ways; i++) out[i] = fallback;
  if (!qn_onnx_ints(op, name, ways, out, &count)) return false;
  *out_is_there = count > 0;
  if (count > 0 && count < ways)
    return qn_graph_error(op, NULL, QN_INVALID,
                          "attribute '%s' has %u number%s where %u are expected", name, count,
                          count == 1 ? "" : "s", ways);
  for (uint32_t i = 0; i < ways; i++)
    if (out[i] < least || out[i] > INT32_MAX)
      return qn_graph_error(op, NULL, QN_INVALID, "attribute '%s' has the number %lld", name,
                            (long long)out[i]);
  return true;
}

bool qn_onnx_kernel(qn_graph_op *op, uint32_t ways, int64_t *out, bool *out_is_there) {
  return qn_onnx_per_way(op, "kernel_shape", ways, 1, 1, out, out_is_there);
}

/* [top, left, bottom, right] as the shared code has them: per way. */
static bool given_pads(qn_graph_op *op, uint32_t ways, int64_t *pad) {
  int64_t pads[2 * QN_GRAPH_MOST_WAYS] = {0};
  uint32_t count;
  if (!qn_onnx_ints(op, "pads", 2 * ways, pads, &count)) return false;
  if (count != 0 && count != 2 * ways)
    return qn_graph_error(op, NULL, QN_INVALID,
                          "attribute 'pads' has %u numbers where %u are expected", count, 2 * ways);
  for (uint32_t i = 0; i < 2 * ways; i++)
    if (pads[i] < 0 || pads[i] > INT32_MAX)
      return qn_graph_error(op, NULL, QN_INVALID, "a padding of %lld", (long long)pads[i]);
  for (uint32_t i = 0; i < ways; i++) pad[2 * i] = pads[i], pad[2 * i + 1] = pads[ways + i];
  return true;
}

static bool read_padding(qn_graph_op *op, uint32_t ways, int64_t *pad, qn_graph_padding *out) {
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
      return *out != QN_GRAPH_PAD_GIVEN || given_pads(op, ways, pad);
    }
  word = qn_graph_printable(&op->graph->arena, word, 40);
  return qn_graph_error(op, NULL, QN_INVALID, "unknown auto_pad '%.*s'", QN_STR_ARG(word));
}

/* With ceil_mode a last window may reach beyond the padding, where it begins before its end. */
static void reach_beyond(const qn_graph_tensor *input, uint32_t ways, qn_graph_window *w) {
  for (uint32_t d = 0; d < ways; d++) {
    int64_t extent = (w->kernel[d] - 1) * w->dilation[d] + 1, size = input->shape.dims[2 + d];
    int64_t padded = size + w->pad[2 * d] + w->pad[2 * d + 1];
    if (padded < extent) continue;
    int64_t out = (padded - extent + w->stride[d] - 1) / w->stride[d] + 1;
    if ((out - 1) * w->stride[d] >= size + w->pad[2 * d]) out--;
    int64_t missing = (out - 1) * w->stride[d] + extent - padded;
    if (missing > 0) w->pad[2 * d + 1] += missing;
  }
}

bool qn_onnx_read_window(qn_graph_op *op, uint32_t ways, qn_graph_window *out,
                         qn_graph_padding *out_padding) {
  bool ignored;
  QN_ASSERT(ways >= 1 && ways <= QN_GRAPH_MOST_WAYS);
  *out = (qn_graph_window){0};
  *out_padding = QN_GRAPH_PAD_GIVEN;
  return qn_onnx_per_way(op, "strides", ways, 1, 1, out->stride, &ignored) &&
         qn_onnx_per_way(op, "dilations", ways, 1, 1, out->dilation, &ignored) &&
         read_padding(op, ways, out->pad, out_padding);
}

bool qn_onnx_place_window(qn_graph_op *op, const qn_graph_tensor *input, const int64_t *kernel,
                          qn_graph_window *out) {
  const uint32_t ways = input->shape.rank - 2;
  qn_graph_padding padding;
  if (!qn_onnx_read_window(op, ways, out, &padding)) return false;
  memcpy(out->kernel, kernel, ways * sizeof *kernel);
  if (qn_onnx_int(op, "ceil_mode", 0) && padding == QN_GRAPH_PAD_GIVEN)
    reach_beyond(input, ways, out);
  return qn_graph_place_window(op, input, 2, padding, out);
}
