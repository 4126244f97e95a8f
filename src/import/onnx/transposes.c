/* Outputs of the model that onnxruntime quantizes and dequantizes, for the profile "ort". Its
 * transpose optimizer completes the pattern DequantizeLinear, Transpose, QuantizeLinear: if the
 * operator before a Transpose that stays is another one, its result is quantized and dequantized
 * before all readers. If that result is an output of the model, too, the output has the rounded
 * numbers, and its writer is a unit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/simplify.h"

const qn_onnx_node *qn_onnx_quantizer_after(qn_onnx *im, const qn_onnx_node *transpose) {
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

void qn_onnx_find_transposed_outputs(qn_onnx *im, const qn_onnx_move *moves) {
  for (uint32_t i = 0; i < im->graph.outputs.count; i++) {
    const int32_t number = qn_graph_number(im->graph.outputs, i);
    qn_onnx_tensor *extra = &im->extras[number];
    if (!qn_onnx_writer(im, number) || extra->readers != 1 || is_dequantized(im, number)) continue;
    const qn_onnx_node *transpose = extra->reader;
    if (!qn_onnx_is(transpose, "Transpose")) continue;
    const int32_t y = qn_onnx_first_result(transpose);
    if (y < 0 || moves[y] != QN_ONNX_STAYS) continue;
    extra->quantizer = qn_onnx_quantizer_after(im, transpose);
  }
}
