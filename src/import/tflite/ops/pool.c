/* AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/by_place.h"
#include "import/tflite/tflite.h"
#include "ir/ops/forms.h"

/* Reads the window attributes, without the activation, and computes the result's shape. */
static bool pool_window(qn_graph_op *op, const qn_graph_tensor *x, qn_graph_window *out_window,
                        qn_graph_shape *out_shape) {
  if (x->shape.rank != 4)
    return qn_graph_error(op, x, QN_INVALID, "rank %u where 4 is expected", x->shape.rank);
  *out_window = (qn_graph_window){
      .kernel = {qn_graph_option(op, "FILTER_H"), qn_graph_option(op, "FILTER_W")},
      .dilation = {1, 1}};
  if (!qn_tflite_place_window(op, x, out_window)) return false;
  *out_shape = (qn_graph_shape){
      4, {x->shape.dims[0], out_window->out[0], out_window->out[1], x->shape.dims[3]}};
  return true;
}

void qn_tflite_import_pool(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  const qn_attr *activation;
  qn_graph_window window;
  qn_graph_shape shape;
  if (op->failed || !qn_graph_matching(op, x, y, false) || !qn_tflite_fused(op, &activation) ||
      !pool_window(op, x, &window, &shape))
    return;
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "activation", activation);
  qn_graph_attr(&attrs, "kernel_sizes", qn_attr_i64s(cx, window.kernel, 2));
  qn_graph_attr(&attrs, "strides", qn_attr_i64s(cx, window.stride, 2));
  qn_graph_attr(&attrs, "pad", qn_attr_i64s(cx, window.pad, 4));
  qn_graph_build(op, op->row->kind, &value, 1, &attrs, &shape);
}

/* L2_POOL_2D: the square root of the average of squares. A product with 1 applies the activation of
 * the pool, which ml.sqrt does not have. */
void qn_tflite_import_l2_pool(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  const qn_type *f32 = qn_type_float(cx, QN_F32);
  const bool is_fused = qn_graph_option(op, "ACTIVATION") != 0;
  qn_graph_window window;
  qn_graph_shape shape;
  if (op->failed || !pool_window(op, x, &window, &shape) || !qn_graph_check_size(op, y, &shape))
    return;
  if (x->dtype != QN_GRAPH_FLOAT32 || y->dtype != QN_GRAPH_FLOAT32 || is_fused) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "only float32 without an activation is supported");
    return;
  }
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  value = qn_graph_part(op, QN_OP_ML_SQUARE, f32, &x->shape, &value, 1, NULL);
  value = qn_graph_part(op, QN_OP_ML_AVG_POOL, f32, &shape, &value, 1,
                        QN_ATTRS({"kernel_sizes", qn_attr_i64s(cx, window.kernel, 2)},
                                 {"strides", qn_attr_i64s(cx, window.stride, 2)},
                                 {"pad", qn_attr_i64s(cx, window.pad, 4)}));
  value = qn_graph_part(op, QN_OP_ML_SQRT, f32, &shape, &value, 1, NULL);
  const qn_attr *activation = qn_graph_unfused(op->graph, y->dtype);
  if (activation) {
    qn_value *factors[] = {value, qn_graph_one_float(op, f32, 1)};
    value = qn_graph_part(op, QN_OP_ML_MUL, f32, &shape, factors, 2,
                          QN_ATTRS({"activation", activation}));
  }
  qn_graph_define(op, y, &shape, value);
}
