/* Determines which units onnxruntime fuses to an integer kernel, for the profile `ort`: others keep
 * their exact results and get an attribute. The rules are those of its default session on x86-64.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"

#include <math.h>

/* Required types of operands and result. */
typedef enum fusion {
  UNSIGNED, /* uint8, or int8 that becomes uint8 */
  EQUAL,    /* equal 8-bit types */
} fusion;

static const struct {
  const char *name;
  fusion types;
  bool floats;   /* also if no QuantizeLinear reads the result */
  bool by_zeros; /* rounds floats that include zero points */
} fusions[] = {{"Conv", UNSIGNED, false, false},   {"MatMul", UNSIGNED, true, false},
               {"Gemm", EQUAL, true, false},       {"Add", EQUAL, false, true},
               {"Mul", EQUAL, false, true},        {"AveragePool", EQUAL, false, true},
               {"LeakyRelu", EQUAL, false, false}, {"Sigmoid", EQUAL, false, false},
               {"Softmax", EQUAL, false, false},   {"GlobalAveragePool", EQUAL, false, false}};

/* Operators that may be between a DequantizeLinear and a unit, or between a unit and its
 * QuantizeLinear: onnxruntime moves the DequantizeLinear after them, and the QuantizeLinear before
 * them. */
static const struct {
  const char *name;
  int64_t opset; /* the first of which this is true */
} moved_over[] = {{"MaxPool", 12}, {"Reshape", 1},   {"Transpose", 1},
                  {"Squeeze", 1},  {"Unsqueeze", 1}, {"Slice", 1}};

bool qn_onnx_is_moved_over(const qn_onnx_node *node) {
  for (size_t i = 0; i < QN_COUNT(moved_over); i++)
    if (qn_onnx_is(node, moved_over[i].name)) return node->opset >= moved_over[i].opset;
  return false;
}

static bool is_clamp(const qn_onnx_node *node) {
  return qn_onnx_is(node, "Relu") || qn_onnx_is(node, "Clip");
}

/* Counts unused nodes too, which onnxruntime keeps. */
void qn_onnx_count_readers(qn_onnx *im, uint32_t first) {
  for (uint32_t i = first; i < im->node_count; i++) {
    const qn_onnx_node *node = &im->nodes[i];
    for (uint32_t k = 0; k < node->input_count && !node->removed; k++) {
      int32_t number = node->inputs[k];
      if (number < 0) continue;
      im->extras[number].readers++;
      im->extras[number].reader = node;
      im->extras[number].is_quantized |= qn_onnx_is(node, "QuantizeLinear");
    }
  }
  for (uint32_t i = 0; i < im->graph.outputs.count; i++)
    im->extras[qn_graph_number(im->graph.outputs, i)].is_result = true;
}

bool qn_onnx_has_one_reader(const qn_onnx *im, int32_t number) {
  return im->extras[number].readers == 1 && !im->extras[number].is_result;
}

/* The node that reads the first result, or one of them; NULL if none does. */
static const qn_onnx_node *reader_of(const qn_onnx *im, const qn_onnx_node *node) {
  const int32_t number = qn_onnx_first_result(node);
  return number < 0 ? NULL : im->extras[number].reader;
}

/* Whether QuantizeLinear is the only reader that onnxruntime leaves, perhaps after operators before
 * which it quantizes. */
static bool is_only_quantized(const qn_onnx *im, int32_t number) {
  return qn_onnx_has_one_reader(im, number) || im->extras[number].quantizer;
}

/* The node that reads the tensor, or the Transpose of it that onnxruntime moves. */
static const qn_onnx_node *reader_beyond_moved(const qn_onnx *im, int32_t number) {
  const qn_onnx_node *reader = im->extras[number].reader;
  while (reader && reader->moved && qn_onnx_has_one_reader(im, qn_onnx_first_result(reader)))
    reader = im->extras[reader->outputs[0]].reader;
  return reader;
}

/* Whether int8 between a QuantizeLinear and the only DequantizeLinear that reads it becomes uint8.
 * The result of that DequantizeLinear must have one reader; with several readers, onnxruntime has a
 * DequantizeLinear for each. */
static bool becomes_unsigned(const qn_onnx *im, const qn_graph_tensor *tensor) {
  const int32_t number = (int32_t)(tensor - im->graph.tensors);
  if (tensor->writer < 0 || !qn_onnx_has_one_reader(im, number)) return false;
  const qn_onnx_node *writer = &im->nodes[tensor->writer];
  const qn_onnx_node *reader = reader_beyond_moved(im, number);
  if (!qn_onnx_is(writer, "QuantizeLinear") || !qn_onnx_is(reader, "DequantizeLinear"))
    return false;
  const int32_t y = qn_onnx_first_result(reader);
  return y >= 0 && writer->input_count == 3 && reader->input_count == 3 &&
         im->extras[y].readers + im->extras[y].is_result == 1;
}

/* ---- clamps that a QuantizeLinear implies ---- */

bool qn_onnx_is_implied(const qn_onnx_recipe *clamp, const qn_type *element) {
  enum { SLACK_BITS = 23 };
  if (element->kind != QN_TYPE_QUANT_UNIFORM) return false;
  const qn_quant_uniform *q = &element->uniform;
  const double slack = ldexp(1, -SLACK_BITS), zero = (double)q->zero_points[0];
  return (double)clamp->low <= q->scales[0] * ((double)q->min - zero) + slack &&
         (double)clamp->high >= q->scales[0] * ((double)q->max - zero) - slack;
}

/* The tensor that is operand i; NULL if it is absent. Nodes that no output depends on are not
 * checked otherwise. */
static const qn_graph_tensor *operand_of(const qn_onnx *im, const qn_onnx_node *node, uint32_t i) {
  const bool is_given = i < node->operand_count && node->inputs[i] >= 0;
  return is_given ? &im->graph.tensors[node->inputs[i]] : NULL;
}

/* Whether onnxruntime drops a clamp that the QuantizeLinear implies. It compares the bounds of a
 * Clip with a scale and a zero point without dimensions alone; the zero point of int8 that becomes
 * uint8 has none. */
static bool is_dropped(const qn_onnx *im, const qn_onnx_node *clamp) {
  if (qn_onnx_is(clamp, "Relu")) return true;
  const qn_onnx_node *next = reader_of(im, clamp);
  while (next && qn_onnx_is_moved_over(next)) next = reader_of(im, next);
  if (!next || !qn_onnx_is(next, "QuantizeLinear") || next->output_count == 0) return false;
  const qn_graph_tensor *scale = operand_of(im, next, 1), *zero = operand_of(im, next, 2);
  if (!scale || scale->shape.rank > 0 || next->outputs[0] < 0) return false;
  return !zero || zero->shape.rank == 0 ||
         (zero->dtype == QN_GRAPH_INT8 &&
          becomes_unsigned(im, &im->graph.tensors[next->outputs[0]]));
}

/* ---- types that kernels receive ---- */

/* The tensor that onnxruntime reads instead of one that is quantized from its dequantized elements
 * by the same parameters, perhaps after a clamp that is dropped, and has one reader; NULL if there
 * is none. */
static const qn_graph_tensor *equal_source(const qn_onnx *im, const qn_graph_tensor *tensor) {
  const int32_t number = (int32_t)tensor->index;
  if (tensor->writer < 0 || !qn_onnx_has_one_reader(im, number)) return NULL;
  const qn_onnx_node *writer = &im->nodes[tensor->writer], *reader = im->extras[number].reader;
  if (!qn_onnx_is(writer, "QuantizeLinear") || !qn_onnx_is(reader, "DequantizeLinear")) return NULL;
  const qn_graph_tensor *x = operand_of(im, writer, 0), *y = operand_of(im, reader, 0);
  const int32_t result = qn_onnx_first_result(reader);
  const qn_onnx_form *to = result < 0 ? NULL : im->extras[result].form;
  if (!x || y != tensor || !to || !to->dequantized.element) return NULL;
  const qn_onnx_node *clamp = x->writer < 0 ? NULL : &im->nodes[x->writer];
  const qn_onnx_form *from = im->extras[x->index].form;
  if (clamp && is_clamp(clamp)) {
    const bool leaves = from && from->recipe && qn_onnx_has_one_reader(im, (int32_t)x->index) &&
                        qn_onnx_is_implied(from->recipe, to->dequantized.element) &&
                        is_dropped(im, clamp);
    x = operand_of(im, clamp, 0);
    if (!leaves || !x) return NULL;
    from = im->extras[x->index].form;
  }
  return from && from->dequantized.element == to->dequantized.element ? from->dequantized.tensor
                                                                      : NULL;
}

/* The integers whose moved elements the tensor has; itself if it has its own. */
static const qn_graph_tensor *stored_of(const qn_onnx *im, const qn_graph_tensor *tensor) {
  const qn_onnx_source *moved = qn_onnx_moved_source(im, tensor);
  return moved ? moved->tensor : tensor;
}

/* The 8-bit type that the kernel receives; QN_GRAPH_UNKNOWN if the tensor is not 8-bit. When
 * onnxruntime moves a DequantizeLinear, a QuantizeLinear is before it, so that int8 becomes uint8
 * if the moved elements have one reader. */
static uint8_t seen_type(const qn_onnx *im, const qn_graph_tensor *tensor) {
  const qn_graph_tensor *stored = stored_of(im, tensor);
  const qn_onnx_tensor *moved = &im->extras[tensor - im->graph.tensors];
  if (im->extras[stored - im->graph.tensors].bits) return QN_GRAPH_UNKNOWN;
  if (stored->dtype == QN_GRAPH_UINT8) return QN_GRAPH_UINT8;
  if (stored->dtype != QN_GRAPH_INT8) return QN_GRAPH_UNKNOWN;
  bool is_unsigned =
      stored == tensor ? becomes_unsigned(im, tensor) : moved->readers + moved->is_result == 1;
  for (const qn_graph_tensor *t = equal_source(im, tensor); t && is_unsigned;
       t = equal_source(im, t))
    is_unsigned = becomes_unsigned(im, t);
  return is_unsigned ? QN_GRAPH_UINT8 : QN_GRAPH_INT8;
}

/* Whether the kernel supports the weights (8 bits, signed if the other operand is) and the bias (32
 * bits). */
static bool fits_layer(const qn_onnx_recipe *r, uint8_t type) {
  const qn_quant_uniform *w = qn_type_quant(r->operands[1]->type);
  if (!w || w->storage->integer.width != 8 || w->max - w->min != UINT8_MAX) return false;
  if (type == QN_GRAPH_INT8 && !w->is_signed) return false;
  if (r->count < 3) return true;
  return !r->has_float_bias && qn_type_element(r->operands[2]->type)->kind != QN_TYPE_FLOAT;
}

/* The 8-bit type that the kernel writes. int8 stays in an output of the model, because two
 * operators dequantize it. It becomes uint8 before an operator before which onnxruntime quantizes,
 * whatever reads `y` after that operator. */
static uint8_t result_type(const qn_onnx *im, const qn_onnx_recipe *r, const qn_graph_tensor *y) {
  const qn_onnx_node *node = r->node;
  const bool has_bits = im->extras[y - im->graph.tensors].bits > 0;
  if (y->dtype != QN_GRAPH_INT8 || has_bits) return seen_type(im, y);
  if (im->extras[node->outputs[0]].quantizer) return QN_GRAPH_INT8;
  const qn_onnx_node *next = reader_of(im, node);
  while (next && is_clamp(next)) next = reader_of(im, next);
  const bool has_zero = y->writer >= 0 && im->nodes[y->writer].input_count == 3;
  return next && qn_onnx_is_moved_over(next) && has_zero ? QN_GRAPH_UINT8 : seen_type(im, y);
}

/* The row of an operator in `fusions`, or their number if there is none. */
static size_t fusion_of(const qn_onnx_node *node) {
  size_t i = 0;
  while (i < QN_COUNT(fusions) && !qn_onnx_is(node, fusions[i].name)) i++;
  return i;
}

static bool is_fused(qn_graph_op *reader, const qn_onnx_recipe *r) {
  qn_onnx *im = qn_onnx_of(reader->graph);
  const size_t i = fusion_of(r->node);
  if (im->apart > 0 || i == QN_COUNT(fusions) || !r->activations[0]) return false;
  const uint8_t x = seen_type(im, r->activations[0]);
  if (x == QN_GRAPH_UNKNOWN || (fusions[i].types == UNSIGNED && x != QN_GRAPH_UINT8)) return false;
  if (r->is_layer && !fits_layer(r, x)) return false;
  const qn_onnx_node *by = qn_onnx_node_of(reader);
  const bool quantizes = by && qn_onnx_is(by, "QuantizeLinear");
  if (!quantizes) return fusions[i].floats && !im->extras[r->node->outputs[0]].is_quantized;
  if (!is_only_quantized(im, r->node->outputs[0])) return false;
  if (result_type(im, r, qn_graph_output(reader, 0)) != x) return false;
  return r->is_layer || !r->activations[1] || seen_type(im, r->activations[1]) == x;
}

/* Whether the unit is one of int8 that onnxruntime computes on uint8, with floats that depend on
 * it.
 */
static bool is_shifted(const qn_onnx *im, const qn_onnx_recipe *r) {
  const qn_graph_tensor *x = r->activations[0];
  return fusions[fusion_of(r->node)].by_zeros && stored_of(im, x)->dtype == QN_GRAPH_INT8 &&
         seen_type(im, x) == QN_GRAPH_UINT8;
}

/* ---- between a DequantizeLinear and a unit ---- */

const qn_onnx_source *qn_onnx_moved_source(const qn_onnx *im, const qn_graph_tensor *tensor) {
  const qn_onnx_form *form = im->extras[tensor - im->graph.tensors].form;
  if (im->graph.profile->units != QN_UNITS_FUSED || !form || form->dequantized.tensor) return NULL;
  while (form && form->recipe && form->recipe->through && qn_onnx_is_moved_over(form->recipe->node))
    form = im->extras[form->recipe->through[0] - im->graph.tensors].form;
  if (!form || !form->dequantized.tensor) return NULL;
  const qn_onnx_source *source = &form->dequantized;
  const bool is_constant = source->tensor->writer < 0 && !source->tensor->is_input;
  return is_constant || source->element->uniform.scheme != QN_PER_LAYER ? NULL : source;
}

/* ---- units ---- */

static void set_unit(qn_graph *graph, qn_op *op, qn_attr_id id) {
  qn_op_set_attr(graph->module, op, qn_attr_decls[id].name, qn_attr_unit(graph->cx));
}

void qn_onnx_note_fusion(qn_graph_op *reader, const qn_onnx_recipe *r, qn_op *built) {
  qn_graph *graph = reader->graph;
  if (graph->profile->units != QN_UNITS_FUSED || !r->is_exact || !r->node || r->through) return;
  if (!is_fused(reader, r))
    qn_onnx_note_unfused(graph, built);
  else if (is_shifted(qn_onnx_of(graph), r))
    set_unit(graph, built, QN_A_AS_UNSIGNED);
}

void qn_onnx_note_unfused(qn_graph *graph, qn_op *built) {
  if (graph->profile->units == QN_UNITS_FUSED && !qn_op_has(built, QN_CONSTANT))
    set_unit(graph, built, QN_A_UNFUSED);
}

/* ---- between a unit and its QuantizeLinear ---- */

/* Clamps first, then operators before which onnxruntime moves the QuantizeLinear. */
bool qn_onnx_is_quantized_next(const qn_graph_op *op) {
  const qn_onnx *im = qn_onnx_of(op->graph);
  int32_t number = qn_onnx_node_of(op)->outputs[0];
  bool clamps = true;
  while (im->extras[number].readers == 1) {
    const qn_onnx_node *reader = im->extras[number].reader;
    if (qn_onnx_is(reader, "QuantizeLinear")) return true;
    clamps &= is_clamp(reader);
    number = qn_onnx_first_result(reader);
    if (number < 0) return false;
    if (!clamps && !(qn_onnx_is_moved_over(reader) && !im->extras[number].is_result)) return false;
  }
  return false;
}

bool qn_onnx_keeps_fusion(const qn_onnx *im, const qn_onnx_recipe *r, const qn_type *element) {
  if (!r->node || !is_only_quantized(im, r->node->outputs[0])) return false;
  return qn_onnx_is_moved_over(r->node) ||
         (is_clamp(r->node) && qn_onnx_is_implied(r, element) && is_dropped(im, r->node));
}
