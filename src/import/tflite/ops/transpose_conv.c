/* TRANSPOSE_CONV: ml.conv_transpose. Its padding is that of the opposite convolution, from the
 * stated shape to the input's; what that leaves over is stated too.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/tflite.h"
#include "ir/ops/forms.h"

typedef struct layer {
  qn_tflite_tensor *weights, *input, *output;
  bool is_float;
  qn_tflite_q8 input_q8, output_q8; /* where it is quantized */
  qn_tflite_shape result;
  qn_tflite_window window; /* of the opposite convolution, from the result to the input */
  bool is_stated;          /* sizes of the result do not follow from the rest */
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

static bool place(qn_tflite_op *op, layer *l) {
  const int64_t *x = l->input->shape.dims, *w = l->weights->shape.dims;
  if (w[3] != x[3])
    return qn_tflite_error(op, l->weights, QN_INVALID,
                           "weights of %lld channels for an input of %lld channels",
                           (long long)w[3], (long long)x[3]);
  l->window = (qn_tflite_window){.kernel = {w[1], w[2]}, .dilation = {1, 1}};
  return qn_tflite_place_transposed(op, l->input, w[0], &l->window, &l->result, &l->is_stated);
}

void qn_tflite_import_transpose_conv(qn_tflite_op *op) {
  qn_ir_context *cx = op->im->cx;
  layer l = {0};
  const qn_attr *activation;
  if (!open_layer(op, &l) || !place(op, &l) || !qn_tflite_fused(op, &activation)) return;
  const qn_type *element =
      l.is_float ? qn_type_float(cx, QN_F32) : qn_tflite_weights_type(op, l.weights, 0);
  if (!element) return;
  const qn_type *type = qn_tflite_shaped(op->im, element, &l.weights->shape);
  qn_value *operands[3] = {qn_tflite_value(op, l.input), NULL, NULL};
  operands[1] = qn_tflite_constant(op, l.weights, type);
  if (!operands[0] || !operands[1] ||
      !qn_tflite_bias(op, 3, l.weights->shape.dims[0], &l.input_q8, type, l.output_q8.scale,
                      &operands[2]))
    return;
  qn_tflite_attrs attrs = {0};
  qn_tflite_attr(&attrs, "activation", activation);
  qn_tflite_attr(&attrs, "strides", qn_attr_i64s(cx, l.window.stride, 2));
  qn_tflite_attr(&attrs, "dilations", qn_attr_i64s(cx, l.window.dilation, 2));
  qn_tflite_attr(&attrs, "pad", qn_attr_i64s(cx, l.window.pad, 4));
  qn_tflite_attr(&attrs, "groups", qn_attr_i64(cx, 1));
  if (l.is_stated) qn_tflite_attr(&attrs, "output_shape", qn_attr_i64s(cx, l.result.dims + 1, 2));
  qn_tflite_build(op, QN_OP_ML_CONV_TRANSPOSE, operands, operands[2] ? 3 : 2, &attrs, &l.result);
}
