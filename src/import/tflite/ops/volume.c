/* CONV_3D and CONV_3D_TRANSPOSE of f32: ml.conv and ml.conv_transpose with 3 spatial dimensions.
 * Their weights have the channels last: input then output channels (CONV_3D), or output then input
 * channels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"
#include "ir/ops/forms.h"

enum { WAYS = 3, RANK = WAYS + 2 };

typedef struct layer {
  qn_graph_tensor *input, *weights, *output;
  uint32_t bias;          /* operand index */
  int64_t in, out;        /* input and output channels of the weights */
  qn_graph_window window; /* of the convolution, or from the result to the input */
  qn_graph_shape result;
  bool is_stated; /* the result's sizes do not follow from the other parameters */
} layer;

/* Checks rank and type of all tensors, and reads the kernel size. */
static bool open_layer(qn_graph_op *op, bool transposed, layer *l) {
  l->weights = qn_graph_input(op, 1);
  l->input = qn_graph_input(op, transposed ? 2 : 0);
  l->output = qn_graph_output(op, 0);
  l->bias = transposed ? 3 : 2;
  if (op->failed) return false;
  const qn_graph_tensor *tensors[] = {l->input, l->weights, l->output};
  for (size_t i = 0; i < QN_COUNT(tensors); i++)
    if (tensors[i]->dtype != QN_GRAPH_FLOAT32)
      return qn_graph_error(op, tensors[i], QN_UNSUPPORTED, "type %s is not supported here",
                            qn_graph_dtype_name(tensors[i]->dtype));
  for (size_t i = 0; i < 2; i++)
    if (tensors[i]->shape.rank != RANK)
      return qn_graph_error(op, tensors[i], QN_INVALID, "rank %u where %d is expected",
                            tensors[i]->shape.rank, RANK);
  const int64_t *w = l->weights->shape.dims;
  l->in = w[transposed ? WAYS + 1 : WAYS];
  l->out = w[transposed ? WAYS : WAYS + 1];
  l->window = (qn_graph_window){.kernel = {w[0], w[1], w[2]},
                                .dilation = {qn_graph_option(op, "DILATION_D"),
                                             qn_graph_option(op, "DILATION_H"),
                                             qn_graph_option(op, "DILATION_W")}};
  if (l->in == l->input->shape.dims[RANK - 1]) return true;
  return qn_graph_error(op, l->weights, QN_INVALID,
                        "weights of %lld channels for an input of %lld channels", (long long)l->in,
                        (long long)l->input->shape.dims[RANK - 1]);
}

static bool place(qn_graph_op *op, bool transposed, layer *l) {
  const int64_t *out = l->window.out;
  if (transposed)
    return qn_tflite_place_transposed(op, l->input, l->out, &l->window, &l->result, &l->is_stated);
  if (!qn_tflite_place_window(op, l->input, &l->window)) return false;
  l->result = (qn_graph_shape){RANK, {l->input->shape.dims[0], out[0], out[1], out[2], l->out}};
  return true;
}

/* Weights transposed to output channels first and input channels last. */
static qn_value *weights_of(qn_graph_op *op, const layer *l, bool transposed) {
  static const int64_t perms[2][RANK] = {{4, 0, 1, 2, 3}, {3, 0, 1, 2, 4}};
  const int64_t *w = l->weights->shape.dims;
  const qn_graph_shape shape = {RANK, {l->out, w[0], w[1], w[2], l->in}};
  qn_value *value = qn_graph_value(op, l->weights);
  if (!value) return NULL;
  return qn_graph_part(op, QN_OP_ML_TRANSPOSE, qn_type_float(op->graph->cx, QN_F32), &shape, &value,
                       1, QN_ATTRS({"perm", qn_attr_i64s(op->graph->cx, perms[transposed], RANK)}));
}

void qn_tflite_import_volume(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  bool transposed = op->row->kind == QN_OP_ML_CONV_TRANSPOSE;
  layer l = {0};
  const qn_attr *activation;
  if (!open_layer(op, transposed, &l) || !qn_tflite_fused(op, &activation)) return;
  if (!place(op, transposed, &l)) return;
  const qn_type *type = qn_graph_shaped(op->graph, qn_type_float(cx, QN_F32), &l.weights->shape);
  const qn_graph_q8 none = {0};
  qn_value *operands[3] = {qn_graph_value(op, l.input), NULL, NULL};
  operands[1] = operands[0] ? weights_of(op, &l, transposed) : NULL;
  if (!operands[1] || !qn_graph_bias(op, l.bias, l.out, &none, type, 0, &operands[2])) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "activation", activation);
  qn_graph_attr(&attrs, "strides", qn_attr_i64s(cx, l.window.stride, WAYS));
  qn_graph_attr(&attrs, "dilations", qn_attr_i64s(cx, l.window.dilation, WAYS));
  qn_graph_attr(&attrs, "pad", qn_attr_i64s(cx, l.window.pad, 2 * WAYS));
  qn_graph_attr(&attrs, "groups", qn_attr_i64(cx, 1));
  if (l.is_stated) qn_graph_attr(&attrs, "output_shape", qn_attr_i64s(cx, l.result.dims + 1, WAYS));
  qn_graph_build(op, op->row->kind, operands, operands[2] ? 3 : 2, &attrs, &l.result);
}
