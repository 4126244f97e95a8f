/* What onnxruntime's transpose optimizer changes, for the profile "ort". It moves a Transpose over
 * operators that may be transposed if they lead to another Transpose.
 *
 * It also completes the pattern DequantizeLinear, Transpose, QuantizeLinear: if the operator before
 * a Transpose that stays is another one, its result is quantized and dequantized before all
 * readers. If that result is an output of the model, too, the output has the rounded numbers, and
 * its writer is a unit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/simplify.h"

/* Operators over which the optimizer moves a Transpose. */
static const char *const moves_over[] = {"QuantizeLinear",
                                         "DequantizeLinear",
                                         "Cast",
                                         "Identity",
                                         "Relu",
                                         "LeakyRelu",
                                         "Sigmoid",
                                         "Tanh",
                                         "HardSwish",
                                         "HardSigmoid",
                                         "Gelu",
                                         "Exp",
                                         "Log",
                                         "Sqrt",
                                         "Abs",
                                         "Neg",
                                         "Erf",
                                         "Reciprocal",
                                         "Floor",
                                         "Ceil",
                                         "Round",
                                         "Softplus",
                                         "Softsign",
                                         "Clip",
                                         "Add",
                                         "Sub",
                                         "Mul",
                                         "Div",
                                         "Max",
                                         "Min",
                                         "Pow",
                                         "Mean",
                                         "Sum",
                                         "Where",
                                         "PRelu",
                                         "Concat",
                                         "Split",
                                         "Pad",
                                         "Squeeze",
                                         "Unsqueeze",
                                         "Slice",
                                         "Tile",
                                         "Softmax",
                                         "LogSoftmax",
                                         "Hardmax",
                                         "ReduceMax",
                                         "ReduceMean",
                                         "ReduceMin",
                                         "ReduceSum",
                                         "ReduceProd",
                                         "ReduceL1",
                                         "ReduceL2",
                                         "ArgMax",
                                         "ArgMin"};

static bool is_moved_over(const qn_onnx_node *node) {
  for (size_t i = 0; i < QN_COUNT(moves_over); i++)
    if (qn_onnx_is(node, moves_over[i])) return true;
  return false;
}

const bool *qn_onnx_find_moving(qn_onnx *im) {
  bool *moving = QN_NEW_ARRAY(&im->graph.arena, (size_t)im->graph.tensor_count + 1, bool);
  for (uint32_t i = im->order_count; i-- > 0;) {
    const qn_onnx_node *node = im->order[i];
    bool any = qn_onnx_is(node, "Transpose");
    for (uint32_t k = 0; k < node->output_count && !any; k++)
      any = node->outputs[k] >= 0 && moving[node->outputs[k]] && is_moved_over(node);
    for (uint32_t k = 0; k < node->operand_count && any; k++)
      if (node->inputs[k] >= 0) moving[node->inputs[k]] = true;
  }
  return moving;
}

/* The QuantizeLinear, with one scale, that follows a Transpose directly or after operators before
 * which onnxruntime quantizes; NULL if there is none. */
static const qn_onnx_node *quantizer_after(qn_onnx *im, const qn_onnx_node *transpose) {
  const qn_onnx_node *node = transpose;
  for (;;) {
    const int32_t y = qn_onnx_first_result(node);
    if (y < 0 || !qn_onnx_has_one_reader(im, y)) return NULL;
    node = im->extras[y].reader;
    if (qn_onnx_is(node, "QuantizeLinear")) return qn_onnx_scalar(im, node, 1) ? node : NULL;
    if (!qn_onnx_is_moved_over(node) || node->inputs[0] != y) return NULL;
  }
}

/* Whether the tensor has elements of a DequantizeLinear, perhaps moved: onnxruntime dequantizes
 * them before the Transpose. */
static bool is_dequantized(const qn_onnx *im, int32_t number) {
  const qn_onnx_node *writer = qn_onnx_writer(im, number);
  while (writer && qn_onnx_is_moved_over(writer) && writer->operand_count > 0 &&
         writer->inputs[0] >= 0)
    writer = qn_onnx_writer(im, writer->inputs[0]);
  return writer && qn_onnx_is(writer, "DequantizeLinear");
}

void qn_onnx_find_transposed_outputs(qn_onnx *im, const bool *moving) {
  for (uint32_t i = 0; i < im->graph.outputs.count; i++) {
    const int32_t number = qn_graph_number(im->graph.outputs, i);
    qn_onnx_tensor *extra = &im->extras[number];
    if (!qn_onnx_writer(im, number) || extra->readers != 1 || is_dequantized(im, number)) continue;
    const qn_onnx_node *transpose = extra->reader;
    if (!qn_onnx_is(transpose, "Transpose")) continue;
    const int32_t y = qn_onnx_first_result(transpose);
    if (y < 0 || moving[y]) continue;
    extra->quantizer = quantizer_after(im, transpose);
  }
}
