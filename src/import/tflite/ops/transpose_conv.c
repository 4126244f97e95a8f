/* TRANSPOSE_CONV as what it computes: a convolution, with the taps in the opposite order, of the
 * input with stride - 1 zeros between its rows and columns (docs/arithmetic.md 5.4). Taps on
 * zeros contribute nothing, so the arithmetic is that of ml.conv, and so are its kernels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"

typedef struct layer {
  qn_tflite_tensor *weights, *input, *output;
  bool is_float;
  qn_tflite_q8 input_q8, output_q8; /* where it is quantized */
  qn_tflite_shape result;
  qn_tflite_window window; /* of the opposite convolution, from the result to the input */
} layer;

static bool open_layer(qn_tflite_op *op, layer *l) {
  l->weights = qn_tflite_input(op, 1);
  l->input = qn_tflite_input(op, 2);
  l->output = qn_tflite_output(op, 0);
  if (op->failed) return false;
  l->is_float = l->input->dtype == QN_TFLITE_FLOAT32;
  if (!l->is_float && (!qn_tflite_activation(op, l->input, &l->input_q8) ||
                       !qn_tflite_activation(op, l->output, &l->output_q8)))
    return false;
  bool wide = l->input->dtype == QN_TFLITE_INT16 && l->weights->dtype == QN_TFLITE_INT8;
  if ((!wide && l->weights->dtype != l->input->dtype) || l->output->dtype != l->input->dtype)
    return qn_tflite_error(
        op, l->weights, QN_UNSUPPORTED, "%s input, %s weights and %s output are not supported",
        qn_tflite_dtype_name(l->input->dtype), qn_tflite_dtype_name(l->weights->dtype),
        qn_tflite_dtype_name(l->output->dtype));
  const qn_tflite_tensor *bias = qn_tflite_input(op, 3);
  if (wide && bias && bias->dtype != QN_TFLITE_INT64)
    return qn_tflite_error(op, bias, QN_UNSUPPORTED,
                           "a bias of type %s beside int16 is not supported, only int64",
                           qn_tflite_dtype_name(bias->dtype));
  if (l->weights->shape.rank != 4 || l->input->shape.rank != 4)
    return qn_tflite_error(op, l->input, QN_INVALID, "input and weights must have rank 4");
  return true;
}

/* The stated shape, of which the opposite convolution must give the input's. */
static bool place(qn_tflite_op *op, layer *l) {
  const int64_t *x = l->input->shape.dims, *w = l->weights->shape.dims;
  int64_t stated[QN_TFLITE_MAX_RANK];
  qn_tflite_tensor *operand = qn_tflite_input(op, 0);
  if (!operand || !qn_tflite_stated_sizes(op, operand, l->output, stated, &l->result.rank))
    return false;
  if (l->result.rank != 4)
    return qn_tflite_error(op, operand, QN_INVALID, "%u sizes where 4 are expected",
                           l->result.rank);
  for (uint32_t i = 0; i < 4; i++) {
    l->result.dims[i] = stated[i];
    if (stated[i] < 1 || stated[i] > QN_TFLITE_MAX_TENSOR_BYTES)
      return qn_tflite_error(op, operand, QN_INVALID, "size %lld is out of range",
                             (long long)stated[i]);
  }
  l->window = (qn_tflite_window){.kernel = {w[1], w[2]}, .dilation = {1, 1}};
  qn_tflite_tensor result = *l->output;
  result.shape = l->result;
  if (!qn_tflite_check_size(op, l->output, &l->result) ||
      !qn_tflite_place_window(op, &result, &l->window))
    return false;
  bool fits = stated[0] == x[0] && stated[3] == w[0] && w[3] == x[3] && l->window.out[0] == x[1] &&
              l->window.out[1] == x[2];
  qn_str text = qn_tflite_shape_text(op->im, &l->result);
  return fits || qn_tflite_error(op, l->input, QN_INVALID,
                                 "the stated shape %.*s does not go with input and weights",
                                 QN_STR_ARG(text));
}

/* The weights with rows and columns backward. */
static qn_value *flipped(qn_tflite_op *op, const layer *l, const qn_type *type) {
  qn_value *weights = qn_tflite_constant(op, l->weights, type);
  const qn_attr *payload = weights ? qn_value_constant(weights) : NULL;
  if (!payload || !qn_tflite_spend(op, (int64_t)l->weights->data.size)) return NULL;
  const int64_t *w = l->weights->shape.dims;
  size_t taps = (size_t)(w[1] * w[2]), tap = l->weights->data.size / ((size_t)w[0] * taps);
  uint8_t *bytes = qn_arena_alloc(&op->im->cx->arena, l->weights->data.size);
  for (size_t c = 0; c < (size_t)w[0]; c++)
    for (size_t t = 0; t < taps; t++)
      memcpy(bytes + (c * taps + t) * tap, l->weights->data.data + (c * taps + taps - 1 - t) * tap,
             tap);
  qn_builder b = op->im->builder;
  b.loc = qn_tflite_loc(op, l->weights);
  const qn_attr *value =
      qn_attr_dense(op->im->cx, payload->type, (qn_bytes){bytes, l->weights->data.size}, true);
  return qn_build_1(&b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

static qn_value *build(qn_tflite_op *op, qn_op_kind kind, qn_value *x, const qn_tflite_shape *shape,
                       const qn_attr_arg *attrs) {
  qn_builder b = op->im->builder;
  b.loc = qn_tflite_loc(op, NULL);
  const qn_type *type = qn_tflite_shaped(op->im, qn_type_element(x->type), shape);
  return qn_build_1(&b, kind, type, QN_VALUES(x), attrs);
}

/* Zeros between rows and columns: behind each, then without those behind the last. */
static qn_value *spread(qn_tflite_op *op, const layer *l, qn_value *x) {
  qn_ir_context *cx = op->im->cx;
  const int64_t *d = l->input->shape.dims, *s = l->window.stride;
  if (s[0] == 1 && s[1] == 1) return x;
  const int64_t pad[] = {0, 0, 0, 0, 0, s[0] - 1, 0, 0, 0, s[1] - 1, 0, 0};
  const int64_t zero[4] = {0}, one[] = {1, 1, 1, 1};
  const int64_t end[] = {d[0], (d[1] - 1) * s[0] + 1, (d[2] - 1) * s[1] + 1, d[3]};
  const qn_tflite_shape cut = {6, {d[0], d[1], 1, d[2], 1, d[3]}},
                        padded = {6, {d[0], d[1], s[0], d[2], s[1], d[3]}},
                        whole = {4, {d[0], d[1] * s[0], d[2] * s[1], d[3]}},
                        kept = {4, {end[0], end[1], end[2], end[3]}};
  if (!qn_tflite_check_size(op, l->input, &whole)) return NULL;
  x = build(op, QN_OP_ML_RESHAPE, x, &cut, NULL);
  x = build(op, QN_OP_ML_PAD, x, &padded, QN_ATTRS({"pad", qn_attr_i64s(cx, pad, 12)}));
  x = build(op, QN_OP_ML_RESHAPE, x, &whole, NULL);
  return build(op, QN_OP_ML_SLICE_BY_INDEX, x, &kept,
               QN_ATTRS({"begin", qn_attr_i64s(cx, zero, 4)}, {"end", qn_attr_i64s(cx, end, 4)},
                        {"stride", qn_attr_i64s(cx, one, 4)}));
}

/* The border of the convolution that remains: the result's rows need so many taps outside. */
static bool border(qn_tflite_op *op, const layer *l, int64_t out_pad[4]) {
  bool fits = true;
  for (int i = 0; i < 2; i++) {
    int64_t k = l->window.kernel[i],
            rows = (l->input->shape.dims[1 + i] - 1) * l->window.stride[i] + 1;
    out_pad[2 * i] = k - 1 - l->window.pad[2 * i];
    out_pad[2 * i + 1] = l->result.dims[1 + i] - rows + l->window.pad[2 * i];
    fits = fits && out_pad[2 * i] >= 0 && out_pad[2 * i + 1] >= 0;
  }
  return fits || qn_tflite_error(op, l->input, QN_UNSUPPORTED,
                                 "a stated shape that cuts into the result is not supported");
}

void qn_tflite_import_transpose_conv(qn_tflite_op *op) {
  qn_ir_context *cx = op->im->cx;
  layer l = {0};
  int64_t pad[4];
  const int64_t one[] = {1, 1};
  const qn_attr *activation;
  if (!open_layer(op, &l) || !place(op, &l) || !border(op, &l, pad) ||
      !qn_tflite_fused(op, &activation))
    return;
  const qn_type *element =
      l.is_float ? qn_type_float(cx, QN_F32) : qn_tflite_weights_type(op, l.weights, 0);
  if (!element) return;
  const qn_type *type = qn_tflite_shaped(op->im, element, &l.weights->shape);
  qn_value *operands[3] = {qn_tflite_value(op, l.input), NULL, NULL};
  operands[1] = flipped(op, &l, type);
  if (!operands[0] || !operands[1] ||
      !qn_tflite_bias(op, 3, l.weights->shape.dims[0], &l.input_q8, type, l.output_q8.scale,
                      &operands[2]))
    return;
  operands[0] = spread(op, &l, operands[0]);
  if (!operands[0]) return;
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "activation", activation);
  qn_tflite_attr(&attrs, "strides", qn_attr_i64s(cx, one, 2));
  qn_tflite_attr(&attrs, "dilations", qn_attr_i64s(cx, one, 2));
  qn_tflite_attr(&attrs, "pad", qn_attr_i64s(cx, pad, 4));
  qn_tflite_attr(&attrs, "groups", qn_attr_i64(cx, 1));
  qn_tflite_build(op, QN_OP_ML_CONV, operands, operands[2] ? 3 : 2, &attrs, &l.result);
}
