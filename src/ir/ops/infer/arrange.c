/* Shapes of data movement ops: gathering, stacking, repeating, blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"

static qn_shape shape_of(const qn_type *type) {
  qn_shape shape = {.rank = type->shaped.rank};
  for (uint32_t i = 0; i < shape.rank; i++) shape.dims[i] = type->shaped.dims[i];
  return shape;
}

/* Adds a dimension; reports an error if the maximum rank is exceeded. */
static bool append(qn_ir_context *cx, const qn_op *op, qn_shape *shape, int64_t size) {
  if (shape->rank == QN_ML_MAX_RANK)
    return qn_op_complain(cx, op, "the result would have more than %d dimensions", QN_ML_MAX_RANK);
  shape->dims[shape->rank++] = size;
  return true;
}

const qn_inference qn_inference_ml_resize_bilinear = {.none = "the result's type says the new size",
                                                      .layout = QN_IMAGES};
const qn_inference qn_inference_ml_resize_nearest_neighbor = {
    .none = "the result's type says the new size", .layout = QN_IMAGES};

/* ---- gathering ---- */

/* The operand's dimensions, with the axis replaced by those of the indices except the common batch
 * dimensions. */
static bool infer_gather(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0), *indices = qn_ml_in(op, 1);
  int64_t axis = qn_op_axis(op), batch = qn_op_batch_dims(op);
  if (axis >= x->shaped.rank || batch > axis || batch > indices->shaped.rank)
    return qn_op_complain(cx, op, "axis %lld with %lld common dimensions is out of range",
                          (long long)axis, (long long)batch);
  *out_shape = (qn_shape){.rank = 0};
  for (int64_t i = 0; i < axis; i++) {
    if (i < batch &&
        !qn_infer_dim(cx, op, "a common dimension", indices->shaped.dims[i], x->shaped.dims[i]))
      return false;
    if (!append(cx, op, out_shape, x->shaped.dims[i])) return false;
  }
  for (int64_t i = batch; i < indices->shaped.rank; i++)
    if (!append(cx, op, out_shape, indices->shaped.dims[i])) return false;
  for (int64_t i = axis + 1; i < x->shaped.rank; i++)
    if (!append(cx, op, out_shape, x->shaped.dims[i])) return false;
  return true;
}
const qn_inference qn_inference_ml_gather = {.shape = infer_gather};

static bool infer_gather_nd(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  const qn_type *x = qn_ml_in(op, 0), *indices = qn_ml_in(op, 1);
  uint32_t rank = indices->shaped.rank;
  if (rank == 0 || indices->shaped.dims[rank - 1] > x->shaped.rank)
    return qn_op_complain(cx, op, "vectors of indices are longer than the operand has dimensions");
  *out_shape = (qn_shape){.rank = 0};
  for (uint32_t i = 0; i + 1 < rank; i++)
    if (!append(cx, op, out_shape, indices->shaped.dims[i])) return false;
  for (int64_t i = indices->shaped.dims[rank - 1]; i < x->shaped.rank; i++)
    if (!append(cx, op, out_shape, x->shaped.dims[i])) return false;
  return true;
}
const qn_inference qn_inference_ml_gather_nd = {.shape = infer_gather_nd};

static bool infer_one_hot(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  qn_shape shape = shape_of(qn_ml_in(op, 0));
  int64_t axis = qn_op_axis(op);
  if (axis > shape.rank)
    return qn_op_complain(cx, op, "axis %lld is out of range", (long long)axis);
  if (!append(cx, op, &shape, 0)) return false;
  for (uint32_t i = shape.rank - 1; i > axis; i--) shape.dims[i] = shape.dims[i - 1];
  shape.dims[axis] = qn_op_depth(op);
  *out_shape = shape;
  return true;
}
const qn_inference qn_inference_ml_one_hot = {.shape = infer_one_hot};

/* ---- stacking, repeating ---- */

static bool infer_stack(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  if (op->operand_count == 0) return qn_op_complain(cx, op, "requires an operand");
  const qn_type *first = qn_ml_in(op, 0);
  int64_t axis = qn_op_axis(op);
  if (axis > first->shaped.rank)
    return qn_op_complain(cx, op, "axis %lld is out of range", (long long)axis);
  for (uint32_t k = 1; k < op->operand_count; k++)
    if (!qn_same_shape(first, qn_ml_in(op, k)))
      return qn_op_complain(cx, op, "%s and %s have different shapes", qn_type_quoted(cx, first),
                            qn_type_quoted(cx, qn_ml_in(op, k)));
  *out_shape = (qn_shape){.rank = 0};
  for (int64_t i = 0; i <= first->shaped.rank; i++)
    if (!append(cx, op, out_shape,
                i == axis ? op->operand_count : first->shaped.dims[i - (i > axis)]))
      return false;
  return true;
}
const qn_inference qn_inference_ml_stack = {.shape = infer_stack};

static bool infer_tile(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  *out_shape = shape_of(qn_ml_in(op, 0));
  if (!qn_ml_i64s(cx, op, QN_A_REPS, out_shape->rank)) return false;
  for (uint32_t i = 0; i < out_shape->rank; i++) out_shape->dims[i] *= qn_op_reps(op).data[i];
  return true;
}
const qn_inference qn_inference_ml_tile = {.shape = infer_tile};

static bool infer_reverse(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  qn_i64s axes = qn_op_axes(op);
  *out_shape = shape_of(qn_ml_in(op, 0));
  for (uint32_t i = 0; i < axes.count; i++)
    if (axes.data[i] >= out_shape->rank)
      return qn_op_complain(cx, op, "axis %lld is out of range", (long long)axes.data[i]);
  return true;
}
const qn_inference qn_inference_ml_reverse = {.shape = infer_reverse};

static bool infer_mirror_pad(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  *out_shape = shape_of(qn_ml_in(op, 0));
  if (!qn_ml_i64s(cx, op, QN_A_PAD, 2 * out_shape->rank)) return false;
  qn_i64s pad = qn_op_pad(op);
  bool repeats = qn_op_mirror_mode(op) == QN_MIRROR_SYMMETRIC;
  for (uint32_t i = 0; i < out_shape->rank; i++) {
    int64_t most = out_shape->dims[i] - (repeats ? 0 : 1);
    if (pad.data[2 * i] > most || pad.data[2 * i + 1] > most)
      return qn_op_complain(
          cx, op, "dimension %u has no %lld elements to mirror", i,
          (long long)(pad.data[2 * i] > most ? pad.data[2 * i] : pad.data[2 * i + 1]));
    out_shape->dims[i] += pad.data[2 * i] + pad.data[2 * i + 1];
  }
  return true;
}
const qn_inference qn_inference_ml_mirror_pad = {.shape = infer_mirror_pad};

/* ---- blocks ---- */

/* Reads the block size of rows and columns. */
static bool infer_block(qn_ir_context *cx, const qn_op *op, int64_t *out_block) {
  if (!qn_infer_rank(cx, op, "the operand", qn_ml_in(op, 0), 4) ||
      !qn_ml_i64s(cx, op, QN_A_BLOCK_SHAPE, 1))
    return false;
  *out_block = qn_op_block_shape(op).data[0];
  return true;
}

static bool divides(qn_ir_context *cx, const qn_op *op, uint32_t dim, int64_t size, int64_t by) {
  return size % by == 0 || qn_op_complain(cx, op, "dimension %u of %lld is no multiple of %lld",
                                          dim, (long long)size, (long long)by);
}

static bool infer_space_to_depth(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  int64_t block;
  if (!infer_block(cx, op, &block)) return false;
  *out_shape = shape_of(qn_ml_in(op, 0));
  int64_t *dims = out_shape->dims;
  if (!divides(cx, op, 1, dims[1], block) || !divides(cx, op, 2, dims[2], block)) return false;
  dims[1] /= block, dims[2] /= block, dims[3] *= block * block; /* divisors: no overflow */
  return true;
}
const qn_inference qn_inference_ml_space_to_depth = {.shape = infer_space_to_depth,
                                                     .layout = QN_IMAGES};

static bool infer_depth_to_space(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  int64_t block;
  if (!infer_block(cx, op, &block)) return false;
  *out_shape = shape_of(qn_ml_in(op, 0));
  int64_t *dims = out_shape->dims;
  if (!divides(cx, op, 3, dims[3], block) || !divides(cx, op, 3, dims[3] / block, block))
    return false;
  dims[1] *= block, dims[2] *= block, dims[3] /= block * block;
  return true;
}
const qn_inference qn_inference_ml_depth_to_space = {.shape = infer_depth_to_space,
                                                     .layout = QN_IMAGES};

/* Reads "block_shape", and the attribute `amounts` with two values per block dimension. */
static bool infer_blocks(qn_ir_context *cx, const qn_op *op, qn_attr_id amounts, qn_i64s *out) {
  qn_i64s block = qn_op_block_shape(op);
  if (block.count == 0 || block.count >= qn_ml_in(op, 0)->shaped.rank ||
      block.count + qn_ml_in(op, 0)->shaped.rank > QN_ML_MAX_RANK)
    return qn_op_complain(cx, op, "blocks of %u dimensions do not fit the operand", block.count);
  *out = block;
  return qn_ml_i64s(cx, op, amounts, 2 * block.count);
}

static bool infer_space_to_batch(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  qn_i64s block = {0};
  if (!infer_blocks(cx, op, QN_A_PAD, &block)) return false;
  *out_shape = shape_of(qn_ml_in(op, 0));
  for (uint32_t i = 0; i < block.count; i++) {
    int64_t *dim = &out_shape->dims[1 + i];
    *dim += qn_op_pad(op).data[2 * i] + qn_op_pad(op).data[2 * i + 1];
    if (!divides(cx, op, 1 + i, *dim, block.data[i])) return false;
    *dim /= block.data[i];
    out_shape->dims[0] *= block.data[i];
  }
  return true;
}
const qn_inference qn_inference_ml_space_to_batch = {.shape = infer_space_to_batch,
                                                     .layout = QN_IMAGES};

static bool infer_batch_to_space(qn_ir_context *cx, const qn_op *op, qn_shape *out_shape) {
  qn_i64s block = {0};
  if (!infer_blocks(cx, op, QN_A_CROPS, &block)) return false;
  *out_shape = shape_of(qn_ml_in(op, 0));
  qn_i64s crops = qn_op_crops(op);
  for (uint32_t i = 0; i < block.count; i++) {
    if (!divides(cx, op, 0, out_shape->dims[0], block.data[i])) return false;
    out_shape->dims[0] /= block.data[i];
    int64_t *dim = &out_shape->dims[1 + i];
    *dim = *dim * block.data[i] - crops.data[2 * i] - crops.data[2 * i + 1];
    if (*dim < 1) return qn_op_complain(cx, op, "crops leave nothing of dimension %u", 1 + i);
  }
  return true;
}
const qn_inference qn_inference_ml_batch_to_space = {.shape = infer_batch_to_space,
                                                     .layout = QN_IMAGES};
