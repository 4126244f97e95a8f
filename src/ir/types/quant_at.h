/* Queries of quantized types: storage, and scale, zero point and real range at a coordinate, for
 * every scheme. `type` is a quantized type or a shaped type of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_QUANT_AT_H
#define QN_IR_QUANT_AT_H

#include "ir/types/type.h"
#include "quant/reexpress.h"

typedef struct qn_quant_storage {
  const qn_type *type; /* the integer type as written: i8 for i8 and u8 */
  uint32_t width;
  bool is_signed;
  int64_t min, max; /* the explicit range if the type has one, else the full range of the storage */
} qn_quant_storage;
/* The storage of !quant.uniform and !quant.any. False for calibrated types, which have none, and
 * all others. */
bool qn_quant_storage_of(const qn_type *type, qn_quant_storage *out_storage);

/* Interprets the low bits of an integer as a stored value of the type. */
static inline int64_t qn_quant_stored(const qn_quant_uniform *q, int64_t bits) {
  return qn_low_bits(bits, q->storage->integer.width, q->is_signed);
}

/* Returns scale, zero point and storage range at a coordinate of `rank` indices.
 * Per layer: any coordinate, also none (rank 0 with NULL) for scalars and unknown ranks.
 * Per axis: the rank must be larger than the axis. Sub-channel: the rank is that of the scales.
 * QN_NOT_FOUND: the type has no scales. QN_INVALID: the coordinate is invalid, because its rank
 * differs from that of a ranked `type`, or an index is negative or outside of its dimension. If the
 * dimension is dynamic, or `type` has no shape, the scales determine the valid indices. */
QN_NODISCARD qn_status qn_quant_at(const qn_type *type, const int64_t *coordinate, uint32_t rank,
                                   qn_quant_cell *out_cell);

/* The real values of the minimum and maximum stored value, each rounded once to double; for a
 * calibrated type its calibrated range. Errors as for qn_quant_at. */
QN_NODISCARD qn_status qn_quant_range_at(const qn_type *type, const int64_t *coordinate,
                                         uint32_t rank, double *out_min, double *out_max);

/* Number of elements along `dim` that share scale and zero point: 1 along the axis, the block size
 * of a sub-channel type, 0 if all share them. */
int64_t qn_quant_step(const qn_quant_uniform *q, uint32_t dim);

#endif
