/* ADD, SUB, MUL; LOGISTIC, TANH, RELU, RELU6.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/add.h"
#include "import/graph/ops/ops.h"

void qn_graph_binary(qn_graph_op *op, const qn_attr *activation) {
  qn_graph_tensor *a = qn_graph_input(op, 0), *b = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  if (op->failed) return;
  qn_graph_shape shape;
  bool whole = a->dtype == QN_GRAPH_INT32 || a->dtype == QN_GRAPH_INT64;
  if (!(whole ? qn_graph_movable(op, a, b) && qn_graph_movable(op, a, y)
              : qn_graph_matching(op, a, b, false) && qn_graph_matching(op, a, y, false)) ||
      !qn_graph_broadcast(op, a, b, &shape))
    return;
  qn_value *operands[2] = {qn_graph_value(op, a), qn_graph_value(op, b)};
  if (op->failed) return;
  bool is_unsigned = a->dtype == QN_GRAPH_UINT8;
  if (op->row->kind == QN_OP_ML_ADD && (is_unsigned || a->dtype == QN_GRAPH_INT8) &&
      op->graph->profile->add8_by_place) {
    qn_graph_build_add8(op, operands, is_unsigned, activation, &shape);
    return;
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "activation", activation);
  qn_graph_build(op, op->row->kind, operands, 2, &attrs, &shape);
}

void qn_graph_import_unary(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed || !qn_graph_matching(op, x, y, false)) return;
  qn_value *value = qn_graph_value(op, x);
  qn_graph_attrs attrs = {0};
  qn_graph_shape shape = x->shape;
  if (value) qn_graph_build(op, op->row->kind, &value, 1, &attrs, &shape);
}
