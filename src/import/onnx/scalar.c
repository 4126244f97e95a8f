/* Writers and constants of tensors before import functions have run.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/simplify.h"

const qn_onnx_node *qn_onnx_writer(const qn_onnx *im, int32_t number) {
  const int64_t writer = im->graph.tensors[number].writer;
  return writer < 0 ? NULL : &im->nodes[writer];
}

static bool has_one_element(const qn_pb_message *tensor) {
  const size_t rank = qn_pb_count(tensor, QN_PB_TENSOR_DIMS);
  int64_t dim = 1;
  if (rank > 1) return false;
  if (rank == 1) qn_pb_numbers(tensor, QN_PB_TENSOR_DIMS, &dim);
  return dim == 1;
}

const qn_graph_tensor *qn_onnx_scalar(qn_onnx *im, const qn_onnx_node *node, uint32_t i) {
  if (i >= node->operand_count || node->inputs[i] < 0) return NULL;
  qn_graph_tensor *x = &im->graph.tensors[node->inputs[i]];
  const qn_onnx_node *writer = qn_onnx_writer(im, node->inputs[i]);
  qn_onnx_op op = qn_onnx_open_op(im, writer ? writer : node);
  const qn_pb_message *initializer = im->extras[x->index].initializer;
  if (writer && qn_onnx_is(writer, "Constant")) {
    const qn_pb_message *value = qn_onnx_attribute(&op.op, "value", QN_ONNX_ATTR_TENSOR);
    if (!value || !has_one_element(qn_pb_child(value, QN_PB_ATTRIBUTE_T))) return NULL;
    qn_onnx_import_constant(&op.op);
  } else if (initializer) {
    if (!has_one_element(initializer) || !qn_graph_load(&im->graph, &op.op, x)) return NULL;
  }
  return x->data.size > 0 && !x->bad ? x : NULL;
}
