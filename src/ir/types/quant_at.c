/* Queries of a quantized type at a coordinate.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/quant_at.h"

bool qn_quant_storage_of(const qn_type *type, qn_quant_storage *out_storage) {
  const qn_type *element = qn_type_element(type);
  if (element->kind == QN_TYPE_QUANT_UNIFORM) {
    const qn_quant_uniform *q = &element->uniform;
    *out_storage =
        (qn_quant_storage){q->storage, q->storage->integer.width, q->is_signed, q->min, q->max};
    return true;
  }
  if (element->kind != QN_TYPE_QUANT_ANY) return false;
  *out_storage = (qn_quant_storage){element->any.storage, element->any.storage->integer.width,
                                    element->any.is_signed, element->any.min, element->any.max};
  return true;
}

int64_t qn_quant_step(const qn_quant_uniform *q, uint32_t dim) {
  if (q->scheme == QN_PER_AXIS) return q->axis >= 0 && (uint32_t)q->axis == dim ? 1 : 0;
  return q->scheme == QN_SUB_CHANNEL ? qn_quant_block_size(q, dim) : 0;
}

static bool is_coordinate(const qn_type *type, const int64_t *coordinate, uint32_t rank) {
  bool ranked = qn_type_is_shaped(type) && type->shaped.ranked;
  if (ranked && type->shaped.rank != rank) return false;
  for (uint32_t d = 0; d < rank; d++) {
    if (coordinate[d] < 0) return false;
    if (!ranked || type->shaped.dims[d] == QN_DYNAMIC) continue;
    if (coordinate[d] >= type->shaped.dims[d]) return false;
  }
  return true;
}

/* Row-major index of the scale of a sub-channel type. */
static bool grid_index(const qn_quant_uniform *q, const int64_t *coordinate, uint32_t rank,
                       int64_t *out_index) {
  if (q->grid_rank != rank) return false;
  int64_t index = 0;
  for (uint32_t d = 0; d < rank; d++) {
    int64_t block = qn_quant_block_size(q, d), at = block ? coordinate[d] / block : 0;
    if (at >= q->grid_dims[d]) return false;
    index = index * q->grid_dims[d] + at;
  }
  *out_index = index;
  return true;
}

qn_status qn_quant_at(const qn_type *type, const int64_t *coordinate, uint32_t rank,
                      qn_quant_cell *out_cell) {
  const qn_quant_uniform *q = qn_type_quant(type);
  if (!q) return QN_NOT_FOUND;
  bool any = q->scheme == QN_PER_LAYER && rank == 0; /* per layer, no coordinate is needed */
  if (!any && !is_coordinate(type, coordinate, rank)) return QN_INVALID;
  int64_t index = 0;
  if (q->scheme == QN_PER_AXIS) {
    if (q->axis < 0 || (uint32_t)q->axis >= rank) return QN_INVALID;
    index = coordinate[q->axis];
  } else if (q->scheme == QN_SUB_CHANNEL && !grid_index(q, coordinate, rank, &index)) {
    return QN_INVALID;
  }
  if (index >= (int64_t)q->count) return QN_INVALID;
  *out_cell = (qn_quant_cell){q->scales[index], q->zero_points[index], q->min, q->max};
  return QN_OK;
}

qn_status qn_quant_range_at(const qn_type *type, const int64_t *coordinate, uint32_t rank,
                            double *out_min, double *out_max) {
  const qn_type *element = qn_type_element(type);
  if (element->kind == QN_TYPE_QUANT_CALIBRATED) {
    if (rank && !is_coordinate(type, coordinate, rank)) return QN_INVALID;
    *out_min = element->calibrated.min;
    *out_max = element->calibrated.max;
    return QN_OK;
  }
  qn_quant_cell cell;
  QN_TRY(qn_quant_at(type, coordinate, rank, &cell));
  *out_min = (double)(cell.min - cell.zero_point) * cell.scale;
  *out_max = (double)(cell.max - cell.zero_point) * cell.scale;
  return QN_OK;
}
