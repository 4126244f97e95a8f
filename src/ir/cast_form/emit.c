/* Helpers of the decomposition of quant casts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/cast_form/emit.h"

#include <string.h>

#include "ir/generic.h"
#include "ir/types/float_format.h"

/* ---- values ---- */

qn_value *qn_emit_constant(qn_emit *e, const qn_attr *attr, const qn_type *type) {
  if (e->constant) return e->constant(e->constant_user, e->cast, attr, type);
  return qn_build_1(&e->b, QN_OP_ARITH_CONSTANT, type, NULL, 0, QN_ATTRS({"value", attr}));
}

static int64_t wrap(int64_t value, uint32_t width) {
  if (width >= 64) return value;
  uint64_t sign = UINT64_C(1) << (width - 1), bits = (uint64_t)value & (2 * sign - 1);
  return (int64_t)((bits ^ sign) - sign);
}

qn_value *qn_emit_index(qn_emit *e, int64_t value) {
  const qn_type *type = qn_type_index(e->cx);
  return qn_emit_constant(e, qn_attr_int(e->cx, value, type), type);
}

qn_value *qn_emit_int(qn_emit *e, int64_t value, const qn_type *type) {
  return qn_emit_constant(e, qn_attr_int(e->cx, wrap(value, type->integer.width), type), type);
}

qn_value *qn_emit_float(qn_emit *e, double value, const qn_type *type) {
  double rounded = qn_float_round(type->float_kind, value);
  return qn_emit_constant(e, qn_attr_float(e->cx, rounded, type), type);
}

static const qn_type *grid_type(const qn_emit *e, const qn_type *element) {
  const int64_t channels[1] = {e->q->count};
  if (e->q->scheme == QN_SUB_CHANNEL)
    return qn_type_tensor(e->cx, element, e->q->grid_rank, e->q->grid_dims);
  return qn_type_tensor(e->cx, element, 1, channels);
}

static uint64_t scale_bits(const qn_emit *e, uint32_t i, const qn_type *element) {
  return qn_float_encode(element->float_kind, qn_emit_scale(e, i));
}

static uint64_t zero_point_bits(const qn_emit *e, uint32_t i, const qn_type *element) {
  if (element->kind == QN_TYPE_FLOAT)
    return qn_float_encode(element->float_kind, (double)e->q->zero_points[i]);
  return (uint64_t)wrap(e->q->zero_points[i], element->integer.width);
}

/* The scales or zero points as an attribute; one element if all are equal. */
static const qn_attr *grid_attr(qn_emit *e, const qn_type *element, bool zero_points) {
  uint32_t size = qn_type_bytes(element), count = e->q->count;
  uint8_t *data = qn_arena_array(&e->cx->arena, count, size);
  bool splat = count > 1;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t value = zero_points ? zero_point_bits(e, i, element) : scale_bits(e, i, element);
    memcpy(data + (size_t)i * size, &value, size); /* little-endian */
    splat &= memcmp(data, data + (size_t)i * size, size) == 0;
  }
  qn_bytes bytes = {data, splat ? size : (size_t)count * size};
  return qn_attr_dense(e->cx, grid_type(e, element), bytes, true);
}

/* Cached per type and direction, because all such casts compute with one element type. */
static qn_value *grid(qn_emit *e, const qn_type *element, bool zero_points) {
  qn_map *known = &e->grids->attrs[e->quantizes][zero_points];
  const qn_attr *attr = qn_map_get(known, e->q);
  if (!attr) {
    attr = grid_attr(e, element, zero_points);
    qn_map_set(known, e->q, (void *)(uintptr_t)attr);
  }
  return qn_emit_constant(e, attr, attr->type);
}

qn_value *qn_emit_scales(qn_emit *e, const qn_type *element) { return grid(e, element, false); }
qn_value *qn_emit_zero_points(qn_emit *e, const qn_type *element) { return grid(e, element, true); }

void qn_grids_deinit(qn_grids *grids) {
  for (size_t i = 0; i < 4; i++) qn_map_deinit(&grids->attrs[i / 2][i % 2]);
}

/* ---- shapes ---- */

uint32_t qn_emit_dynamic_sizes(qn_emit *e, qn_value *tensor,
                               qn_value *out_sizes[QN_EMIT_MAX_RANK]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < tensor->type->shaped.rank; i++) {
    if (tensor->type->shaped.dims[i] != QN_DYNAMIC) continue;
    qn_value *dim = qn_emit_index(e, i);
    out_sizes[count++] =
        qn_build_1(&e->b, QN_OP_TENSOR_DIM, qn_type_index(e->cx), QN_VALUES(tensor, dim), NULL);
  }
  return count;
}

static const qn_type *shape_type(const qn_emit *e, int64_t length) {
  return qn_type_tensor(e->cx, qn_type_index(e->cx), 1, &length);
}

qn_value *qn_emit_shape(qn_emit *e, qn_value *tensor) {
  return qn_build_unary(&e->b, QN_OP_SHAPE_SHAPE_OF, tensor, shape_type(e, QN_DYNAMIC));
}

static qn_value *num_elements(qn_emit *e, qn_value *shape) {
  return qn_build_unary(&e->b, QN_OP_SHAPE_NUM_ELEMENTS, shape, qn_type_index(e->cx));
}

static qn_value *reshape(qn_emit *e, qn_value *tensor, qn_value *shape, uint32_t rank,
                         const int64_t *dims) {
  const qn_type *from = tensor->type;
  const qn_type *type = qn_type_shaped(e->cx, QN_TYPE_TENSOR, from->shaped.element, dims != NULL,
                                       rank, dims, from->shaped.encoding, NULL);
  return qn_build_1(&e->b, QN_OP_TENSOR_RESHAPE, type, QN_VALUES(tensor, shape), NULL);
}

qn_value *qn_emit_flatten(qn_emit *e, qn_value *tensor, qn_value *shape) {
  const int64_t dims[] = {QN_DYNAMIC};
  qn_value *count = num_elements(e, shape);
  qn_value *flat =
      qn_build_1(&e->b, QN_OP_TENSOR_FROM_ELEMENTS, shape_type(e, 1), QN_VALUES(count), NULL);
  return reshape(e, tensor, flat, 1, dims);
}

/* The product of the sizes before (or from) a position of the shape. */
static qn_value *partial_size(qn_emit *e, qn_value *shape, qn_value *position, bool before) {
  const qn_type *types[] = {shape->type, shape->type};
  qn_value *const operands[] = {shape, position};
  qn_op *split = qn_build(&e->b, (qn_op_state){.kind = QN_OP_SHAPE_SPLIT_AT,
                                               .operands = operands,
                                               .operand_count = 2,
                                               .result_types = types,
                                               .result_count = 2});
  return num_elements(e, qn_op_result(split, before ? 0 : 1));
}

qn_value *qn_emit_collapse(qn_emit *e, qn_value *tensor, qn_value *shape) {
  const int64_t dims[] = {QN_DYNAMIC, e->q->count, QN_DYNAMIC};
  qn_value *axis = qn_emit_index(e, e->q->axis), *after = qn_emit_index(e, (int64_t)e->q->axis + 1);
  qn_value *left = partial_size(e, shape, axis, true);
  qn_value *right = partial_size(e, shape, after, false);
  qn_value *channels = qn_emit_index(e, e->q->count);
  qn_value *collapsed = qn_build_1(&e->b, QN_OP_TENSOR_FROM_ELEMENTS, shape_type(e, 3),
                                   QN_VALUES(left, channels, right), NULL);
  return reshape(e, tensor, collapsed, 3, dims);
}

qn_value *qn_emit_expand(qn_emit *e, qn_value *tensor, qn_value *shape) {
  return reshape(e, tensor, shape, 0, NULL);
}

/* ---- elementwise bodies ---- */

const qn_attr *qn_emit_grid_map(qn_emit *e, uint32_t rank, uint32_t axis) {
  const qn_affine_expr *results[QN_EMIT_MAX_RANK];
  if (e->q->scheme != QN_SUB_CHANNEL) {
    results[0] = qn_affine_leaf(e->cx, QN_AFFINE_DIM, axis);
    return qn_generic_map_of(e->cx, rank, results, 1);
  }
  for (uint32_t i = 0; i < rank; i++) {
    int64_t block = qn_quant_block_size(e->q, i);
    const qn_affine_expr *size = qn_affine_leaf(e->cx, QN_AFFINE_CONST, block);
    results[i] = block == 0 ? size
                            : qn_affine_binary(e->cx, QN_AFFINE_FLOORDIV,
                                               qn_affine_leaf(e->cx, QN_AFFINE_DIM, i), size);
  }
  return qn_generic_map_of(e->cx, rank, results, rank);
}

qn_op *qn_emit_open(qn_emit *e, qn_value *tensor, qn_value *const *grids, uint32_t grid_count,
                    const qn_attr *grid_map, const qn_type *element) {
  QN_ASSERT(grid_count + 2 <= QN_GENERIC_MAX_OPERANDS);
  uint32_t rank = tensor->type->shaped.rank, last = grid_count + 1;
  qn_value *sizes[QN_EMIT_MAX_RANK];
  uint32_t dynamic = qn_emit_dynamic_sizes(e, tensor, sizes);
  const qn_type *type = qn_type_with_element(e->cx, tensor->type, element);
  qn_generic generic = {.operands = {tensor}, .operand_count = last + 1, .loops = rank};
  for (uint32_t i = 0; i < grid_count; i++) {
    generic.operands[1 + i] = grids[i];
    generic.maps[1 + i] = grid_map;
  }
  generic.operands[last] = qn_build_1(&e->b, QN_OP_TENSOR_EMPTY, type, sizes, dynamic, NULL);
  generic.maps[0] = generic.maps[last] = qn_generic_identity(e->cx, rank);
  return qn_generic_open(&e->b, &generic);
}

qn_value *qn_emit_close(qn_emit *e, qn_op *generic, qn_value *value) {
  return qn_generic_close(&e->b, generic, value);
}
