/* Which units onnxruntime fuses to an integer kernel, for its profile: others keep their exact
 * results, and say so. The rules are those of its default session on x86-64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"

/* What the types of operands and result have to be. */
typedef enum fusion {
  UNSIGNED, /* all uint8, or int8 that becomes uint8 */
  EQUAL,    /* all the same one of 8 bits */
} fusion;

static const struct {
  const char *name;
  fusion types;
  bool floats; /* also where no QuantizeLinear reads the result */
} fusions[] = {{"Conv", UNSIGNED, false},   {"MatMul", UNSIGNED, true},
               {"Gemm", EQUAL, true},       {"Add", EQUAL, false},
               {"Mul", EQUAL, false},       {"AveragePool", EQUAL, false},
               {"LeakyRelu", EQUAL, false}, {"Sigmoid", EQUAL, false},
               {"Softmax", EQUAL, false},   {"GlobalAveragePool", EQUAL, false}};

static bool is_named(const qn_onnx_node *node, const char *name) {
  return node->row && strcmp(node->row->row.name, name) == 0;
}

void qn_onnx_count_readers(qn_onnx *im) {
  for (uint32_t i = 0; i < im->order_count; i++)
    for (uint32_t k = 0; k < im->order[i]->input_count; k++) {
      int32_t number = im->order[i]->inputs[k];
      if (number < 0) continue;
      im->extras[number].readers++;
      im->extras[number].reader = im->order[i];
    }
  for (uint32_t i = 0; i < im->graph.outputs.count; i++)
    im->extras[qn_graph_number(im->graph.outputs, i)].readers += 2; /* the caller of the model */
}

/* int8 between a QuantizeLinear and the only DequantizeLinear that reads it becomes uint8. */
static bool becomes_unsigned(const qn_onnx *im, const qn_graph_tensor *tensor) {
  const qn_onnx_tensor *extra = &im->extras[tensor - im->graph.tensors];
  if (tensor->writer < 0 || extra->readers != 1) return false;
  const qn_onnx_node *writer = &im->nodes[tensor->writer], *reader = extra->reader;
  return is_named(writer, "QuantizeLinear") && is_named(reader, "DequantizeLinear") &&
         writer->input_count == 3 && reader->input_count == 3;
}

/* The type that the kernel sees; QN_GRAPH_UNKNOWN: none of 8 bits. */
static uint8_t seen_type(const qn_onnx *im, const qn_graph_tensor *tensor) {
  if (im->extras[tensor - im->graph.tensors].bits) return QN_GRAPH_UNKNOWN;
  if (tensor->dtype == QN_GRAPH_UINT8) return QN_GRAPH_UINT8;
  if (tensor->dtype != QN_GRAPH_INT8) return QN_GRAPH_UNKNOWN;
  return becomes_unsigned(im, tensor) ? QN_GRAPH_UINT8 : QN_GRAPH_INT8;
}

static bool is_fused(qn_graph_op *reader, const qn_onnx_recipe *r) {
  qn_onnx *im = qn_onnx_of(reader->graph);
  size_t i = 0;
  while (i < QN_COUNT(fusions) && !is_named(r->node, fusions[i].name)) i++;
  if (i == QN_COUNT(fusions) || !r->activations[0]) return false;
  const qn_onnx_node *by = qn_onnx_node_of(reader);
  const bool quantizes = by && is_named(by, "QuantizeLinear");
  if (!quantizes) return fusions[i].floats;
  if (im->extras[r->node->outputs[0]].readers != 1) return false;
  const uint8_t type = seen_type(im, qn_graph_output(reader, 0));
  if (type == QN_GRAPH_UNKNOWN) return false;
  if (fusions[i].types == UNSIGNED && type != QN_GRAPH_UINT8) return false;
  for (uint32_t k = 0; k < 2 && r->activations[k]; k++)
    if (seen_type(im, r->activations[k]) != type) return false;
  return true;
}

void qn_onnx_note_fusion(qn_graph_op *reader, const qn_onnx_recipe *r, qn_op *built) {
  if (reader->graph->profile->units != QN_UNITS_FUSED || !r->is_exact || !r->node) return;
  if (!is_fused(reader, r)) qn_onnx_note_unfused(reader->graph, built);
}

void qn_onnx_note_unfused(qn_graph *graph, qn_op *built) {
  if (graph->profile->units == QN_UNITS_FUSED && !qn_op_has(built, QN_CONSTANT))
    qn_op_set_attr(graph->module, built, qn_attr_decls[QN_A_UNFUSED].name, qn_attr_unit(graph->cx));
}
