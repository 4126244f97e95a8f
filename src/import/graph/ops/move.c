/* Common code of data movement operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/move.h"
#include "ir/ops/forms.h"

bool qn_graph_open_move(qn_graph_op *op, uint32_t input, qn_graph_tensor **out_x) {
  *out_x = qn_graph_input(op, input);
  qn_graph_tensor *y = qn_graph_output(op, 0);
  return !op->failed && qn_graph_movable(op, *out_x, y);
}

void qn_graph_build_move(qn_graph_op *op, qn_graph_tensor *x, qn_graph_attrs *attrs,
                         const qn_graph_shape *shape) {
  qn_value *value = qn_graph_value(op, x);
  if (value) qn_graph_build(op, op->row->kind, &value, 1, attrs, shape);
}

bool qn_graph_amounts(qn_graph_op *op, uint32_t input, uint32_t count, int64_t low, int64_t high,
                      int64_t *out_values) {
  qn_graph_tensor *operand = qn_graph_input(op, input);
  uint32_t found;
  if (op->failed || !qn_graph_ints(op, operand, 2 * QN_GRAPH_MAX_RANK, out_values, &found))
    return false;
  if (found != count)
    return qn_graph_error(op, operand, QN_INVALID, "%u elements where %u are expected", found,
                          count);
  for (uint32_t i = 0; i < count; i++)
    if (out_values[i] < low || out_values[i] > high)
      return qn_graph_error(op, operand, QN_INVALID, "element %u is %lld, outside of [%lld, %lld]",
                            i, (long long)out_values[i], (long long)low, (long long)high);
  return true;
}

void qn_graph_build_repeated(qn_graph_op *op, const qn_graph_tensor *operand, qn_value *value,
                             const qn_graph_shape *from, const qn_graph_shape *to) {
  int64_t reps[QN_GRAPH_MAX_RANK];
  qn_graph_shape view = {.rank = to->rank};
  bool good = to->rank >= from->rank;
  for (uint32_t i = 0; good && i < to->rank; i++) {
    uint32_t missing = to->rank - from->rank;
    view.dims[i] = i < missing ? 1 : from->dims[i - missing];
    good = to->dims[i] > 0 && (view.dims[i] == 1 || view.dims[i] == to->dims[i]);
    reps[i] = good ? to->dims[i] / view.dims[i] : 1;
  }
  if (!good) {
    qn_graph_error(op, operand, QN_INVALID, "the operand can't be broadcast to this shape");
    return;
  }
  if (!qn_graph_check_size(op, qn_graph_output(op, 0), to)) return;
  value = qn_graph_view(op, value, &view);
  qn_graph_attrs attrs = {0};
  qn_graph_attr_i64s(op, &attrs, "reps", reps, to->rank);
  qn_graph_build(op, QN_OP_ML_TILE, &value, 1, &attrs, to);
}
