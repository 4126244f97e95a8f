/* SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/compact.h"

#include "lower/loops/nest.h"
#include "lower/loops/vec.h"

enum { LANES = 16 /* bytes that are widened at once */ };

static int32_t value_at(const uint8_t *values, size_t i) {
  return (int16_t)(uint16_t)(values[2 * i] | values[2 * i + 1] << 8);
}

/* The smallest form in which `count` values can be stored. */
static qn_compact form_of(const uint8_t *values, size_t count) {
  int32_t min = 0, max = 0;
  for (size_t i = 0; i < count; i++) {
    int32_t value = value_at(values, i);
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (max - min > UINT8_MAX) return (qn_compact){.narrow = false};
  bool fits = min >= INT8_MIN && max <= INT8_MAX;
  return (qn_compact){.narrow = true, .base = fits ? 0 : min - INT8_MIN};
}

static void store(const qn_compact *compact, const uint8_t *values, size_t count, uint8_t *to) {
  for (size_t i = 0; i < count; i++) to[i] = (uint8_t)(value_at(values, i) - compact->base);
}

qn_compact qn_compact_store(const qn_target *target, uint8_t *values, size_t *io_bytes) {
  QN_ASSERT(*io_bytes % 2 == 0);
  if (!target->compact) return (qn_compact){.narrow = false};
  const qn_compact compact = form_of(values, *io_bytes / 2);
  if (!compact.narrow) return compact;
  *io_bytes /= 2;
  store(&compact, values, *io_bytes, values);
  return compact;
}

qn_value *qn_compact_constant(qn_loops *lo, const int16_t *values, size_t count) {
  qn_bytes all = {(const uint8_t *)values, count * sizeof *values};
  const qn_compact compact = form_of(all.data, count);
  if (!lo->target->narrow16 || !compact.narrow || compact.base != 0)
    return qn_loops_constant(lo, qn_type_i(lo->cx, 16), all);
  uint8_t *bytes = QN_NEW_ARRAY(lo->scratch, count, uint8_t);
  store(&compact, all.data, count, bytes);
  return qn_loops_constant(lo, qn_type_i(lo->cx, 8), (qn_bytes){bytes, count});
}

qn_value *qn_compact_base(qn_builder *b, const qn_compact *compact, qn_value *params) {
  if (!compact->narrow || compact->base == 0) return NULL;
  qn_value *last = qn_build_index(b, qn_type_elements(params->type) - 1);
  qn_value *base =
      qn_build_1(b, QN_OP_MEMREF_LOAD, qn_type_i(b->cx, 32), QN_VALUES(params, last), NULL);
  base = qn_build_unary(b, QN_OP_ARITH_TRUNCI, base, qn_type_i(b->cx, 16));
  return qn_vec_broadcast(b, base, LANES);
}

qn_value *qn_compact_load(qn_builder *b, qn_value *memref, qn_value *base, qn_value *index,
                          int64_t offset, int64_t count) {
  const qn_type *i16 = qn_type_i(b->cx, 16);
  qn_value *values = qn_vec_load(b, memref, index, offset, count);
  if (qn_type_element(memref->type) == i16) return values;
  values = qn_vec_cast(b, QN_OP_ARITH_EXTSI, values, i16);
  if (!base) return values;
  return qn_build_binary(b, QN_OP_ARITH_ADDI, values, qn_vec_slice(b, base, 0, count));
}

qn_value *qn_compact_load_pairs(qn_builder *b, qn_value *memref, qn_value *base, qn_value *index,
                                int64_t offset, int64_t count) {
  qn_value *values = qn_compact_load(b, memref, base, index, offset, count);
  values = qn_vec_cast(b, QN_OP_ARITH_EXTUI, values, qn_type_i(b->cx, 32));
  return qn_vec_bitcast(b, values, qn_type_i(b->cx, 16));
}

/* Bytes per loop iteration: as many vectors as divide the run, limited by code size. */
static int64_t step_of(int64_t count) {
  int64_t step = 4 * LANES;
  while (count % step != 0) step /= 2;
  return step;
}

void qn_compact_widen(qn_builder *b, qn_value *memref, qn_value *base, qn_value *index,
                      int64_t count, qn_value *to) {
  QN_ASSERT(count > 0 && qn_type_element(to->type) == qn_type_i(b->cx, 16));
  int64_t step = step_of(count), lanes = step < LANES ? step : LANES;
  qn_value *i = qn_nest_count(b, count, step);
  qn_value *from = qn_build_binary(b, QN_OP_ARITH_ADDI, index, i);
  for (int64_t at = 0; at < step; at += lanes) {
    qn_value *values = qn_compact_load(b, memref, base, from, at, lanes);
    qn_vec_store(b, values, to, i, at);
  }
  qn_nest_end(b);
}
