/* ConvTranspose: ml.conv_transpose.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/transpose.h"
#include "import/onnx/ops/spatial.h"
#include "import/onnx/ops/parts.h"
#include "ir/ops/forms.h"

/* Checks weights [C, M / group, kernel...] against the input's channels. */
static bool check_channels(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *w,
                           int64_t group) {
  const int64_t *d = w->shape.dims, channels = x->shape.dims[1];
  if (group < 1 || channels != d[0] || channels % group != 0)
    return qn_graph_error(op, w, QN_INVALID,
                          "weights of %lld channels for an input of %lld channels in %lld groups",
                          (long long)d[0], (long long)channels, (long long)group);
  return d[1] <= INT32_MAX / group ||
         qn_graph_error(op, w, QN_LIMIT, "%lld output channels in each of %lld groups",
                        (long long)d[1], (long long)group);
}

/* ---- sizes ---- */

/* Where the result is in the sum of all products, of size `whole`: before it, `before` elements are
 * cut off, and `out` remain, of which those beyond the sum are zeros. */
typedef struct span {
  int64_t whole, before, out;
} span;

static void place_same(span *s, int64_t out, bool is_upper) {
  const int64_t total = s->whole > out ? s->whole - out : 0;
  s->before = is_upper ? total / 2 : total - total / 2;
  s->out = out;
}

/* Sets a way of the window from the result's extent. */
static bool set_way(qn_graph_op *op, const span *s, uint32_t i, qn_graph_window *w) {
  const int64_t beyond = s->before + s->out - s->whole;
  w->pad[2 * i] = s->before;
  w->pad[2 * i + 1] = beyond < 0 ? -beyond : 0;
  w->out[i] = s->out;
  if (s->out < 1 || s->before >= s->whole)
    return qn_graph_error(op, NULL, QN_INVALID,
                          "a result of size %lld after the first %lld of %lld elements",
                          (long long)s->out, (long long)s->before, (long long)s->whole);
  return beyond < w->stride[i] ||
         qn_graph_error(op, NULL, QN_UNSUPPORTED,
                        "%lld elements after all products are not supported with a stride of %lld",
                        (long long)beyond, (long long)w->stride[i]);
}

static bool place_result(qn_graph_op *op, const qn_graph_tensor *x, uint32_t ways,
                         qn_graph_window *w) {
  int64_t more[QN_GRAPH_MOST_WAYS], stated[QN_GRAPH_MOST_WAYS];
  qn_graph_padding padding;
  bool ignored, is_stated;
  int64_t kernel[QN_GRAPH_MOST_WAYS];
  memcpy(kernel, w->kernel, sizeof kernel);
  if (!qn_onnx_read_window(op, ways, w, &padding) ||
      !qn_onnx_per_way(op, "output_padding", ways, 0, 0, more, &ignored) ||
      !qn_onnx_per_way(op, "output_shape", ways, 1, 1, stated, &is_stated))
    return false;
  memcpy(w->kernel, kernel, sizeof kernel);
  for (uint32_t i = 0; i < ways; i++) {
    const int64_t in = x->shape.dims[2 + i];
    span s = {.whole = (in - 1) * w->stride[i] + (kernel[i] - 1) * w->dilation[i] + 1};
    if (is_stated) {
      place_same(&s, stated[i], padding == QN_GRAPH_PAD_SAME);
    } else if (padding == QN_GRAPH_PAD_SAME || padding == QN_GRAPH_PAD_SAME_LOWER) {
      place_same(&s, in * w->stride[i], padding == QN_GRAPH_PAD_SAME);
    } else {
      s.before = w->pad[2 * i];
      s.out = s.whole + more[i] - w->pad[2 * i] - w->pad[2 * i + 1];
    }
    if (!set_way(op, &s, i, w)) return false;
  }
  return true;
}

/* ---- weights ---- */

/* The type of weights whose first dimension is that of all output channels: groups share the scales
 * of their M / group channels. */
static const qn_type *grouped_type(qn_graph_op *op, const qn_type *element, int64_t group) {
  if (element->kind != QN_TYPE_QUANT_UNIFORM || element->uniform.scheme != QN_PER_AXIS)
    return element;
  qn_quant_uniform u = element->uniform;
  const int64_t each = u.count, all = each * group;
  double *scales = qn_onnx_doubles(op, all);
  int64_t *zeros = qn_onnx_numbers(op, all);
  if (!scales || !zeros) return NULL;
  for (int64_t i = 0; i < all; i++)
    scales[i] = u.scales[i % each], zeros[i] = u.zero_points[i % each];
  u.scales = scales, u.zero_points = zeros, u.count = (uint32_t)all, u.axis = 0;
  return qn_type_uniform(op->graph->cx, &u);
}

/* [C, M / group, kernel...] as [M, kernel..., C / group]. */
static qn_value *grouped_weights(qn_graph_op *op, qn_onnx_source w, int64_t group) {
  const qn_graph_tensor *x = w.tensor;
  const qn_type *element = w.element ? w.element : qn_onnx_own(op, w.tensor);
  const size_t width = (size_t)qn_graph_dtype_bytes(x->dtype);
  const int64_t *d = x->shape.dims;
  const uint32_t ways = x->shape.rank - 2;
  int64_t dims[QN_GRAPH_MOST_WAYS + 3] = {group, d[1]}, strides[QN_GRAPH_MOST_WAYS + 3], step = 1;
  if (!element) return NULL;
  if (!qn_onnx_is_constant(op, x) || x->data.size != width * (size_t)qn_graph_elements(&x->shape) ||
      x->data.size == 0) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "it must be a constant");
    return NULL;
  }
  for (uint32_t i = ways; i-- > 0; step *= d[2 + i]) dims[2 + i] = d[2 + i], strides[2 + i] = step;
  dims[2 + ways] = d[0] / group;
  strides[1] = step;
  strides[2 + ways] = step * d[1];
  strides[0] = strides[2 + ways] * (d[0] / group);
  element = grouped_type(op, element, group);
  if (!element || !qn_graph_spend(op, (int64_t)x->data.size)) return NULL;
  uint8_t *bytes = qn_arena_alloc(&op->graph->arena, x->data.size);
  qn_transpose(3 + ways, dims, strides, width, x->data.data, bytes);
  const qn_graph_shape file = {.rank = x->shape.rank, .dims = {group * d[1], d[0] / group}};
  qn_graph_shape shape = file;
  for (uint32_t i = 0; i < ways; i++) shape.dims[2 + i] = d[2 + i];
  shape = qn_onnx_spatial_shape(&shape);
  return qn_graph_const(op, element, &shape, bytes);
}

/* ---- ConvTranspose ---- */

static bool place(qn_graph_op *op, const qn_onnx_layer *layer, int64_t group, qn_onnx_recipe *r,
                  qn_graph_shape *out_shape) {
  const qn_graph_tensor *x = layer->x.tensor, *w = layer->w.tensor;
  const uint32_t ways = x->shape.rank - 2;
  qn_graph_window window = {0};
  bool stated;
  if (!qn_onnx_is_spatial(op, x) || !qn_onnx_has_rank(op, w, x->shape.rank) ||
      !check_channels(op, x, w, group) || !qn_onnx_kernel(op, ways, window.kernel, &stated))
    return false;
  *out_shape = (qn_graph_shape){ways + 2, {x->shape.dims[0], group * w->shape.dims[1]}};
  for (uint32_t i = 0; i < ways; i++) {
    const int64_t size = w->shape.dims[2 + i];
    if (stated && window.kernel[i] != size)
      return qn_graph_error(op, w, QN_INVALID, "a kernel of size %lld where kernel_shape has %lld",
                            (long long)size, (long long)window.kernel[i]);
    window.kernel[i] = size;
  }
  if (!place_result(op, x, ways, &window)) return false;
  memcpy(out_shape->dims + 2, window.out, ways * sizeof *window.out);
  qn_onnx_spatial_attrs(op, &window, ways, &r->attrs);
  qn_graph_attr(&r->attrs, "groups", qn_attr_i64(op->graph->cx, group));
  const qn_graph_shape last = qn_onnx_spatial_shape(out_shape);
  qn_graph_attr_i64s(op, &r->attrs, "output_shape", last.dims + 1, last.rank - 2);
  return true;
}

void qn_onnx_import_conv_transpose(qn_graph_op *op) {
  qn_onnx_layer layer;
  qn_onnx_recipe r = {.kind = QN_OP_ML_CONV_TRANSPOSE};
  qn_graph_shape shape;
  if (!qn_onnx_open_layer(op, &layer) || !qn_onnx_round_parameters(op, &layer)) return;
  const int64_t group = qn_onnx_int(op, "group", 1);
  if (op->failed || !place(op, &layer, group, &r, &shape)) return;
  const bool is_exact = qn_onnx_layer_is_exact(op, &layer);
  const qn_onnx_source w = is_exact ? layer.w : qn_onnx_source_of(op, 1);
  r.operands[1] = grouped_weights(op, w, group);
  if (!is_exact) r.operands[1] = qn_onnx_scaled(op, w, r.operands[1]);
  qn_onnx_finish_conv(op, &layer, shape.dims[1], &shape, &r);
}
