/* Operators on constants: their results become constants of the import, so that shapes, bounds and
 * conditions that a file computes are known where an operator needs them. The interpreter computes
 * them, as it does for every folded op.
 *
 * Operands that a DequantizeLinear writes are no constants here, because the results of units are
 * not rounded.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/value.h"

static bool reads_constants_only(qn_graph_op *op) {
  bool any = false;
  for (uint32_t i = 0; i < op->inputs.count; i++) {
    if (!qn_graph_has_input(op, i)) continue;
    const qn_graph_tensor *x = qn_graph_input(op, i);
    if (!x || !qn_onnx_is_constant(op, x)) return false;
    any = true;
  }
  return any;
}

/* The elements in memory, as a constant of the file has them. */
static const uint8_t *bytes_of(qn_graph_op *op, const qn_attr *value, size_t count, size_t width) {
  const qn_bytes from = value->dense.bytes;
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, count * width);
  const bool is_splat = from.size == width;
  QN_ASSERT(is_splat || from.size == count * width);
  for (size_t i = 0; i < count; i++)
    memcpy(bytes + i * width, from.data + (is_splat ? 0 : i * width), width);
  return bytes;
}

static void fold(qn_graph_op *op, qn_graph_tensor *y) {
  qn_graph *graph = op->graph;
  const size_t width = qn_graph_dtype_bits(y->dtype) / 8;
  const size_t count = (size_t)qn_graph_elements(&y->shape);
  if (width == 0 || count == 0 || count * width > QN_GRAPH_MOST_COMPUTED) return;
  const qn_onnx_form *form = qn_onnx_extra(graph, y)->form;
  if (form && form->dequantized.tensor) return; /* reals that are not rounded */
  const qn_type *own = qn_onnx_own(op, y);
  if (!own || own->kind == QN_TYPE_QUANT_UNIFORM) return;
  qn_value *v = qn_onnx_value(op, y);
  const qn_attr *value = v ? qn_graph_computed(graph, v) : NULL;
  if (!value || !qn_attr_is_elements(value) || qn_type_bytes(own) != width) return;
  if (!qn_graph_spend(op, (int64_t)(count * width))) return;
  y->data = (qn_bytes){bytes_of(op, value, count, width), count * width};
  y->value = NULL;
  y->writer = -1; /* as for a constant in the file */
  qn_onnx_extra(graph, y)->form = NULL;
}

void qn_onnx_fold(qn_graph_op *op) {
  if (op->failed || !reads_constants_only(op)) return;
  for (uint32_t i = 0; i < op->outputs.count; i++) {
    if (qn_graph_number(op->outputs, i) < 0) continue;
    qn_graph_tensor *y = qn_graph_output(op, i);
    if (y && !op->failed && !qn_onnx_is_constant(op, y)) fold(op, y);
  }
}
