/* Pairs of quantizations that onnxruntime makes one, for the profile "ort": QuantizeLinear and
 * DequantizeLinear, and directly after them the two operators again with another scale or zero
 * point. One pair stays, whose range is the intersection of both, so bits differ from those of the
 * file. A Transpose between them that onnxruntime moves away stays between the nodes of the pair.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/simplify.h"

#include <math.h>

/* Scale and zero point of a QuantizeLinear or DequantizeLinear. */
typedef struct parameters {
  const qn_graph_tensor *scale, *zero;
  float step;
  int64_t zero_point;
} parameters;

static bool read_parameters(qn_onnx *im, const qn_onnx_node *node, parameters *out) {
  if (node->operand_count != 3) return false;
  /* Reading a constant does not move tensors. */
  out->scale = qn_onnx_scalar(im, node, 1);
  out->zero = qn_onnx_scalar(im, node, 2);
  if (!out->scale || !out->zero || out->scale->dtype != QN_GRAPH_FLOAT32) return false;
  const qn_graph_list zero = {out->zero->data.data, 1, out->zero->dtype};
  memcpy(&out->step, out->scale->data.data, sizeof out->step);
  out->zero_point = qn_graph_int_at(zero, 0);
  return true;
}

/* The ends of the types of which onnxruntime merges pairs. */
static bool find_ends(const qn_onnx *im, const parameters *p, int64_t *out_low, int64_t *out_high) {
  const bool is_signed = p->zero->dtype == QN_GRAPH_INT8 || p->zero->dtype == QN_GRAPH_INT16;
  const bool is_unsigned = p->zero->dtype == QN_GRAPH_UINT8 || p->zero->dtype == QN_GRAPH_UINT16;
  if (!is_signed && !is_unsigned) return false;
  if (im->extras[p->zero->index].bits) return false;
  qn_storage_range(qn_graph_dtype_bits(p->zero->dtype), is_signed, out_low, out_high);
  return true;
}

static bool are_equal(const parameters *a, const parameters *b) {
  return a->zero->dtype == b->zero->dtype && a->zero_point == b->zero_point && a->step == b->step;
}

/* ---- the pair that stays ---- */

/* Adds a constant scalar like `of`; returns its index, or -1, reported. */
static int32_t add_constant(qn_onnx *im, const qn_graph_tensor *of, const void *data, size_t size) {
  qn_graph_tensor copy = *of;
  const int32_t number = qn_onnx_new_tensor(im, copy.name);
  if (number < 0) return -1;
  copy.index = (uint32_t)number;
  copy.at = im->graph.tensors[number].at;
  copy.writer = -1;
  copy.data = (qn_bytes){qn_arena_copy(&im->graph.cx->arena, data, size), size};
  im->graph.tensors[number] = copy;
  return number;
}

/* Computed in f32, as by onnxruntime. `q` and `d` are the nodes that stay. */
static bool set_intersection(qn_onnx *im, const parameters *a, const parameters *b, qn_onnx_node *q,
                             qn_onnx_node *d) {
  int64_t low, high;
  if (!find_ends(im, a, &low, &high)) return false;
  const float least =
      fmaxf((float)(low - a->zero_point) * a->step, (float)(low - b->zero_point) * b->step);
  const float most =
      fminf((float)(high - a->zero_point) * a->step, (float)(high - b->zero_point) * b->step);
  const float step = (most - least) / (float)(high - low);
  if (!(step > 0 && isfinite(step))) {
    qn_onnx_op op = qn_onnx_open_op(im, d);
    return qn_graph_error(&op.op, a->scale, QN_UNSUPPORTED,
                          "onnxruntime merges it with the next quantization, and the ranges of "
                          "both have no interval in common");
  }
  const float zero = roundf((float)low - least / step);
  const int64_t zero_point = zero < (float)low ? low : zero > (float)high ? high : (int64_t)zero;
  const size_t width = qn_graph_dtype_bits(a->zero->dtype) / 8;
  const qn_graph_tensor of_scale = *a->scale, of_zero = *a->zero; /* new tensors move them */
  const int32_t scale = add_constant(im, &of_scale, &step, sizeof step);
  const int32_t zeros = add_constant(im, &of_zero, &zero_point, width);
  if (scale < 0 || zeros < 0) return false;
  q->inputs[1] = d->inputs[1] = scale;
  q->inputs[2] = d->inputs[2] = zeros;
  return true;
}

/* ---- pairs ---- */

/* The only reader of the node's result, if it is of this kind and reads it as operand 0; else NULL.
 */
static qn_onnx_node *next_node(qn_onnx *im, const qn_onnx_node *node, const char *kind) {
  const int32_t y = node->output_count > 0 ? node->outputs[0] : -1;
  if (y < 0 || !qn_onnx_has_one_reader(im, y)) return NULL;
  const qn_onnx_node *reader = im->extras[y].reader;
  if (!qn_onnx_is(reader, kind) || reader->operand_count == 0 || reader->inputs[0] != y)
    return NULL;
  return reader->output_count > 0 && reader->outputs[0] >= 0 ? &im->nodes[reader->index] : NULL;
}

/* Makes `to` the only reader of the result of `from`. */
static void connect(qn_onnx *im, const qn_onnx_node *from, qn_onnx_node *to) {
  to->inputs[0] = from->outputs[0];
  im->extras[from->outputs[0]].reader = to;
}

/* Merges the pair that ends with `d` and the one after it. */
static void merge_next(qn_onnx *im, qn_onnx_node *d, const bool *moving) {
  if (d->operand_count == 0 || d->inputs[0] < 0) return;
  const qn_onnx_node *writer = qn_onnx_writer(im, d->inputs[0]);
  if (!writer || !qn_onnx_is(writer, "QuantizeLinear")) return;
  qn_onnx_node *first = &im->nodes[writer->index];
  if (next_node(im, first, "DequantizeLinear") != d) return;
  qn_onnx_node *transpose = next_node(im, d, "Transpose");
  if (transpose && !moving[transpose->outputs[0]]) return;
  qn_onnx_node *second = next_node(im, transpose ? transpose : d, "QuantizeLinear");
  qn_onnx_node *last = second ? next_node(im, second, "DequantizeLinear") : NULL;
  parameters a, b, of_first, of_last;
  if (!last || !read_parameters(im, first, &of_first) || !read_parameters(im, d, &a) ||
      !read_parameters(im, second, &b) || !read_parameters(im, last, &of_last))
    return;
  int64_t low, high;
  if (!are_equal(&of_first, &a) || !are_equal(&b, &of_last)) return;
  if (a.zero->dtype != b.zero->dtype || !find_ends(im, &a, &low, &high)) return;
  if (!are_equal(&a, &b) && !set_intersection(im, &a, &b, first, last)) return;
  connect(im, first, transpose ? transpose : last);
  if (transpose) connect(im, transpose, last);
  im->extras[d->outputs[0]].readers = im->extras[second->outputs[0]].readers = 0;
  d->removed = second->removed = true;
}

void qn_onnx_merge_pairs(qn_onnx *im, const bool *moving) {
  for (uint32_t i = 0; i < im->order_count; i++) {
    qn_onnx_node *node = &im->nodes[im->order[i]->index];
    if (!node->removed && qn_onnx_is(node, "DequantizeLinear")) merge_next(im, node, moving);
  }
}
