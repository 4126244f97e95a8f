/* Reductions along axes, and softmax.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "import/graph/ops/ops.h"

/* Reads the set of axes; repeated axes count once. */
static bool read_axes(qn_graph_op *op, qn_graph_tensor *axes, uint32_t rank,
                      bool out_reduced[QN_GRAPH_MAX_RANK]) {
  int64_t values[2 * QN_GRAPH_MAX_RANK];
  uint32_t count, axis;
  if (!qn_graph_ints(op, axes, 2 * QN_GRAPH_MAX_RANK, values, &count)) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (!qn_graph_axis(op, values[i], rank, &axis)) return false;
    out_reduced[axis] = true;
  }
  return true;
}

void qn_graph_reduce(qn_graph_op *op, bool keep) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *axes = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  bool reduced[QN_GRAPH_MAX_RANK] = {false};
  if (op->failed) return;
  bool good =
      qn_graph_is_quantized(x) ? qn_graph_matching(op, x, y, false) : qn_graph_movable(op, x, y);
  if (!good || !read_axes(op, axes, x->shape.rank, reduced)) return;
  int64_t list[QN_GRAPH_MAX_RANK];
  uint32_t count = 0;
  qn_graph_shape shape = {0};
  for (uint32_t i = 0; i < x->shape.rank; i++) {
    if (reduced[i]) list[count++] = i;
    if (!reduced[i] || keep) shape.dims[shape.rank++] = reduced[i] ? 1 : x->shape.dims[i];
  }
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axes", qn_attr_i64s(cx, list, count));
  qn_graph_attr(&attrs, "keep_dims", qn_attr_bool(cx, keep));
  qn_graph_build(op, op->row->kind, &value, 1, &attrs, &shape);
}

/* Checks the types of softmax; the kernels assume specific parameters of the result. */
static bool softmax_types(qn_graph_op *op, const qn_graph_tensor *x, const qn_graph_tensor *y) {
  static const struct {
    uint8_t x, y;
    double steps; /* steps from 0 to 1 */
    int32_t zero_point;
  } rows[] = {{QN_GRAPH_INT8, QN_GRAPH_INT8, 256, -128},
              {QN_GRAPH_UINT8, QN_GRAPH_UINT8, 256, 0},
              {QN_GRAPH_INT8, QN_GRAPH_INT16, 65536, -32768},
              {QN_GRAPH_INT16, QN_GRAPH_INT16, 32768, 0}};
  qn_graph_q8 of_x, of_y;
  if (x->dtype == QN_GRAPH_FLOAT32 && y->dtype == QN_GRAPH_FLOAT32) return true;
  if (!qn_graph_activation(op, x, &of_x) || !qn_graph_activation(op, y, &of_y)) return false;
  for (size_t i = 0; i < QN_COUNT(rows); i++) {
    if (rows[i].x != x->dtype || rows[i].y != y->dtype) continue;
    if (of_y.width == 8) return true; /* The plan checks 8-bit parameters. */
    /* Tolerance of the kernels. */
    bool scaled = fabs(of_y.scale * rows[i].steps - 1) <= 1e-3;
    if (scaled && of_y.zero_point == rows[i].zero_point) return true;
    return qn_graph_error(op, y, QN_UNSUPPORTED, "its scale must be 1/%g and its zero point %d",
                          rows[i].steps, rows[i].zero_point);
  }
  return qn_graph_matching(op, x, y, false) &&
         qn_graph_error(op, y, QN_UNSUPPORTED, "%s is not supported here",
                        qn_graph_dtype_name(y->dtype));
}

void qn_graph_softmax(qn_graph_op *op, double beta) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed || !softmax_types(op, x, y)) return;
  if (!(beta > 0) || !isfinite(beta)) {
    qn_graph_error(op, y, QN_INVALID, "beta is %g; it must be positive and finite", beta);
    return;
  }
  if (x->shape.rank == 0) {
    qn_graph_error(op, x, QN_INVALID, "a scalar has no last dimension");
    return;
  }
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "beta", qn_attr_float(cx, beta, qn_type_float(cx, QN_F32)));
  qn_graph_shape shape = x->shape;
  qn_graph_build(op, QN_OP_ML_SOFTMAX, &value, 1, &attrs, &shape);
}
