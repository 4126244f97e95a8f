/* TRANSPOSE_CONV: ml.conv_transpose. Its padding is that of the corresponding convolution from the
 * stated shape to the input's. If that shape does not follow from the others, it is stated in the
 * op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"
#include "ir/ops/forms.h"

typedef struct layer {
  qn_graph_tensor *weights, *input, *output;
  bool is_float;
  qn_graph_q8 input_q8, output_q8; /* valid if quantized */
  qn_graph_shape result;
  /* window of the corresponding convolution, from the result to the input */
  qn_graph_window window;
  bool is_stated; /* the result's sizes do not follow from the other parameters */
} layer;

static bool open_layer(qn_graph_op *op, layer *l) {
  l->weights = qn_graph_input(op, 1);
  l->input = qn_graph_input(op, 2);
  l->output = qn_graph_output(op, 0);
  if (op->failed) return false;
  l->is_float = l->input->dtype == QN_GRAPH_FLOAT32;
  if (!l->is_float && (!qn_graph_activation(op, l->input, &l->input_q8) ||
                       !qn_graph_activation(op, l->output, &l->output_q8)))
    return false;
  bool wide = l->input->dtype == QN_GRAPH_INT16 && l->weights->dtype == QN_GRAPH_INT8;
  if ((!wide && l->weights->dtype != l->input->dtype) || l->output->dtype != l->input->dtype)
    return qn_graph_error(
        op, l->weights, QN_UNSUPPORTED, "%s input, %s weights and %s output are not supported",
        qn_graph_dtype_name(l->input->dtype), qn_graph_dtype_name(l->weights->dtype),
        qn_graph_dtype_name(l->output->dtype));
  const qn_graph_tensor *bias = qn_graph_input(op, 3);
  if (wide && bias && bias->dtype != QN_GRAPH_INT64)
    return qn_graph_error(op, bias, QN_UNSUPPORTED,
                          "a bias of type %s beside int16 is not supported, only int64",
                          qn_graph_dtype_name(bias->dtype));
  if (l->weights->shape.rank != 4 || l->input->shape.rank != 4)
    return qn_graph_error(op, l->input, QN_INVALID, "input and weights must have rank 4");
  return true;
}

static bool place(qn_graph_op *op, layer *l) {
  const int64_t *x = l->input->shape.dims, *w = l->weights->shape.dims;
  if (w[3] != x[3])
    return qn_graph_error(op, l->weights, QN_INVALID,
                          "weights of %lld channels for an input of %lld channels", (long long)w[3],
                          (long long)x[3]);
  l->window = (qn_graph_window){.kernel = {w[1], w[2]}, .dilation = {1, 1}};
  return qn_tflite_place_transposed(op, l->input, w[0], &l->window, &l->result, &l->is_stated);
}

void qn_tflite_import_transpose_conv(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  layer l = {0};
  const qn_attr *activation;
  if (!open_layer(op, &l) || !place(op, &l) || !qn_tflite_fused(op, &activation)) return;
  const qn_type *element =
      l.is_float ? qn_type_float(cx, QN_F32) : qn_graph_weights_type(op, l.weights, 0);
  if (!element) return;
  const qn_type *type = qn_graph_shaped(op->graph, element, &l.weights->shape);
  qn_value *operands[3] = {qn_graph_value(op, l.input), NULL, NULL};
  operands[1] = qn_graph_constant(op, l.weights, type);
  if (!operands[0] || !operands[1] ||
      !qn_graph_bias(op, 3, l.weights->shape.dims[0], &l.input_q8, type, l.output_q8.scale,
                     &operands[2]))
    return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "activation", activation);
  qn_graph_attr(&attrs, "strides", qn_attr_i64s(cx, l.window.stride, 2));
  qn_graph_attr(&attrs, "dilations", qn_attr_i64s(cx, l.window.dilation, 2));
  qn_graph_attr(&attrs, "pad", qn_attr_i64s(cx, l.window.pad, 4));
  qn_graph_attr(&attrs, "groups", qn_attr_i64(cx, 1));
  if (l.is_stated) qn_graph_attr(&attrs, "output_shape", qn_attr_i64s(cx, l.result.dims + 1, 2));
  qn_graph_build(op, QN_OP_ML_CONV_TRANSPOSE, operands, operands[2] ? 3 : 2, &attrs, &l.result);
}
