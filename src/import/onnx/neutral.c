/* Operators that onnxruntime removes because their results equal an operand, for the profile
 * "ort": their readers read the operand. Units that they separate in the file are one, and
 * quantizations between which nothing is left are merged (merge.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/simplify.h"

/* Sums and products, and the scalar that does not change the other operand. */
static const struct {
  const char *name;
  float neutral;
  bool commutes;
} arithmetic[] = {{"Add", 0, true}, {"Sub", 0, false}, {"Mul", 1, true}, {"Div", 1, false}};

static bool is_neutral(qn_onnx *im, const qn_onnx_node *node, uint32_t constant, float neutral) {
  const qn_graph_tensor *x = qn_onnx_scalar(im, node, constant);
  float value;
  if (!x || x->dtype != QN_GRAPH_FLOAT32) return false;
  memcpy(&value, x->data.data, sizeof value);
  return value == neutral;
}

/* Whether only the first result of a Dropout is used, which does not train. */
static bool is_inference(qn_onnx *im, const qn_onnx_node *node) {
  const qn_graph_tensor *trains = qn_onnx_scalar(im, node, 2);
  const bool has_third = node->operand_count > 2 && node->inputs[2] >= 0;
  if (has_third && !(trains && trains->dtype == QN_GRAPH_BOOL && trains->data.data[0] == 0))
    return false;
  if (node->output_count < 2 || node->outputs[1] < 0) return true;
  const qn_onnx_tensor *mask = &im->extras[node->outputs[1]];
  return mask->readers == 0 && !mask->is_result;
}

/* A Cast to float32 of dequantized elements. */
static bool is_idle_cast(qn_onnx *im, const qn_onnx_node *node, const int32_t *same) {
  if (node->inputs[0] < 0) return false;
  const qn_onnx_node *writer = qn_onnx_writer(im, same[node->inputs[0]]);
  qn_onnx_op op = qn_onnx_open_op(im, node);
  return writer && qn_onnx_is(writer, "DequantizeLinear") &&
         qn_onnx_int(&op.op, "to", 0) == QN_ONNX_FLOAT;
}

/* The operand that the first result equals; -1 if there is none. */
static int32_t equal_operand(qn_onnx *im, const qn_onnx_node *node, const int32_t *same) {
  if (node->operand_count == 0) return -1;
  if (qn_onnx_is(node, "Identity")) return node->inputs[0];
  if (qn_onnx_is(node, "Dropout")) return is_inference(im, node) ? node->inputs[0] : -1;
  if (qn_onnx_is(node, "Cast")) return is_idle_cast(im, node, same) ? node->inputs[0] : -1;
  for (size_t i = 0; i < QN_COUNT(arithmetic) && node->operand_count == 2; i++) {
    if (!qn_onnx_is(node, arithmetic[i].name)) continue;
    if (is_neutral(im, node, 1, arithmetic[i].neutral)) return node->inputs[0];
    if (arithmetic[i].commutes && is_neutral(im, node, 0, arithmetic[i].neutral))
      return node->inputs[1];
  }
  return -1;
}

/* Tensors that bodies read by name, whose writers therefore stay. */
static bool *find_captured(qn_onnx *im) {
  bool *captured = QN_NEW_ARRAY(&im->graph.arena, (size_t)im->graph.tensor_count + 1, bool);
  for (uint32_t i = 0; i < im->node_count; i++)
    for (uint32_t k = im->nodes[i].operand_count; k < im->nodes[i].input_count; k++)
      if (im->nodes[i].inputs[k] >= 0) captured[im->nodes[i].inputs[k]] = true;
  return captured;
}

void qn_onnx_remove_neutral(qn_onnx *im) {
  const uint32_t count = im->graph.tensor_count;
  const bool *captured = find_captured(im);
  int32_t *same = QN_NEW_ARRAY(&im->graph.arena, (size_t)count + 1, int32_t);
  for (uint32_t i = 0; i < count; i++) same[i] = (int32_t)i;
  for (uint32_t i = 0; i < im->order_count; i++) {
    qn_onnx_node *node = &im->nodes[im->order[i]->index];
    const int32_t y = qn_onnx_first_result(node);
    if (y < 0 || im->extras[y].is_result || captured[y]) continue;
    const int32_t x = equal_operand(im, node, same);
    /* onnxruntime keeps them on inputs and constants, where no unit depends on them */
    if (x < 0 || !qn_onnx_writer(im, same[x])) continue;
    same[y] = same[x];
    node->removed = true;
  }
  for (uint32_t i = 0; i < im->node_count; i++)
    for (uint32_t k = 0; k < im->nodes[i].operand_count; k++)
      if (im->nodes[i].inputs[k] >= 0) im->nodes[i].inputs[k] = same[im->nodes[i].inputs[k]];
}
