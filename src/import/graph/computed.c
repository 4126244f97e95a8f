/* Values computed from constants of the file: sizes that are extracted from shapes and joined
 * again, for operators that need them at compile time; and initial values of variables.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/fold.h"
#include "import/graph/value.h"

enum { MOST_RESULTS = 8, DEEPEST = 64 };
_Static_assert((int)QN_GRAPH_MOST_COMPUTED == (int)QN_FOLD_MAX_BYTES, "one limit");

static const qn_attr *compute(qn_graph *graph, const qn_value *value, uint32_t depth) {
  qn_op *op = value->op;
  if (!op || op->result_count > MOST_RESULTS || depth == DEEPEST) return NULL;
  if (qn_op_has(op, QN_CONSTANT)) return qn_op_find(op, QN_A_VALUE);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_value *operand = qn_op_operand(op, i);
    if (operand->op && qn_op_has(operand->op, QN_CONSTANT)) continue;
    const qn_attr *constant = compute(graph, operand, depth + 1);
    if (!constant) return NULL;
    qn_builder b = qn_builder_before(graph->module, op);
    qn_op_set_operand(
        op, i,
        qn_build_1(&b, QN_OP_ML_CONST, operand->type, NULL, 0, QN_ATTRS({"value", constant})));
  }
  const qn_attr *values[MOST_RESULTS];
  return qn_fold(graph->folder, op, values) ? values[value - op->results] : NULL;
}

const qn_attr *qn_graph_computed(qn_graph *graph, const qn_value *value) {
  if (!graph->folder) graph->folder = qn_folder_create(graph->module);
  return compute(graph, value, 0);
}

bool qn_graph_know(qn_graph_op *op, qn_graph_tensor *tensor) {
  bool whole = qn_graph_is_index(tensor->dtype);
  const qn_attr *value =
      whole && tensor->value ? qn_graph_computed(op->graph, tensor->value) : NULL;
  if (!value || !qn_attr_is_elements(value)) return false;
  size_t width = qn_graph_dtype_bits(tensor->dtype) / 8;
  size_t count = (size_t)qn_graph_elements(&tensor->shape);
  if (count == 0 || !qn_graph_spend(op, (int64_t)(count * width))) return false;
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, count * width);
  for (size_t i = 0; i < count; i++) {
    int64_t number = qn_dense_int(value, (int64_t)i);
    memcpy(bytes + i * width, &number, width); /* little-endian */
  }
  tensor->data = (qn_bytes){bytes, count * width};
  tensor->writer = -1; /* as for a constant in the file */
  return true;
}
