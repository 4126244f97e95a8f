/* Comparisons, logic and Where.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

/* Comparisons: two operands of one element type, and a boolean result. */
void qn_onnx_import_comparison(qn_graph_op *op) {
  qn_graph_tensor *x[2] = {qn_graph_input(op, 0), qn_graph_input(op, 1)};
  qn_graph_shape shape;
  if (op->failed || !qn_graph_broadcast(op, x[0], x[1], &shape)) return;
  if (x[0]->dtype != x[1]->dtype) {
    qn_graph_error(op, x[1], QN_INVALID, "%s beside %s", qn_graph_dtype_name(x[1]->dtype),
                   qn_graph_dtype_name(x[0]->dtype));
    return;
  }
  qn_value *operands[2];
  for (uint32_t i = 0; i < 2; i++) {
    operands[i] = qn_onnx_value(op, x[i]);
    if (!operands[i]) return;
  }
  qn_value *y = qn_onnx_whole_compare(op, op->row->kind, operands[0], operands[1], x[0]->dtype);
  qn_onnx_define(op, qn_graph_output(op, 0), QN_GRAPH_BOOL, &shape, y, QN_ONNX_PLAIN);
}

void qn_onnx_import_not(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  if (op->failed || !qn_graph_check_dtype(op, x, QN_GRAPH_BOOL)) return;
  qn_value *v = qn_onnx_value(op, x);
  if (!v) return;
  v = qn_graph_part(op, op->row->kind, qn_type_i(op->graph->cx, 1), &x->shape, &v, 1, NULL);
  qn_onnx_define(op, qn_graph_output(op, 0), QN_GRAPH_BOOL, &x->shape, v, QN_ONNX_PLAIN);
}

/* Builds Where. Its operands get the requested element type, because it is equivalent to round
 * before or after the selection. */
static qn_value *build_where(qn_graph_op *op, const qn_onnx_recipe *r, const qn_type *element) {
  qn_value *a = qn_onnx_through(op, r, 0, element);
  qn_value *b = qn_onnx_through(op, r, 1, element);
  if (!a || !b) return NULL;
  return qn_graph_part(op, QN_OP_ML_SELECT, element, &r->shape,
                       (qn_value *[]){r->operands[0], a, b}, 3, NULL);
}

void qn_onnx_import_where(qn_graph_op *op) {
  qn_graph_tensor *condition = qn_graph_input(op, 0), *a = qn_graph_input(op, 1),
                  *b = qn_graph_input(op, 2);
  qn_graph_tensor both;
  qn_graph_shape shape;
  if (op->failed || !qn_graph_check_dtype(op, condition, QN_GRAPH_BOOL) ||
      !qn_graph_check_dtype(op, b, a->dtype) || !qn_graph_broadcast(op, a, b, &shape))
    return;
  both = *a;
  both.shape = shape;
  if (!qn_graph_broadcast(op, condition, &both, &shape)) return;
  qn_graph_tensor **through = QN_NEW_ARRAY(&op->graph->arena, 2, qn_graph_tensor *);
  through[0] = a, through[1] = b;
  qn_onnx_recipe r = {.build = build_where, .shape = shape, .through = through, .through_count = 2};
  r.operands[0] = qn_onnx_value(op, condition);
  if (r.operands[0]) qn_onnx_pass(op, qn_graph_output(op, 0), &shape, &r);
}
