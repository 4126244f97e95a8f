/* Splits a tensor into complete groups of eight elements and the remaining elements (by_place.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/by_place.h"

/* Elements [begin, end) of a vector. */
static qn_value *cut(qn_graph_op *op, qn_value *x, int64_t begin, int64_t end) {
  qn_ir_context *cx = op->graph->cx;
  const int64_t one = 1;
  const qn_graph_shape shape = {1, {end - begin}};
  return qn_graph_part(op, QN_OP_ML_SLICE_BY_INDEX, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"begin", qn_attr_i64s(cx, &begin, 1)},
                                {"end", qn_attr_i64s(cx, &end, 1)},
                                {"stride", qn_attr_i64s(cx, &one, 1)}));
}

void qn_graph_build_by_place(qn_graph_op *op, qn_graph_tensor *y, const qn_type *element,
                             qn_value *x, const qn_graph_shape *shape, qn_graph_part_fn *whole,
                             qn_graph_part_fn *rest, const void *user) {
  int64_t count = qn_graph_elements(shape);
  int64_t at = count / QN_GRAPH_AT_ONCE * QN_GRAPH_AT_ONCE;
  const qn_graph_shape flat = {1, {count}};
  qn_value *parts[2] = {0};
  uint32_t n = 0;
  x = qn_graph_view(op, x, &flat);
  if (at > 0) parts[n++] = whole(op, user, at < count ? cut(op, x, 0, at) : x, at);
  if (at < count) parts[n++] = rest(op, user, at > 0 ? cut(op, x, at, count) : x, count - at);
  if (n > 1)
    parts[0] = qn_graph_part(op, QN_OP_ML_CONCAT, element, &flat, parts, n,
                             QN_ATTRS({"axis", qn_attr_i64(op->graph->cx, 0)}));
  if (parts[0]) parts[0] = qn_graph_part(op, QN_OP_ML_RESHAPE, element, shape, parts, 1, NULL);
  qn_graph_define(op, y, shape, parts[0]);
}

qn_value *qn_graph_one_float(qn_graph_op *op, const qn_type *type, double value) {
  const qn_graph_shape one = {1, {1}};
  const float narrow = (float)value;
  bool wide = qn_type_is_float(type, QN_F64);
  return qn_graph_const(op, type, &one, wide ? (const void *)&value : (const void *)&narrow);
}
