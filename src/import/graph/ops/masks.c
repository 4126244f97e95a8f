/* Operators that select elements by position or comparison: MATRIX_DIAG, MATRIX_SET_DIAG,
 * REVERSE_SEQUENCE, UNSORTED_SEGMENT_*, SIGN, RELU_0_TO_1, BUCKETIZE. Each becomes several ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>

#include "import/graph/ops/ops.h"
#include "ir/ops/forms.h"

static const qn_type *boolean(qn_graph_op *op) { return qn_type_i(op->graph->cx, 1); }

/* ---- diagonals ---- */

/* A square matrix of booleans: true on the diagonal. */
static qn_value *diagonal(qn_graph_op *op, int64_t size) {
  const qn_graph_shape shape = {2, {size, size}};
  if (!qn_graph_spend(op, size * size)) return NULL;
  uint8_t *bits = qn_arena_alloc(&op->graph->cx->arena, (size_t)(size * size));
  memset(bits, 0, (size_t)(size * size));
  for (int64_t i = 0; i < size; i++) bits[i * size + i] = 1;
  return qn_graph_const(op, boolean(op), &shape, bits);
}

/* Matrices with the vectors on their diagonals and `other` elsewhere (NULL: zeros). */
static void build_diagonals(qn_graph_op *op, qn_graph_tensor *vectors, qn_graph_tensor *other,
                            const qn_graph_shape *shape) {
  qn_graph_tensor *y = qn_graph_output(op, 0);
  qn_graph_shape row = *shape;
  row.dims[row.rank - 2] = 1;
  if (!qn_graph_check_size(op, y, shape)) return;
  qn_value *x = qn_graph_value(op, vectors), *beside = NULL;
  if (!x) return;
  qn_value *is = diagonal(op, shape->dims[shape->rank - 1]);
  if (other)
    beside = qn_graph_value(op, other);
  else if (is)
    beside = qn_graph_const_number(op, qn_type_element(x->type), 0);
  qn_graph_attrs attrs = {0};
  if (!is || !beside) return;
  x = qn_graph_view(op, x, &row);
  qn_graph_build(op, QN_OP_ML_SELECT, (qn_value *[]){is, x, beside}, 3, &attrs, shape);
}

void qn_graph_import_diagonal(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed || !qn_graph_movable(op, x, y)) return;
  qn_graph_shape shape = x->shape;
  if (shape.rank == 0 || shape.rank == QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, x, QN_INVALID, "rank %u has no matrices", shape.rank);
    return;
  }
  shape.dims[shape.rank] = shape.dims[shape.rank - 1];
  shape.rank++;
  build_diagonals(op, x, NULL, &shape);
}

void qn_graph_import_set_diagonal(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *vectors = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  if (op->failed || !qn_graph_movable(op, x, y) || !qn_graph_movable(op, x, vectors)) return;
  uint32_t rank = x->shape.rank;
  bool fits = rank >= 2 && vectors->shape.rank == rank - 1;
  for (uint32_t i = 0; fits && i + 1 < rank; i++) fits = x->shape.dims[i] == vectors->shape.dims[i];
  if (!fits || x->shape.dims[rank - 1] != x->shape.dims[rank - 2]) {
    qn_graph_error(op, x, fits ? QN_UNSUPPORTED : QN_INVALID,
                   "square matrices and a vector for each are expected");
    return;
  }
  build_diagonals(op, vectors, x, &x->shape);
}

/* ---- REVERSE_SEQUENCE ---- */

/* Transposes x so that dimension `a` comes first and `b` second, or back. */
static qn_value *turned(qn_graph_op *op, qn_value *x, uint32_t a, uint32_t b, bool back) {
  int64_t perm[QN_GRAPH_MAX_RANK], inverse[QN_GRAPH_MAX_RANK];
  uint32_t rank = x->type->shaped.rank, count = 2;
  perm[0] = a, perm[1] = b;
  for (uint32_t i = 0; i < rank; i++)
    if (i != a && i != b) perm[count++] = i;
  for (uint32_t i = 0; i < rank; i++) inverse[perm[i]] = i;
  const int64_t *chosen = back ? inverse : perm;
  qn_graph_shape shape = {.rank = rank};
  for (uint32_t i = 0; i < rank; i++) shape.dims[i] = x->type->shaped.dims[chosen[i]];
  return qn_graph_part(op, QN_OP_ML_TRANSPOSE, qn_type_element(x->type), &shape, &x, 1,
                       QN_ATTRS({"perm", qn_attr_i64s(op->graph->cx, chosen, rank)}));
}

/* The source index of each position of a sequence: positions before its length are reversed. */
static qn_value *places(qn_graph_op *op, qn_value *lengths, int64_t batch, int64_t size) {
  const qn_type *index = qn_type_element(lengths->type);
  const qn_graph_shape row = {1, {size}}, column = {2, {batch, 1}}, all = {2, {batch, size}};
  qn_value *counted = qn_graph_counted(op, index, &row, 0);
  if (!counted) return NULL;
  lengths = qn_graph_view(op, lengths, &column);
  qn_value *inside = qn_graph_part(op, QN_OP_ML_LESS, boolean(op), &all,
                                   (qn_value *[]){counted, lengths}, 2, NULL);
  qn_value *last =
      qn_graph_part(op, QN_OP_ML_SUB, index, &column,
                    (qn_value *[]){lengths, qn_graph_const_number(op, index, 1)}, 2, NULL);
  qn_value *mirrored =
      qn_graph_part(op, QN_OP_ML_SUB, index, &all, (qn_value *[]){last, counted}, 2, NULL);
  return qn_graph_part(op, QN_OP_ML_SELECT, index, &all, (qn_value *[]){inside, mirrored, counted},
                       3, NULL);
}

void qn_graph_reverse_sequence(qn_graph_op *op, int64_t stated, int64_t stated_batch) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *lengths = qn_graph_input(op, 1),
                  *y = qn_graph_output(op, 0);
  uint32_t along, batch;
  if (op->failed || !qn_graph_movable(op, x, y) ||
      !qn_graph_axis(op, stated, x->shape.rank, &along) ||
      !qn_graph_axis(op, stated_batch, x->shape.rank, &batch))
    return;
  const qn_graph_shape row = {1, {x->shape.dims[batch]}};
  bool is_index = lengths->dtype == QN_GRAPH_INT32 || lengths->dtype == QN_GRAPH_INT64;
  if (along == batch || !is_index || !qn_graph_same_shape(&lengths->shape, &row)) {
    qn_graph_error(op, lengths, QN_INVALID,
                   "a length of int32 or int64 for each entry of another dimension is expected");
    return;
  }
  qn_value *value = qn_graph_value(op, x), *sizes = qn_graph_value(op, lengths);
  if (!value || !sizes) return;
  qn_value *at = places(op, sizes, x->shape.dims[batch], x->shape.dims[along]);
  if (!at) return;
  value = turned(op, value, batch, along, false);
  qn_graph_shape shape = {.rank = x->shape.rank};
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] = value->type->shaped.dims[i];
  value = qn_graph_part(op, QN_OP_ML_GATHER, qn_type_element(value->type), &shape,
                        (qn_value *[]){value, at}, 2,
                        QN_ATTRS({"axis", qn_attr_i64(cx, 1)}, {"batch_dims", qn_attr_i64(cx, 1)}));
  qn_graph_define(op, y, &x->shape, turned(op, value, batch, along, true));
}

/* ---- UNSORTED_SEGMENT_*: reduces the slices with a segment's index ---- */

/* The initial value of a segment, which also replaces slices of other segments. */
typedef struct beginning {
  qn_op_kind kind,
      join; /* the reduction; the op that combines its result with the initial value if necessary */
  float real;
  int32_t whole;
} beginning;
static const beginning beginnings[] = {{QN_OP_ML_REDUCE_SUM, QN_OP_UNREGISTERED, 0, 0},
                                       {QN_OP_ML_REDUCE_PROD, QN_OP_UNREGISTERED, 1, 1},
                                       {QN_OP_ML_REDUCE_MAX, QN_OP_ML_MAXIMUM, -FLT_MAX, INT32_MIN},
                                       {QN_OP_ML_REDUCE_MIN, QN_OP_ML_MINIMUM, FLT_MAX, INT32_MAX}};

/* Booleans [segments, slices, 1]: whether each slice belongs to each segment. */
static qn_value *belonging(qn_graph_op *op, qn_value *numbers, int64_t segments, int64_t slices) {
  const qn_type *index = qn_type_element(numbers->type);
  const qn_graph_shape column = {3, {segments, 1, 1}}, row = {3, {1, slices, 1}},
                       all = {3, {segments, slices, 1}};
  qn_value *each = qn_graph_counted(op, index, &column, 0);
  if (!each) return NULL;
  numbers = qn_graph_view(op, numbers, &row);
  return qn_graph_part(op, QN_OP_ML_EQUAL, boolean(op), &all, (qn_value *[]){each, numbers}, 2,
                       NULL);
}

void qn_graph_import_segments(qn_graph_op *op) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *numbers = qn_graph_input(op, 1),
                  *count = qn_graph_input(op, 2), *y = qn_graph_output(op, 0);
  int64_t segments;
  if (op->failed || !qn_graph_movable(op, x, y) || !qn_graph_scalar(op, count, &segments) ||
      !qn_graph_has_elements(op, x))
    return;
  uint32_t lead = numbers->shape.rank;
  bool fits = lead > 0 && lead <= x->shape.rank && segments > 0 && segments <= INT32_MAX &&
              numbers->dtype == QN_GRAPH_INT32;
  for (uint32_t i = 0; fits && i < lead; i++) fits = x->shape.dims[i] == numbers->shape.dims[i];
  if (!fits || (x->dtype != QN_GRAPH_FLOAT32 && x->dtype != QN_GRAPH_INT32)) {
    qn_graph_error(op, numbers, fits ? QN_UNSUPPORTED : QN_INVALID,
                   "slices of float32 or int32 and a number of int32 for each are expected");
    return;
  }
  qn_graph_shape shape = {1, {segments}};
  int64_t slices = qn_graph_elements(&numbers->shape);
  for (uint32_t i = lead; i < x->shape.rank; i++) shape.dims[shape.rank++] = x->shape.dims[i];
  int64_t inner = qn_graph_elements(&x->shape) / slices;
  const qn_graph_shape given = {3, {1, slices, inner}}, all = {3, {segments, slices, inner}},
                       reduced = {2, {segments, inner}};
  if (!qn_graph_check_size(op, y, &all)) return;
  qn_value *value = qn_graph_value(op, x), *of = qn_graph_value(op, numbers);
  qn_value *is = value && of ? belonging(op, of, segments, slices) : NULL;
  if (!is) return;
  const qn_type *element = qn_type_element(value->type);
  const int64_t axes[] = {1};
  const qn_graph_shape one = {0}; /* a scalar */
  const beginning *start = beginnings;
  while (start->kind != op->row->kind) start++;
  bool is_float = element->kind == QN_TYPE_FLOAT;
  qn_value *none = is_float ? qn_graph_const(op, element, &one, &start->real)
                            : qn_graph_const(op, element, &one, &start->whole);
  value = qn_graph_view(op, value, &given);
  value =
      qn_graph_part(op, QN_OP_ML_SELECT, element, &all, (qn_value *[]){is, value, none}, 3, NULL);
  value = qn_graph_part(
      op, op->row->kind, element, &reduced, &value, 1,
      QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}, {"keep_dims", qn_attr_bool(cx, false)}));
  if (is_float && start->join != QN_OP_UNREGISTERED) /* infinities exceed the initial value */
    value = qn_graph_part(op, start->join, element, &reduced, (qn_value *[]){value, none}, 2, NULL);
  value = qn_graph_part(op, QN_OP_ML_RESHAPE, element, &shape, &value, 1, NULL);
  qn_graph_define(op, y, &shape, value);
}

/* ---- SIGN ---- */

/* 1, 0 or -1; NaN stays. */
void qn_graph_import_sign(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed || !qn_graph_movable(op, x, y)) return;
  if (x->dtype != QN_GRAPH_FLOAT32 && x->dtype != QN_GRAPH_INT32) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(x->dtype));
    return;
  }
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  qn_graph_build(op, QN_OP_ML_SIGN, &value, 1, &(qn_graph_attrs){0}, &x->shape);
}

/* ---- RELU_0_TO_1 ---- */

/* Clamps floats; values in range and NaN stay unchanged. */
static qn_value *clamped_reals(qn_graph_op *op, qn_value *x, const qn_graph_shape *shape) {
  static const qn_op_kind beyond[2] = {QN_OP_ML_GREATER, QN_OP_ML_LESS};
  static const float bounds[2] = {1, 0};
  const qn_graph_shape one = {0}; /* a scalar */
  const qn_type *element = qn_type_element(x->type);
  qn_value *y = x;
  for (uint32_t i = 0; i < 2; i++) {
    qn_value *bound = qn_graph_const(op, element, &one, &bounds[i]);
    qn_value *is =
        qn_graph_part(op, beyond[i], boolean(op), shape, (qn_value *[]){x, bound}, 2, NULL);
    y = qn_graph_part(op, QN_OP_ML_SELECT, element, shape, (qn_value *[]){is, bound, y}, 3, NULL);
  }
  return y;
}

void qn_graph_import_relu_0_to_1(qn_graph_op *op) {
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  if (op->failed || !qn_graph_matching(op, x, y, false)) return;
  qn_value *value = qn_graph_value(op, x);
  if (!value) return;
  const qn_graph_shape shape = x->shape;
  if (x->dtype == QN_GRAPH_FLOAT32) {
    qn_graph_define(op, y, &shape, clamped_reals(op, value, &shape));
    return;
  }
  qn_graph_q8 q8;
  if (!qn_graph_8bit(op, x) || !qn_graph_activation(op, y, &q8)) return;
  const qn_type *element = qn_graph_element_type(op->graph, op, y);
  if (!element) return;
  int64_t low, high;
  qn_storage_range(8, !q8.is_unsigned, &low, &high);
  double steps = fmin((double)roundf(1 / (float)q8.scale), 255);
  int64_t top = q8.zero_point + (int64_t)steps;
  value = qn_graph_part(op, QN_OP_ML_RELU, element, &shape, &value, 1, NULL);
  qn_value *bound = qn_graph_const_number(op, element, top > high ? high : top);
  value =
      qn_graph_part(op, QN_OP_ML_MINIMUM, element, &shape, (qn_value *[]){value, bound}, 2, NULL);
  qn_graph_define(op, y, &shape, value);
}

/* ---- BUCKETIZE: counts the boundaries that are not above an element ---- */

/* The boundaries as a row in an additional last dimension, for the comparison with all elements. */
static qn_value *boundaries_of(qn_graph_op *op, qn_graph_list list) {
  float *values = QN_NEW_ARRAY(&op->graph->arena, list.count + 1, float);
  for (uint32_t i = 0; i < list.count; i++) {
    values[i] = (float)qn_graph_real_at(list, i);
    if (i > 0 && !(values[i] > values[i - 1])) {
      qn_graph_error(op, NULL, QN_INVALID, "boundary %u is %g, not above the one before", i,
                     (double)values[i]);
      return NULL;
    }
  }
  if (list.count < 1) {
    qn_graph_error(op, NULL, QN_INVALID, "there are no boundaries");
    return NULL;
  }
  const qn_graph_shape row = {1, {list.count}};
  return qn_graph_const(op, qn_type_float(op->graph->cx, QN_F32), &row, values);
}

void qn_graph_bucketize(qn_graph_op *op, qn_graph_list boundaries) {
  qn_ir_context *cx = op->graph->cx;
  qn_graph_tensor *x = qn_graph_input(op, 0), *y = qn_graph_output(op, 0);
  const uint32_t count = boundaries.count;
  if (op->failed) return;
  if (x->dtype != QN_GRAPH_FLOAT32 && x->dtype != QN_GRAPH_INT32 && x->dtype != QN_GRAPH_INT64) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "%s is not supported here",
                   qn_graph_dtype_name(x->dtype));
    return;
  }
  if (y->dtype != QN_GRAPH_INT32) {
    qn_graph_error(op, y, QN_UNSUPPORTED, "it is %s where int32 is expected",
                   qn_graph_dtype_name(y->dtype));
    return;
  }
  qn_value *value = qn_graph_value(op, x), *row = value ? boundaries_of(op, boundaries) : NULL;
  qn_graph_shape column = x->shape, all;
  if (!value || !row) return;
  if (x->shape.rank + 1 > QN_GRAPH_MAX_RANK) {
    qn_graph_error(op, x, QN_UNSUPPORTED, "rank %u is not supported here", x->shape.rank);
    return;
  }
  column.dims[column.rank++] = 1;
  all = column;
  all.dims[all.rank - 1] = count;
  if (!qn_graph_check_size(op, y, &all) || !qn_graph_spend(op, count)) return;
  const qn_type *f32 = qn_type_float(cx, QN_F32), *i32 = qn_type_i(cx, 32);
  if (x->dtype != QN_GRAPH_FLOAT32)
    value = qn_graph_part(op, QN_OP_ML_CAST, f32, &x->shape, &value, 1, NULL);
  value = qn_graph_view(op, value, &column);
  value = qn_graph_part(op, QN_OP_ML_GREATER_EQUAL, boolean(op), &all, (qn_value *[]){value, row},
                        2, NULL);
  value = qn_graph_part(op, QN_OP_ML_CAST, i32, &all, &value, 1, NULL);
  const int64_t axes[] = {x->shape.rank};
  value = qn_graph_part(
      op, QN_OP_ML_REDUCE_SUM, i32, &x->shape, &value, 1,
      QN_ATTRS({"axes", qn_attr_i64s(cx, axes, 1)}, {"keep_dims", qn_attr_bool(cx, false)}));
  qn_graph_define(op, y, &x->shape, value);
}
