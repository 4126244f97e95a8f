/* ADD, SUB, MUL; LOGISTIC, TANH, RELU, RELU6.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/add.h"
#include "import/graph/ops/ops.h"

/* Whether the rounding of an element of a sum depends on its position. */
static bool is_rounded_by_place(const qn_profile *profile, qn_graph_dtype dtype) {
  if (dtype == QN_GRAPH_INT16) return profile->add16_by_place;
  return (dtype == QN_GRAPH_INT8 || dtype == QN_GRAPH_UINT8) && profile->add8_by_place;
}

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
  bool is_sum = op->row->kind == QN_OP_ML_ADD;
  const qn_profile *profile = op->graph->profile;
  if (is_sum && a->dtype == QN_GRAPH_INT32 && !profile->clamped_sum32) activation = NULL;
  if (is_sum && is_rounded_by_place(profile, a->dtype)) {
    qn_graph_build_add_by_place(op, operands, activation, &shape);
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
