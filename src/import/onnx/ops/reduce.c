/* Reductions over axes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/ops/whole.h"
#include "ir/ops/forms.h"

/* Reads the axes: from operand 1 from opset version `since` on, from an attribute before that. */
static bool read_axes(qn_graph_op *op, int64_t since, int64_t *axes, uint32_t *out_count) {
  *out_count = 0;
  if (qn_onnx_opset(op) < since)
    return qn_onnx_ints(op, "axes", QN_GRAPH_MAX_RANK, axes, out_count);
  if (!qn_graph_has_input(op, 1)) return true;
  qn_graph_tensor *operand = qn_graph_input(op, 1);
  return operand && qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, axes, out_count);
}

/* Sorts the axes in ascending order. No axes mean all axes. */
static bool sort_axes(qn_graph_op *op, int64_t *axes, uint32_t *io_count, uint32_t rank) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < *io_count; i++) {
    uint32_t axis;
    if (!qn_graph_axis(op, axes[i], rank, &axis)) return false;
    mask |= 1u << axis;
  }
  if (*io_count == 0) mask = (1u << rank) - 1;
  *io_count = 0;
  for (uint32_t i = 0; i < rank; i++)
    if (mask >> i & 1) axes[(*io_count)++] = i;
  return true;
}

static qn_graph_shape reduced(const qn_graph_shape *shape, const int64_t *axes, uint32_t count,
                              bool keep) {
  qn_graph_shape out = {0};
  for (uint32_t i = 0, at = 0; i < shape->rank; i++) {
    bool gone = at < count && axes[at] == i;
    at += gone;
    if (!gone || keep) out.dims[out.rank++] = gone ? 1 : shape->dims[i];
  }
  return out;
}

/* Integers, booleans and float64, and what has no elements. */
static void reduce_plain(qn_graph_op *op, qn_graph_tensor *x, const int64_t *axes, uint32_t count,
                         bool keep) {
  const qn_type *byte = qn_type_i(op->graph->cx, 8);
  const bool is_boolean = x->dtype == QN_GRAPH_BOOL, is_unsigned = qn_onnx_is_unsigned(x->dtype);
  const qn_op_kind kind = op->row->kind;
  const bool orders = kind == QN_OP_ML_REDUCE_MAX || kind == QN_OP_ML_REDUCE_MIN;
  const bool fits = qn_onnx_is_real(x->dtype) || (is_boolean && orders) ||
                    (qn_onnx_is_whole(x->dtype) && kind != QN_OP_ML_REDUCE_MEAN);
  if (!fits || (x->dtype == QN_GRAPH_UINT64 && orders)) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(x->dtype));
    return;
  }
  qn_value *v = qn_onnx_value(op, x);
  if (!v) return;
  if (is_boolean && qn_graph_elements(&x->shape) == 0) {
    v = qn_onnx_reduced(op, kind, qn_onnx_as(op, v, qn_onnx_f64(op)), axes, count, keep);
    if (v) v = qn_onnx_compare(op, QN_OP_ML_EQUAL, v, v); /* true */
    if (v && kind == QN_OP_ML_REDUCE_MAX) v = qn_onnx_unary(op, QN_OP_ML_LOGICAL_NOT, v);
    qn_onnx_give(op, 0, x->dtype, v);
    return;
  }
  if (is_boolean) v = qn_onnx_as(op, v, byte);
  if (is_unsigned) v = qn_onnx_as_i64(op, v, x->dtype);
  v = qn_onnx_reduced(op, kind, v, axes, count, keep);
  if (is_boolean) v = qn_onnx_as(op, v, qn_onnx_boolean(op));
  if (is_unsigned) v = qn_onnx_from_i64(op, v, x->dtype);
  qn_onnx_give(op, 0, x->dtype, v);
}

static void import_reduction(qn_graph_op *op, int64_t axes_since) {
  qn_onnx_source x = qn_onnx_source_of(op, 0);
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count;
  if (op->failed || !read_axes(op, axes_since, axes, &count)) return;
  const bool keep = qn_onnx_int(op, "keepdims", 1) != 0;
  if (op->failed) return;
  if (x.tensor->shape.rank == 0 || (count == 0 && qn_onnx_int(op, "noop_with_empty_axes", 0))) {
    qn_onnx_alias(op, qn_graph_output(op, 0), qn_graph_input(op, 0));
    return;
  }
  if (!sort_axes(op, axes, &count, x.tensor->shape.rank)) return;
  qn_graph_tensor *in = qn_graph_input(op, 0);
  if (in->dtype != QN_GRAPH_FLOAT32 || qn_graph_elements(&in->shape) == 0) {
    reduce_plain(op, in, axes, count, keep);
    return;
  }
  qn_graph_shape shape = reduced(&x.tensor->shape, axes, count, keep);
  qn_onnx_recipe r = {.kind = op->row->kind,
                      .is_exact = x.element != NULL,
                      .in_doubles = x.element && op->row->kind != QN_OP_ML_REDUCE_MEAN,
                      .shape = shape,
                      .count = 1};
  qn_graph_attr_i64s(op, &r.attrs, "axes", axes, count);
  qn_graph_attr(&r.attrs, "keep_dims", qn_attr_bool(op->graph->cx, keep));
  r.operands[0] = qn_onnx_source_value(op, x, QN_ONNX_PLAIN);
  if (r.operands[0]) qn_onnx_leave(op, qn_graph_output(op, 0), QN_GRAPH_FLOAT32, &shape, &r);
}

void qn_onnx_import_reduce(qn_graph_op *op) { import_reduction(op, 18); }
void qn_onnx_import_reduce_sum(qn_graph_op *op) { import_reduction(op, 13); }

void qn_onnx_import_arg(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0);
  uint32_t axis;
  const bool keep = qn_onnx_int(op, "keepdims", 1) != 0;
  if (op->failed || !qn_graph_axis(op, qn_onnx_int(op, "axis", 0), x->shape.rank, &axis)) return;
  const bool is_last = qn_onnx_int(op, "select_last_index", 0) != 0;
  qn_value *v = qn_onnx_value(op, x);
  if (!v) return;
  const int64_t axes[] = {axis};
  qn_graph_shape shape = reduced(&x->shape, axes, 1, keep);
  qn_ir_context *cx = op->graph->cx;
  if (is_last)
    v = qn_graph_part(op, QN_OP_ML_REVERSE, qn_type_element(v->type), &x->shape, &v, 1,
                      QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}));
  v = qn_graph_part(
      op, op->row->kind, qn_type_i(cx, 64), &shape, &v, 1,
      QN_ATTRS({"axis", qn_attr_i64(cx, axis)}, {"keep_dims", qn_attr_bool(cx, keep)}));
  /* the index of the last maximum: size - 1 minus its index in the reversed tensor */
  if (is_last) {
    qn_value *last = qn_graph_const_number(op, qn_type_i(cx, 64), x->shape.dims[axis] - 1);
    v = qn_graph_part(op, QN_OP_ML_SUB, qn_type_i(cx, 64), &shape, (qn_value *[]){last, v}, 2,
                      NULL);
  }
  qn_onnx_define(op, qn_graph_output(op, 0), QN_GRAPH_INT64, &shape, v, QN_ONNX_PLAIN);
}
