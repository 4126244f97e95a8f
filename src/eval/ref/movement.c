/* Ops that move elements without reading them as numbers: constants, padding, views, transposes,
 * slices, gather (docs/arithmetic.md 10).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

static qn_status constant(qn_eval *ev, const qn_op *op) {
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  if (!value || !qn_attr_is_elements(value)) return qn_eval_fail(ev, op, "needs a dense value");
  qn_bytes bytes = value->dense.bytes;
  size_t element = qn_type_bytes(qn_type_element(y->type)), size = (size_t)y->size;
  if (value->dense.splat && bytes.size == element) {
    for (size_t at = 0; at < size; at += element) memcpy(y->data + at, bytes.data, element);
  } else if (bytes.size == size) {
    if (size > 0) memcpy(y->data, bytes.data, size);
  } else {
    return qn_eval_fail(ev, op, "has a value of %zu bytes for a tensor of %zu", bytes.size, size);
  }
  return QN_OK;
}

static qn_status copy(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  if (x->size != y->size) return qn_eval_fail(ev, op, "has a result of another size");
  memcpy(y->data, x->data, (size_t)y->size);
  return QN_OK;
}

/* ---- strided copies: transpose, slice, pad ---- */

/* A box of elements that is read or written with strides, in elements. */
typedef struct box {
  uint32_t rank;
  const int64_t *dims;
  int64_t *strides, *index;
  int64_t at; /* element index of the first, then of the current element */
} box;

static box box_of(qn_eval *ev, uint32_t rank, const int64_t *dims) {
  return (box){.rank = rank,
               .dims = dims,
               .strides = QN_NEW_ARRAY(ev->arena, rank + 1, int64_t),
               .index = QN_NEW_ARRAY(ev->arena, rank + 1, int64_t)};
}

static void box_advance(box *b) {
  for (uint32_t d = b->rank; d-- > 0;) {
    b->at += b->strides[d];
    if (++b->index[d] < b->dims[d]) return;
    b->at -= b->dims[d] * b->strides[d];
    b->index[d] = 0;
  }
}

/* Row-major strides of a shape. */
static int64_t *strides_of(qn_eval *ev, const qn_type *type) {
  int64_t *strides = QN_NEW_ARRAY(ev->arena, type->shaped.rank + 1, int64_t), stride = 1;
  for (uint32_t d = type->shaped.rank; d-- > 0; stride *= type->shaped.dims[d]) strides[d] = stride;
  return strides;
}

static qn_status check_same_elements(qn_eval *ev, const qn_op *op) {
  const qn_type *x = qn_ref_operand_type(op, 0), *y = qn_ref_result_type(op, 0);
  if (x->shaped.rank == y->shaped.rank &&
      qn_type_bytes(qn_type_element(x)) == qn_type_bytes(qn_type_element(y)))
    return QN_OK;
  return qn_eval_fail(ev, op, "changes rank or element size");
}

/* Copies x through the box to y in order. */
static void gather(const qn_rt_value *x, box from, qn_rt_value *y) {
  size_t element = qn_type_bytes(qn_type_element(y->type));
  for (int64_t i = 0, n = qn_rt_count(y); i < n; i++, box_advance(&from)) {
    memcpy(y->data + (size_t)i * element, x->data + (size_t)from.at * element, element);
    qn_guard_work(1);
  }
}

static qn_status transpose(qn_eval *ev, const qn_op *op) {
  const qn_type *x = qn_ref_operand_type(op, 0), *y = qn_ref_result_type(op, 0);
  uint32_t rank = x->shaped.rank;
  const int64_t *perm;
  QN_TRY(check_same_elements(ev, op));
  QN_TRY(qn_ref_i64s(ev, op, QN_A_PERM, rank, 0, &perm));
  box from = box_of(ev, rank, y->shaped.dims);
  const int64_t *strides = strides_of(ev, x);
  bool *seen = QN_NEW_ARRAY(ev->arena, rank + 1, bool);
  for (uint32_t d = 0; d < rank; d++) {
    if (perm[d] >= rank || seen[perm[d]] || y->shaped.dims[d] != x->shaped.dims[perm[d]])
      return qn_eval_fail(ev, op, "has a permutation that does not give the result's shape");
    seen[perm[d]] = true;
    from.strides[d] = strides[perm[d]];
  }
  gather(qn_eval_operand(ev, op, 0), from, qn_eval_result(ev, op, 0));
  return QN_OK;
}

static qn_status slice(qn_eval *ev, const qn_op *op) {
  const qn_type *x = qn_ref_operand_type(op, 0), *y = qn_ref_result_type(op, 0);
  uint32_t rank = x->shaped.rank;
  const int64_t *begin, *stride;
  QN_TRY(check_same_elements(ev, op));
  QN_TRY(qn_ref_i64s(ev, op, QN_A_BEGIN, rank, 0, &begin));
  QN_TRY(qn_ref_i64s(ev, op, QN_A_STRIDE, rank, -INT32_MAX, &stride));
  box from = box_of(ev, rank, y->shaped.dims);
  const int64_t *strides = strides_of(ev, x);
  bool empty = qn_type_elements(y) == 0;
  for (uint32_t d = 0; d < rank && !empty; d++) {
    int64_t last = begin[d] + (y->shaped.dims[d] - 1) * stride[d];
    if (begin[d] >= x->shaped.dims[d] || last < 0 || last >= x->shaped.dims[d])
      return qn_eval_fail(ev, op, "leaves its input in dimension %u", d);
    from.at += begin[d] * strides[d];
    from.strides[d] = stride[d] * strides[d];
  }
  gather(qn_eval_operand(ev, op, 0), from, qn_eval_result(ev, op, 0));
  return QN_OK;
}

static qn_status pad(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  uint32_t rank = x->type->shaped.rank;
  const int64_t *amounts;
  int64_t value = plan->moves.pad_value;
  QN_TRY(check_same_elements(ev, op));
  QN_TRY(qn_ref_i64s(ev, op, QN_A_PAD, 2 * rank, 0, &amounts));
  box to = box_of(ev, rank, x->type->shaped.dims);
  to.strides = strides_of(ev, y->type);
  for (uint32_t d = 0; d < rank; d++) {
    if (x->type->shaped.dims[d] + amounts[2 * d] + amounts[2 * d + 1] != y->type->shaped.dims[d])
      return qn_eval_fail(ev, op, "has a result of the wrong size in dimension %u", d);
    to.at += amounts[2 * d] * to.strides[d];
  }
  size_t element = qn_type_bytes(qn_type_element(y->type));
  bool is_float = qn_type_element(y->type)->kind == QN_TYPE_FLOAT;
  for (int64_t i = 0, n = qn_rt_count(y); i < n; i++) {
    if (is_float)
      qn_rt_set_float(y, i, plan->moves.pad_real);
    else
      qn_rt_set_int(y, i, value);
    qn_guard_work(1);
  }
  for (int64_t i = 0, n = qn_rt_count(x); i < n; i++, box_advance(&to))
    memcpy(y->data + (size_t)to.at * element, x->data + (size_t)i * element, element);
  return QN_OK;
}

static qn_status rows_to_depth(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *x = qn_eval_operand(ev, op, 0);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  const int64_t *in = x->type->shaped.dims, *out = y->type->shaped.dims, *pad;
  const int64_t rows = qn_op_joined_rows(op), step = qn_op_row_step(op);
  QN_TRY(check_same_elements(ev, op));
  QN_TRY(qn_ref_i64s(ev, op, QN_A_PAD, 4, 0, &pad));
  if (x->type->shaped.rank != 4) return qn_eval_fail(ev, op, "needs an image");
  const int64_t depth = in[3];
  bool fits = out[0] == in[0] && out[3] == rows * depth && out[2] == in[2] + pad[2] + pad[3];
  if (!fits) return qn_eval_fail(ev, op, "has a result of another shape");
  memset(y->data, (uint8_t)qn_op_pad_value(op), (size_t)y->size);
  for (int64_t n = 0; n < out[0]; n++)
    for (int64_t i = 0; i < out[1]; i++)
      for (int64_t r = 0; r < rows; r++) {
        int64_t row = i * step + r - pad[0];
        if (row < 0 || row >= in[1]) continue;
        const uint8_t *from = x->data + (n * in[1] + row) * in[2] * depth;
        uint8_t *to = y->data + (((n * out[1] + i) * out[2] + pad[2]) * rows + r) * depth;
        for (int64_t j = 0; j < in[2]; j++)
          memcpy(to + j * rows * depth, from + j * depth, (size_t)depth);
        qn_guard_work(in[2]);
      }
  return QN_OK;
}

qn_status qn_eval_ml_const(qn_eval *ev, const qn_op *op) { return qn_ref_run(ev, op, constant); }
qn_status qn_eval_ml_reshape(qn_eval *ev, const qn_op *op) { return qn_ref_run(ev, op, copy); }
qn_status qn_eval_ml_squeeze(qn_eval *ev, const qn_op *op) { return qn_ref_run(ev, op, copy); }
qn_status qn_eval_ml_expand_dims(qn_eval *ev, const qn_op *op) { return qn_ref_run(ev, op, copy); }
qn_status qn_eval_ml_transpose(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, transpose);
}
qn_status qn_eval_ml_slice_by_index(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, slice);
}
qn_status qn_eval_ml_rows_to_depth(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, rows_to_depth);
}
qn_status qn_eval_ml_pad(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, pad); }

/* ---- gather ---- */

/* Number of elements of dimensions [from, to). */
static int64_t extent(const qn_type *type, int64_t from, int64_t to) {
  int64_t n = 1;
  for (int64_t d = from; d < to; d++) n *= type->shaped.dims[d];
  return n;
}

/* Gathers; an index out of bounds is clamped to its dimension. */
static qn_status take(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  (void)plan;
  const qn_rt_value *x = qn_eval_operand(ev, op, 0), *indices = qn_eval_operand(ev, op, 1);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  const qn_type *type = x->type;
  int64_t axis = qn_op_axis(op), batch = qn_op_batch_dims(op), rank = type->shaped.rank;
  if (axis >= rank || batch > axis || batch > indices->type->shaped.rank)
    return qn_eval_fail(ev, op, "has an axis out of range");
  int64_t batches = extent(type, 0, batch), outer = extent(type, batch, axis),
          size = type->shaped.dims[axis];
  int64_t inner = extent(type, axis + 1, rank) * qn_type_bytes(qn_type_element(type));
  int64_t count = extent(indices->type, batch, indices->type->shaped.rank), to = 0;
  if (batches * outer * count * inner != y->size || batches * count != qn_rt_count(indices))
    return qn_eval_fail(ev, op, "has a result of the wrong size");
  for (int64_t b = 0; b < batches; b++)
    for (int64_t o = 0; o < outer; o++)
      for (int64_t i = 0; i < count; i++, to++) {
        int64_t at = qn_rt_int(indices, b * count + i);
        at = at < 0 ? 0 : at >= size ? size - 1 : at;
        memcpy(y->data + to * inner, x->data + ((b * outer + o) * size + at) * inner,
               (size_t)inner);
      }
  return QN_OK;
}
qn_status qn_eval_ml_gather(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, take); }
