/* Evaluators of the tensor and shape dialects, on static, dynamic and unranked shapes alike.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/checked.h"
#include "eval/eval_op.h"
#include "ir/ops/reshape.h"

/* ---- sizes ---- */

static qn_status set_index(qn_eval *ev, const qn_op *op, int64_t value) {
  qn_eval_result(ev, op, 0)->i = value;
  return QN_OK;
}

qn_status qn_eval_tensor_dim(qn_eval *ev, const qn_op *op) {
  const qn_type *type = qn_eval_operand(ev, op, 0)->type;
  int64_t d = qn_eval_operand(ev, op, 1)->i;
  if (d < 0 || d >= (int64_t)type->shaped.rank)
    return qn_eval_fail(ev, op, "asks for dimension %lld of %u", (long long)d, type->shaped.rank);
  return set_index(ev, op, type->shaped.dims[d]);
}

qn_status qn_eval_tensor_rank(qn_eval *ev, const qn_op *op) {
  return set_index(ev, op, qn_eval_operand(ev, op, 0)->type->shaped.rank);
}

/* ---- creation of tensors ---- */

/* The result with its declared type, in which the operands from `first` on replace the dynamic
 * sizes. */
static qn_status sized_result(qn_eval *ev, const qn_op *op, uint32_t first, qn_rt_value **out) {
  const qn_type *declared = op->results[0].type;
  uint32_t rank = declared->shaped.rank;
  qn_arena_mark mark = qn_arena_get_mark(&ev->cx->diag.scratch);
  int64_t *dims = QN_NEW_ARRAY(&ev->cx->diag.scratch, rank + 1, int64_t);
  for (uint32_t d = 0; d < rank; d++) {
    dims[d] = declared->shaped.dims[d];
    if (dims[d] != QN_DYNAMIC) continue;
    dims[d] = qn_eval_operand(ev, op, first++)->i;
    if (dims[d] < 0) return qn_eval_fail(ev, op, "has the size %lld", (long long)dims[d]);
  }
  const qn_type *type = qn_type_shaped(ev->cx, QN_TYPE_TENSOR, declared->shaped.element, true, rank,
                                       dims, declared->shaped.encoding, NULL);
  qn_arena_rewind(&ev->cx->diag.scratch, mark);
  return qn_eval_result_as(ev, op, 0, type, out);
}

qn_status qn_eval_tensor_splat(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *in = qn_eval_operand(ev, op, 0);
  qn_rt_value *out;
  uint8_t scratch[QN_SCALAR_BYTES];
  QN_TRY(sized_result(ev, op, 1, &out));
  uint32_t bytes = qn_type_bytes(in->type);
  const uint8_t *element = qn_rt_bytes(in, scratch);
  for (int64_t i = 0, n = qn_rt_count(out); i < n; i++)
    memcpy(out->data + i * bytes, element, bytes);
  return QN_OK;
}

qn_status qn_eval_tensor_empty(qn_eval *ev, const qn_op *op) {
  qn_rt_value *out;
  QN_TRY(sized_result(ev, op, 0, &out));
  if (out->size > 0) memset(out->data, 0, (size_t)out->size);
  return QN_OK;
}

qn_status qn_eval_tensor_from_elements(qn_eval *ev, const qn_op *op) {
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  uint32_t bytes = qn_type_bytes(qn_type_element(out->type));
  for (uint32_t i = 0; i < op->operand_count; i++) {
    uint8_t scratch[QN_SCALAR_BYTES];
    memcpy(out->data + (size_t)i * bytes, qn_rt_bytes(qn_eval_operand(ev, op, i), scratch), bytes);
  }
  return QN_OK;
}

/* ---- ops that keep all elements ---- */

static qn_status copy_as(qn_eval *ev, const qn_op *op, const qn_type *type) {
  const qn_rt_value *in = qn_eval_operand(ev, op, 0);
  qn_rt_value *out;
  QN_TRY(qn_eval_result_as(ev, op, 0, type, &out));
  if (out->size != in->size)
    return qn_eval_fail(ev, op, "makes %lld elements of %lld", (long long)qn_rt_count(out),
                        (long long)qn_rt_count(in));
  if (in->size > 0) memcpy(out->data, in->data, (size_t)in->size);
  return QN_OK;
}

qn_status qn_eval_tensor_cast(qn_eval *ev, const qn_op *op) {
  return copy_as(ev, op, qn_eval_operand(ev, op, 0)->type);
}

/* The dimension whose size is open (-1 in the shape); -1 if none. */
static qn_status find_open(qn_eval *ev, const qn_op *op, const int64_t *dims, int64_t rank,
                           int64_t *out_open) {
  *out_open = -1;
  for (int64_t d = 0; d < rank; d++) {
    if (dims[d] != QN_OPEN_SIZE) continue;
    if (*out_open >= 0) return qn_eval_fail(ev, op, "leaves two sizes open");
    *out_open = d;
  }
  return QN_OK;
}

/* Computes the open size from the number of elements and the other sizes. */
static qn_status close_size(qn_eval *ev, const qn_op *op, int64_t rank, int64_t *dims) {
  int64_t open, others = 1, elements = qn_rt_count(qn_eval_operand(ev, op, 0));
  QN_TRY(find_open(ev, op, dims, rank, &open));
  if (open < 0) return QN_OK;
  for (int64_t d = 0; d < rank; d++)
    if (d != open && !qn_checked_mul(others, dims[d], &others))
      return qn_eval_fail(ev, op, "has more elements than an index can count");
  if (others == 0) return qn_eval_fail(ev, op, "leaves a size open beside one of 0");
  dims[open] = elements / others;
  if (elements % others == 0) return QN_OK;
  return qn_eval_fail(ev, op, "leaves a size open, but %lld is no multiple of %lld",
                      (long long)elements, (long long)others);
}

/* Reads `rank` sizes from the shape operand. A size of -1 in a constant shape is computed. */
static qn_status read_sizes(qn_eval *ev, const qn_op *op, int64_t rank, int64_t *dims) {
  const qn_rt_value *shape = qn_eval_operand(ev, op, 1);
  bool may_be_open = qn_reshape_shape_is_constant(op);
  for (int64_t d = 0; d < rank; d++) {
    dims[d] = qn_rt_int(shape, d);
    if (dims[d] < 0 && !(may_be_open && dims[d] == QN_OPEN_SIZE))
      return qn_eval_fail(ev, op, "has the size %lld", (long long)dims[d]);
  }
  return close_size(ev, op, rank, dims);
}

qn_status qn_eval_tensor_reshape(qn_eval *ev, const qn_op *op) {
  const qn_type *from = qn_eval_operand(ev, op, 0)->type, *declared = op->results[0].type;
  int64_t rank = qn_rt_count(qn_eval_operand(ev, op, 1));
  if (rank > QN_EVAL_MAX_RANK)
    return qn_eval_fail(ev, op, "makes a tensor of rank %lld", (long long)rank);
  int64_t dims[QN_EVAL_MAX_RANK + 1];
  QN_TRY(read_sizes(ev, op, rank, dims));
  return copy_as(ev, op,
                 qn_type_shaped(ev->cx, QN_TYPE_TENSOR, from->shaped.element, true, (uint32_t)rank,
                                dims, declared->shaped.encoding, NULL));
}

qn_status qn_eval_tensor_extract(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *in = qn_eval_operand(ev, op, 0);
  int64_t at = 0;
  for (uint32_t d = 0; d < in->type->shaped.rank; d++) {
    int64_t i = qn_eval_operand(ev, op, d + 1)->i, size = in->type->shaped.dims[d];
    if (i < 0 || i >= size)
      return qn_eval_fail(ev, op, "reads index %lld of dimension %u, whose size is %lld",
                          (long long)i, d, (long long)size);
    at = at * size + i;
  }
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  qn_rt_set_scalar(out, in->data + at * qn_type_bytes(out->type));
  return QN_OK;
}

/* ---- shapes ---- */

/* A tensor of indices as result i. */
static qn_status set_extents(qn_eval *ev, const qn_op *op, uint32_t i, const int64_t *sizes,
                             int64_t count) {
  qn_rt_value *out;
  const qn_type *type = qn_type_tensor(ev->cx, qn_type_index(ev->cx), 1, &count);
  QN_TRY(qn_eval_result_as(ev, op, i, type, &out));
  for (int64_t k = 0; k < count; k++) qn_rt_set_int(out, k, sizes[k]);
  return QN_OK;
}

qn_status qn_eval_shape_shape_of(qn_eval *ev, const qn_op *op) {
  const qn_type *type = qn_eval_operand(ev, op, 0)->type;
  if (!qn_type_is_shaped(type)) return qn_eval_fail(ev, op, "needs a tensor");
  return set_extents(ev, op, 0, type->shaped.dims, type->shaped.rank);
}

qn_status qn_eval_shape_const_shape(qn_eval *ev, const qn_op *op) {
  const qn_attr *shape = qn_op_find(op, QN_A_SHAPE);
  int64_t count = qn_type_elements(shape->type);
  qn_rt_value *out;
  QN_TRY(qn_eval_result_as(ev, op, 0, shape->type, &out));
  for (int64_t i = 0; i < count; i++) qn_rt_set_int(out, i, qn_dense_int(shape, i));
  return QN_OK;
}

/* Rejects !shape.shape, which has no runtime values here. */
static qn_status check_extents(qn_eval *ev, const qn_op *op, const qn_rt_value *shape) {
  if (shape->type && qn_type_is_shaped(shape->type)) return QN_OK;
  return qn_eval_fail(ev, op, "needs its shape as a tensor of sizes");
}

qn_status qn_eval_shape_num_elements(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *shape = qn_eval_operand(ev, op, 0);
  int64_t product = 1;
  QN_TRY(check_extents(ev, op, shape));
  for (int64_t i = 0, n = qn_rt_count(shape); i < n; i++)
    if (!qn_checked_mul(product, qn_rt_int(shape, i), &product))
      return qn_eval_fail(ev, op, "has more elements than an index can count");
  return set_index(ev, op, product);
}

qn_status qn_eval_shape_split_at(qn_eval *ev, const qn_op *op) {
  const qn_rt_value *shape = qn_eval_operand(ev, op, 0);
  int64_t at = qn_eval_operand(ev, op, 1)->i;
  QN_TRY(check_extents(ev, op, shape));
  int64_t rank = qn_rt_count(shape);
  if (at < -rank || at > rank)
    return qn_eval_fail(ev, op, "splits a shape of rank %lld at %lld", (long long)rank,
                        (long long)at);
  if (at < 0) at += rank;
  const int64_t *sizes = (const int64_t *)(const void *)shape->data;
  QN_TRY(set_extents(ev, op, 0, sizes, at));
  return set_extents(ev, op, 1, sizes + at, rank - at);
}
