/* Operators with indices: ONE_HOT, EMBEDDING_LOOKUP, TOPK_V2, SCATTER_ND, DYNAMIC_UPDATE_SLICE,
 * CUMSUM, WHERE. Some become several ops: comparisons with a row of counted indices, and
 * selections.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/graph/ops/ops.h"
#include "ir/ops/forms.h"

static const qn_type *boolean(qn_graph_op *op) { return qn_type_i(op->graph->cx, 1); }

static bool check_index(qn_graph_op *op, const qn_graph_tensor *tensor) {
  return tensor->dtype == QN_GRAPH_INT32 || tensor->dtype == QN_GRAPH_INT64 ||
         qn_graph_error(op, tensor, QN_UNSUPPORTED, "it is %s where int32 or int64 is expected",
                        qn_graph_dtype_name(tensor->dtype));
}

/* Limits the row length, because each element is compared with all others. */
static bool check_row(qn_graph_op *op, const qn_graph_tensor *x, int64_t size) {
  if (!qn_graph_has_elements(op, x)) return false;
  return size <= QN_ML_LONGEST_ROW ||
         qn_graph_error(op, x, QN_LIMIT, "rows of %lld elements are longer than the limit of %d",
                        (long long)size, QN_ML_LONGEST_ROW);
}

/* ---- ONE_HOT ---- */

static void insert(qn_graph_shape *shape, uint32_t at, int64_t size) {
  for (uint32_t i = shape->rank++; i > at; i--) shape->dims[i] = shape->dims[i - 1];
  shape->dims[at] = size;
}

void qn_graph_one_hot(qn_graph_op *op, int64_t stated) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *count = qn_graph_input(op, 1),
                  *on = qn_graph_input(op, 2), *off = qn_graph_input(op, 3),
                  *y = qn_graph_output(op, 0);
  int64_t depth;
  if (op->failed || !check_index(op, x) || !qn_graph_scalar(op, count, &depth) ||
      !qn_graph_movable(op, on, off) || !qn_graph_movable(op, on, y))
    return;
  if (qn_graph_elements(&on->shape) != 1 || qn_graph_elements(&off->shape) != 1 ||
      qn_graph_elements(&x->shape) == 0) {
    qn_graph_error(op, on, QN_INVALID, "indices, and one element for on and for off are expected");
    return;
  }
  uint32_t axis = x->shape.rank;
  if (x->shape.rank == QN_GRAPH_MAX_RANK || depth < 1 || depth > QN_GRAPH_MAX_TENSOR_BYTES) {
    qn_graph_error(op, count, QN_UNSUPPORTED, "depth %lld is not supported", (long long)depth);
    return;
  }
  if (stated != -1 && !qn_graph_axis(op, stated, axis + 1, &axis)) return;
  qn_graph_shape shape = x->shape;
  insert(&shape, axis, depth);
  if (!qn_graph_check_size(op, y, &shape)) return;
  qn_value *values[] = {qn_graph_value(op, x), qn_graph_value(op, on), qn_graph_value(op, off)};
  if (!values[0] || !values[1] || !values[2]) return;
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axis", qn_attr_i64(op->graph->cx, axis));
  qn_graph_attr(&attrs, "depth", qn_attr_i64(op->graph->cx, depth));
  qn_graph_build(op, QN_OP_ML_ONE_HOT, values, 3, &attrs, &shape);
}

/* ---- EMBEDDING_LOOKUP ---- */

/* Looks up rows of a quantized table as floats. Rows may have separate scales, so the table is
 * dequantized first. */
static void build_hybrid_embedding(qn_graph_op *op, qn_graph_tensor *ids, qn_graph_tensor *x,
                                   const qn_graph_shape *shape) {
  qn_ir_context *cx = op->graph->cx;
  const qn_type *f32 = qn_type_float(cx, QN_F32), *rows = qn_graph_weights_type(op, x, 0);
  if (!rows) return;
  qn_value *operands[2];
  operands[0] = qn_graph_constant(op, x, qn_graph_shaped(op->graph, rows, &x->shape));
  operands[1] = qn_graph_value(op, ids);
  if (op->failed || !qn_graph_check_size(op, qn_graph_output(op, 0), shape)) return;
  bool each = qn_type_quant(rows)->scheme == QN_PER_AXIS;
  if (each) operands[0] = qn_graph_part(op, QN_OP_QUANT_DCAST, f32, &x->shape, operands, 1, NULL);
  qn_value *y = qn_graph_part(op, QN_OP_ML_GATHER, each ? f32 : rows, shape, operands, 2,
                              QN_ATTRS({"axis", qn_attr_i64(cx, 0)}));
  if (!each) y = qn_graph_part(op, QN_OP_QUANT_DCAST, f32, shape, &y, 1, NULL);
  qn_graph_define(op, qn_graph_output(op, 0), shape, y);
}

/* Operands: indices, table. */
void qn_graph_import_embedding(qn_graph_op *op) {
  qn_graph_tensor *ids = qn_graph_input(op, 0), *x = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  if (op->failed) return;
  bool hybrid = qn_graph_is_quantized(x) && y->dtype == QN_GRAPH_FLOAT32;
  if (!hybrid && !qn_graph_movable(op, x, y)) return;
  if (ids->dtype != QN_GRAPH_INT32 || ids->shape.rank != 1 || x->shape.rank == 0) {
    qn_graph_error(op, ids, QN_INVALID, "it must be a vector of int32 for a table of rows");
    return;
  }
  qn_graph_shape shape = x->shape;
  shape.dims[0] = ids->shape.dims[0];
  if (hybrid) {
    build_hybrid_embedding(op, ids, x, &shape);
    return;
  }
  qn_value *operands[] = {qn_graph_value(op, x), qn_graph_value(op, ids)};
  qn_graph_attrs attrs = {0};
  qn_graph_attr(&attrs, "axis", qn_attr_i64(op->graph->cx, 0));
  if (!op->failed) qn_graph_build(op, QN_OP_ML_GATHER, operands, 2, &attrs, &shape);
}

/* ---- TOPK_V2 ---- */

/* TOPK_V2: builds the indices of the k largest elements of each row, and gathers the values at
 * these indices. */
void qn_graph_import_top(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *count = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0), *at = qn_graph_output(op, 1);
  int64_t k;
  if (op->failed || !qn_graph_scalar(op, count, &k) || !qn_graph_movable(op, x, y) ||
      !check_index(op, at))
    return;
  uint32_t rank = x->shape.rank;
  if (rank == 0 || k < 1 || k > x->shape.dims[rank - 1]) {
    qn_graph_error(op, count, QN_INVALID, "a row has no %lld elements", (long long)k);
    return;
  }
  if (!check_row(op, x, x->shape.dims[rank - 1])) return;
  qn_value *value = qn_graph_value(op, x);
  const qn_type *index = qn_graph_element_type(op->graph, op, at);
  if (!value || !index) return;
  qn_graph_shape shape = x->shape;
  shape.dims[rank - 1] = k;
  if (!qn_graph_check_size(op, at, &shape)) return;
  qn_value *indices = qn_graph_part(op, QN_OP_ML_TOP_INDICES, index, &shape, &value, 1,
                                    QN_ATTRS({"k", qn_attr_i64(cx, k)}));
  const qn_type *element = qn_graph_element_type(op->graph, op, y);
  if (!element) return;
  qn_value *values = qn_graph_part(
      op, QN_OP_ML_GATHER, element, &shape, (qn_value *[]){value, indices}, 2,
      QN_ATTRS({"axis", qn_attr_i64(cx, rank - 1)}, {"batch_dims", qn_attr_i64(cx, rank - 1)}));
  qn_graph_define(op, y, &shape, values);
  qn_graph_define(op, at, &shape, indices);
}

/* ---- SCATTER_ND ---- */

/* Scatters booleans as counts: an element is true if at least one update that addresses it is true,
 * so if the sum of updates is not 0. */
static void scatter_booleans(qn_graph_op *op, qn_value **operands, const qn_graph_shape *given,
                             const qn_graph_shape *shape) {
  const qn_type *count = qn_type_i(op->graph->cx, 32);
  operands[1] = qn_graph_part(op, QN_OP_ML_CAST, count, given, &operands[1], 1, NULL);
  qn_value *sums = qn_graph_part(op, QN_OP_ML_SCATTER_ND, count, shape, operands, 2, NULL);
  qn_value *y = qn_graph_part(op, QN_OP_ML_CAST, boolean(op), shape, &sums, 1, NULL);
  qn_graph_define(op, qn_graph_output(op, 0), shape, y);
}

void qn_graph_import_scatter(qn_graph_op *op) {
  qn_graph_tensor *indices = qn_graph_input(op, 0), *updates = qn_graph_input(op, 1),
                  *sizes = qn_graph_input(op, 2), *y = qn_graph_output(op, 0);
  qn_graph_shape shape = {0}, given = {0};
  if (op->failed || !check_index(op, indices) || !qn_graph_movable(op, updates, y) ||
      !qn_graph_stated_sizes(op, sizes, y, shape.dims, &shape.rank) ||
      !qn_graph_check_size(op, y, &shape))
    return;
  uint32_t rank = indices->shape.rank;
  int64_t k = rank ? indices->shape.dims[rank - 1] : 0, points = 1;
  if (k < 1 || k > shape.rank || rank - 1 + shape.rank - k > QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, indices, QN_INVALID, "vectors of %lld indices for a result of rank %u",
                   (long long)k, shape.rank);
    return;
  }
  for (uint32_t i = 0; i + 1 < rank; i++) given.dims[given.rank++] = indices->shape.dims[i];
  for (uint32_t i = (uint32_t)k; i < shape.rank; i++) given.dims[given.rank++] = shape.dims[i];
  for (uint32_t i = 0; i + 1 < rank; i++) points *= indices->shape.dims[i];
  if (!qn_graph_same_shape(&given, &updates->shape)) {
    qn_str expected = qn_graph_shape_text(op->graph, &given);
    qn_graph_error(op, updates, QN_INVALID, "its shape must be %.*s", QN_STR_ARG(expected));
    return;
  }
  if (points > 0 && qn_graph_elements(&shape) > INT32_MAX / points) {
    qn_graph_error(op, y, QN_LIMIT, "%lld slices scattered over %lld elements are too many",
                   (long long)points, (long long)qn_graph_elements(&shape));
    return;
  }
  qn_value *operands[] = {qn_graph_value(op, indices), qn_graph_value(op, updates)};
  qn_graph_attrs attrs = {0};
  if (!operands[0] || !operands[1]) return;
  if (updates->dtype == QN_GRAPH_BOOL)
    scatter_booleans(op, operands, &given, &shape);
  else
    qn_graph_build(op, QN_OP_ML_SCATTER_ND, operands, 2, &attrs, &shape);
}

/* ---- DYNAMIC_UPDATE_SLICE ---- */

typedef struct update {
  qn_graph_op *op;
  qn_value *starts;     /* index where the update begins, per dimension */
  const qn_type *index; /* element type of `starts` */
  const qn_graph_shape *x;
  qn_graph_shape so_far; /* shape of `value` */
  qn_value *value,
      *inside; /* the update extended to the operand's dimensions; mask of its own elements */
} update;

static qn_value *number(update *u, int64_t value) {
  const qn_graph_shape one = {1, {1}};
  return qn_graph_counted(u->op, u->index, &one, value);
}

static qn_value *of_row(update *u, qn_op_kind kind, const qn_type *element, int64_t size,
                        qn_value *a, qn_value *b) {
  const qn_graph_shape row = {1, {size}};
  return a && b ? qn_graph_part(u->op, kind, element, &row, (qn_value *[]){a, b}, 2, NULL) : NULL;
}

/* Index along dimension d minus the start of the update. The start is first clamped to [0, size -
 * given], so that the update is inside of the tensor. */
static qn_value *distances(update *u, uint32_t d, int64_t size, int64_t given) {
  qn_ir_context *cx = u->op->graph->cx;
  const qn_graph_shape one = {1, {1}}, row = {1, {size}};
  const int64_t begin[] = {d}, end[] = {d + 1}, stride[] = {1};
  qn_value *start = qn_graph_part(u->op, QN_OP_ML_SLICE_BY_INDEX, u->index, &one, &u->starts, 1,
                                  QN_ATTRS({"begin", qn_attr_i64s(cx, begin, 1)},
                                           {"end", qn_attr_i64s(cx, end, 1)},
                                           {"stride", qn_attr_i64s(cx, stride, 1)}));
  start = of_row(u, QN_OP_ML_MAXIMUM, u->index, 1, start, number(u, 0));
  start = of_row(u, QN_OP_ML_MINIMUM, u->index, 1, start, number(u, size - given));
  return of_row(u, QN_OP_ML_SUB, u->index, size, qn_graph_counted(u->op, u->index, &row, 0), start);
}

/* Extends u->value along dimension d to the size of the operand. u->inside becomes the mask of
 * positions that the update covers in all dimensions extended so far. */
static bool widen(update *u, uint32_t d) {
  int64_t size = u->x->dims[d], given = u->so_far.dims[d];
  qn_value *at = distances(u, d, size, given);
  qn_value *from = of_row(u, QN_OP_ML_GREATER_EQUAL, boolean(u->op), size, at, number(u, 0));
  qn_value *to = of_row(u, QN_OP_ML_LESS, boolean(u->op), size, at, number(u, given));
  qn_value *inside = of_row(u, QN_OP_ML_LOGICAL_AND, boolean(u->op), size, from, to);
  if (!inside) return false;
  u->so_far.dims[d] = size;
  u->value = qn_graph_part(u->op, QN_OP_ML_GATHER, qn_type_element(u->value->type), &u->so_far,
                           (qn_value *[]){u->value, at}, 2,
                           QN_ATTRS({"axis", qn_attr_i64(u->op->graph->cx, d)}));
  qn_graph_shape column = {u->x->rank - d, {size}}, all = column;
  for (uint32_t i = 1; i < column.rank; i++) column.dims[i] = 1;
  inside = qn_graph_view(u->op, inside, &column);
  if (u->inside) {
    const qn_type *other = u->inside->type;
    for (uint32_t i = 0; i < other->shaped.rank; i++) all.dims[i] = other->shaped.dims[i];
    all.rank = other->shaped.rank;
    all.dims[all.rank - column.rank] = size;
    inside = qn_graph_part(u->op, QN_OP_ML_LOGICAL_AND, boolean(u->op), &all,
                           (qn_value *[]){u->inside, inside}, 2, NULL);
  }
  u->inside = inside;
  return true;
}

void qn_graph_import_update_slice(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *given = qn_graph_input(op, 1),
                  *starts = qn_graph_input(op, 2), *y = qn_graph_output(op, 0);
  if (op->failed || !qn_graph_movable(op, x, given) || !qn_graph_movable(op, x, y) ||
      !check_index(op, starts))
    return;
  bool fits = given->shape.rank == x->shape.rank &&
              qn_graph_elements(&starts->shape) == x->shape.rank && x->shape.rank > 0;
  for (uint32_t d = 0; fits && d < x->shape.rank; d++)
    fits = given->shape.dims[d] <= x->shape.dims[d];
  if (!fits) {
    qn_graph_error(op, given, QN_INVALID, "it does not fit into the operand");
    return;
  }
  update u = {.op = op, .x = &x->shape, .so_far = given->shape};
  qn_value *operand = qn_graph_value(op, x);
  u.value = qn_graph_value(op, given);
  u.starts = qn_graph_value(op, starts);
  if (!operand || !u.value || !u.starts) return;
  u.index = qn_type_element(u.starts->type);
  for (uint32_t d = 0; d < x->shape.rank; d++)
    if (u.so_far.dims[d] != x->shape.dims[d] && !widen(&u, d)) return;
  qn_value *operands[] = {u.inside, u.value, operand};
  qn_graph_attrs attrs = {0};
  qn_graph_shape shape = x->shape;
  if (u.inside)
    qn_graph_build(op, QN_OP_ML_SELECT, operands, 3, &attrs, &shape);
  else
    qn_graph_build(op, QN_OP_ML_RESHAPE, &u.value, 1, &attrs, &shape);
}

/* ---- CUMSUM ---- */

/* is_reverse: sums from the end, by reversing the tensor before and after. */
void qn_graph_cumsum(qn_graph_op *op, bool is_exclusive, bool is_reverse) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *operand = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  int64_t stated;
  uint32_t axis;
  if (op->failed || !qn_graph_scalar(op, operand, &stated) || !qn_graph_movable(op, x, y) ||
      !qn_graph_axis(op, stated, x->shape.rank, &axis) || !check_row(op, x, x->shape.dims[axis]))
    return;
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  const int64_t axes[] = {axis};
  const qn_attr *exclusive = is_exclusive ? qn_attr_bool(cx, true) : NULL;
  const qn_type *element = qn_type_element(value->type);
  qn_graph_shape shape = x->shape;
  qn_graph_attrs attrs = {0};
  if (!is_reverse) {
    qn_graph_attr(&attrs, "axis", qn_attr_i64(cx, axis));
    qn_graph_attr(&attrs, "exclusive", exclusive);
    qn_graph_build(op, QN_OP_ML_CUMSUM, &value, 1, &attrs, &shape);
    return;
  }
  const qn_attr *backward = qn_attr_i64s(cx, axes, 1);
  value =
      qn_graph_part(op, QN_OP_ML_REVERSE, element, &shape, &value, 1, QN_ATTRS({"axes", backward}));
  value = qn_graph_part(op, QN_OP_ML_CUMSUM, element, &shape, &value, 1,
                        QN_ATTRS({"axis", qn_attr_i64(cx, axis)}, {"exclusive", exclusive}));
  qn_graph_attr(&attrs, "axes", backward);
  qn_graph_build(op, QN_OP_ML_REVERSE, &value, 1, &attrs, &shape);
}

/* ---- WHERE: the places of a constant that are not 0 ---- */

/* Whether stored element i is not 0; both float zeros count as 0. */
static bool holds(const qn_graph_tensor *x, size_t width, int64_t i) {
  uint8_t any = 0;
  for (size_t k = 0; k < width; k++) {
    bool is_sign = x->dtype == QN_GRAPH_FLOAT32 && k + 1 == width;
    uint8_t byte = x->data.data[(size_t)i * width + k];
    any |= is_sign ? byte & 0x7f : byte;
  }
  return any != 0;
}

/* Writes the positions, one row per non-zero element. */
static void write_places(const qn_graph_tensor *x, size_t width, uint8_t *out) {
  int64_t elements = qn_graph_elements(&x->shape);
  for (int64_t i = 0; i < elements; i++) {
    if (!holds(x, width, i)) continue;
    int64_t rest = i;
    for (uint32_t d = x->shape.rank; d-- > 0; rest /= x->shape.dims[d]) {
      int64_t at = rest % x->shape.dims[d];
      memcpy(out + d * sizeof at, &at, sizeof at);
    }
    out += x->shape.rank * sizeof(int64_t);
  }
}

void qn_graph_import_where(qn_graph_op *op) {
  static const uint8_t taken[] = {QN_GRAPH_FLOAT32, QN_GRAPH_INT32, QN_GRAPH_UINT8, QN_GRAPH_INT64,
                                  QN_GRAPH_BOOL,    QN_GRAPH_INT8,  QN_GRAPH_UINT32};
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed) return;
  bool is_taken = memchr(taken, x->dtype, sizeof taken) != NULL;
  size_t width = is_taken ? qn_graph_dtype_bits(x->dtype) / 8 : 0;
  int64_t elements = qn_graph_elements(&x->shape), found = 0;
  if (!width || y->dtype != QN_GRAPH_INT64) {
    qn_graph_error(op, width ? y : x, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(width ? y->dtype : x->dtype));
    return;
  }
  if (x->shape.rank == 0) {
    qn_graph_error(op, x, QN_INVALID, "a scalar has no places");
    return;
  }
  if (!x->data.size && elements > 0) {
    qn_graph_error(
        op, x, QN_UNSUPPORTED,
        "how many of its elements hold is known at run time alone, as it is no "
        "constant, and the shape of the result has to be known when a model is compiled");
    return;
  }
  if (x->data.size != (size_t)elements * width) {
    qn_graph_error(op, x, QN_INVALID, "its buffer has %zu bytes, its shape and type say %lld",
                   x->data.size, (long long)(elements * (int64_t)width));
    return;
  }
  if (!qn_graph_spend(op, elements)) return;
  for (int64_t i = 0; i < elements; i++) found += holds(x, width, i);
  const qn_graph_shape shape = {2, {found, x->shape.rank}};
  int64_t numbers = qn_graph_elements(&shape);
  if (!qn_graph_check_size(op, y, &shape) || !qn_graph_spend(op, numbers)) return;
  uint8_t *bytes = qn_arena_alloc(&op->graph->cx->arena, (size_t)numbers * sizeof(int64_t) + 1);
  write_places(x, width, bytes);
  qn_graph_become_constant(op, y, (qn_bytes){bytes, (size_t)numbers * sizeof(int64_t)}, &shape);
}
