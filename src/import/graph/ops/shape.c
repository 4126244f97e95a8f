/* RESHAPE, SQUEEZE, EXPAND_DIMS, TRANSPOSE: equal elements in another shape. Stored values do not
 * change, as in the runtime's kernels, even if the file has unequal scales of input and output.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/ops.h"

/* Input 0, which must have the type of output 0. */
static bool open_copy(qn_graph_op *op, qn_graph_tensor **out_x) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  *out_x = x;
  return !op->failed && qn_graph_movable(op, x, y);
}

static void build_copy(qn_graph_op *op, qn_graph_tensor *x, qn_graph_attrs *attrs,
                       const qn_graph_shape *shape) {
  qn_value *value = qn_graph_value(op, x);
  if (value) qn_graph_build(op, op->row->kind, &value, 1, attrs, shape);
}

/* Reads the target shape: operand 1, else the options. In very old files [0] means a scalar. */
static bool target_shape(qn_graph_op *op, qn_graph_list stated, int64_t values[QN_GRAPH_MAX_RANK],
                         uint32_t *out_count) {
  qn_graph_tensor *operand = qn_graph_input(op, 1);
  if (op->failed) return false;
  if (operand) return qn_graph_stated_sizes(op, operand, qn_graph_output(op, 0), values, out_count);
  if (stated.count > QN_GRAPH_MAX_RANK)
    return qn_graph_error(op, NULL, QN_LIMIT, "rank %u is above the limit of %d", stated.count,
                          QN_GRAPH_MAX_RANK);
  *out_count = stated.count;
  for (uint32_t i = 0; i < stated.count; i++) values[i] = qn_graph_int_at(stated, i);
  if (stated.count == 1 && values[0] == 0) *out_count = 0;
  return true;
}

/* Replaces the file's batch size in the target by the new one. */
static void follow_batch(const qn_graph *graph, qn_graph_shape *shape) {
  bool fixed = graph->options->rebatch && shape->rank > 0 && shape->dims[0] == graph->stored_batch;
  if (fixed) shape->dims[0] = graph->batch;
}

/* Resolves one -1 in the target from the number of elements. */
static bool resolve_target(qn_graph_op *op, const qn_graph_tensor *x, qn_graph_shape *shape) {
  follow_batch(op->graph, shape);
  int64_t elements = qn_graph_elements(&x->shape), known = 1;
  int free_dim = -1;
  for (uint32_t i = 0; i < shape->rank; i++) {
    int64_t d = shape->dims[i];
    if (d == -1 && free_dim < 0) {
      free_dim = (int)i;
    } else if (d < 1 || d > elements / known) {
      known = 0;
      break;
    } else {
      known *= d;
    }
  }
  if (known == 0 || elements % known != 0 || (free_dim < 0 && known != elements)) {
    qn_str text = qn_graph_shape_text(op->graph, shape);
    return qn_graph_error(op, x, QN_INVALID, "%lld elements do not fit the shape %.*s%s",
                          (long long)elements, QN_STR_ARG(text),
                          op->graph->rebound ? ", which the file fixes for its own batch size"
                                             : "");
  }
  if (free_dim >= 0) shape->dims[free_dim] = elements / known;
  return true;
}

void qn_graph_reshape(qn_graph_op *op, qn_graph_list stated) {
  qn_graph_tensor *x;
  qn_graph_shape shape = {0};
  qn_graph_attrs attrs = {0};
  if (!open_copy(op, &x) || !target_shape(op, stated, shape.dims, &shape.rank) ||
      !resolve_target(op, x, &shape))
    return;
  build_copy(op, x, &attrs, &shape);
}

void qn_graph_squeeze(qn_graph_op *op, qn_graph_list stated) {
  qn_graph_tensor *x;
  if (!open_copy(op, &x)) return;
  bool drop[QN_GRAPH_MAX_RANK] = {false};
  for (uint32_t i = 0; i < x->shape.rank; i++) drop[i] = stated.count == 0 && x->shape.dims[i] == 1;
  for (uint32_t i = 0; i < stated.count; i++) {
    uint32_t axis;
    if (!qn_graph_axis(op, qn_graph_int_at(stated, i), x->shape.rank, &axis)) return;
    if (x->shape.dims[axis] != 1) {
      qn_graph_error(op, x, QN_INVALID, "dimension %u is %lld; only 1 can be dropped", axis,
                     (long long)x->shape.dims[axis]);
      return;
    }
    drop[axis] = true;
  }
  int64_t axes[QN_GRAPH_MAX_RANK];
  uint32_t count = 0;
  qn_graph_shape shape = {0};
  for (uint32_t i = 0; i < x->shape.rank; i++) {
    if (drop[i])
      axes[count++] = i;
    else
      shape.dims[shape.rank++] = x->shape.dims[i];
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axes", qn_attr_i64s(op->graph->cx, axes, count));
  build_copy(op, x, &attrs, &shape);
}

void qn_graph_import_expand_dims(qn_graph_op *op) {
  qn_graph_tensor *x, *operand = qn_graph_input(op, 1);
  int64_t axis;
  uint32_t count, at;
  if (!open_copy(op, &x) || !qn_graph_ints(op, operand, 1, &axis, &count)) return;
  if (x->shape.rank == QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, x, QN_LIMIT, "the result's rank is above the limit of %d",
                   QN_GRAPH_MAX_RANK);
    return;
  }
  if (!qn_graph_axis(op, axis, x->shape.rank + 1, &at)) return;
  qn_graph_shape shape = {0};
  for (uint32_t i = 0; i <= x->shape.rank; i++)
    shape.dims[i] = i == at ? 1 : x->shape.dims[i - (i > at)];
  shape.rank = x->shape.rank + 1;
  int64_t resolved = at;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axes", qn_attr_i64s(op->graph->cx, &resolved, 1));
  build_copy(op, x, &attrs, &shape);
}

void qn_graph_import_transpose(qn_graph_op *op) {
  qn_graph_tensor *x, *operand = qn_graph_input(op, 1);
  int64_t perm[QN_GRAPH_MAX_RANK];
  uint32_t count, seen = 0;
  if (!open_copy(op, &x) || !qn_graph_ints(op, operand, QN_GRAPH_MAX_RANK, perm, &count)) return;
  qn_graph_shape shape = {x->shape.rank, {0}};
  for (uint32_t i = 0; i < count && count == x->shape.rank; i++) {
    uint32_t from;
    if (!qn_graph_axis(op, perm[i], count, &from)) return;
    perm[i] = from;
    seen |= 1u << from;
    shape.dims[i] = x->shape.dims[from];
  }
  if (count != x->shape.rank || seen != (1u << count) - 1) {
    qn_graph_error(op, operand, QN_INVALID, "no permutation of %u dimensions", x->shape.rank);
    return;
  }
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "perm", qn_attr_i64s(op->graph->cx, perm, count));
  build_copy(op, x, &attrs, &shape);
}
