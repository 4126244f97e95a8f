/* Runtime packing: the layout of quads in panels, and the code that stores weights there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/runtime_pack/quads.h"

typedef qn_gemm_emitter emitter;

enum { MAX_PARTS = 3 };

bool qn_runtime_pack_is_wide(const qn_gemm *g) { return g->dot->bytes == 2; }

static bool w_unsigned(const qn_gemm *g) {
  return qn_type_is_unsigned(qn_type_element(g->source.weights->type));
}

bool qn_runtime_pack_sums_rows(const qn_gemm *g) {
  return qn_bytes_of(g)->has_rows && g->packs && !qn_runtime_pack_is_wide(g) && !w_unsigned(g) &&
         qn_bytes_of(g)->weights->plan->weight_zero_point != 0;
}

int32_t qn_runtime_pack_zero(const qn_gemm *g) {
  return qn_runtime_pack_sums_rows(g) ? 0 : qn_bytes_of(g)->weights->plan->weight_zero_point;
}

/* Number of byte parts of a weight. */
int64_t qn_bytes_parts(const qn_gemm *g) {
  int64_t lo, hi, zero = qn_runtime_pack_zero(g);
  qn_storage_range(8, !w_unsigned(g), &lo, &hi);
  if (qn_runtime_pack_is_wide(g) || (!w_unsigned(g) && zero == 0)) return 1;
  return hi - zero > 2 * INT8_MAX ? MAX_PARTS : 2;
}

/* ---- quads of a panel ---- */

/* Consecutive quads of one vector before the same quads of the next vector. */
int64_t qn_runtime_pack_run(const qn_gemm_plan *plan) {
  return qn_bytes_plan_of(plan)->quad_bytes > QN_QUAD ? qn_bytes_plan_of(plan)->quad_bytes / QN_QUAD
                                                      : 1;
}

/* Elements of a quad of one vector: bytes, or the halves of two consecutive 16-bit vectors. */
int64_t qn_runtime_pack_vector_elements(const emitter *e) { return e->plan->lanes * QN_QUAD; }
/* Elements of a quad of all vectors of the tile. */
int64_t qn_runtime_pack_quad_elements(const emitter *e) {
  return e->shape->vectors * qn_runtime_pack_vector_elements(e);
}
/* Panel elements from one part of the weights of a step to the next part. */
static int64_t part_elements(const emitter *e) {
  return qn_runtime_pack_run(e->plan) * qn_runtime_pack_quad_elements(e);
}

/* Panel offset of quad `number`, as if the tile had one vector. */
qn_value *qn_runtime_pack_quad_at(emitter *e, qn_value *to, qn_value *number) {
  int64_t run = qn_runtime_pack_run(e->plan),
          more = qn_runtime_pack_quad_elements(e) - qn_runtime_pack_vector_elements(e);
  if (run == 1)
    return qn_gemm_add(e, to, qn_index_affine(e->b, number, qn_runtime_pack_quad_elements(e), 0));
  qn_value *runs = qn_build_binary(e->b, QN_OP_ARITH_DIVUI, number, qn_build_index(e->b, run));
  to = qn_gemm_add(e, to, qn_index_affine(e->b, number, qn_runtime_pack_vector_elements(e), 0));
  return qn_gemm_add(e, to, qn_index_affine(e->b, runs, run * more, 0));
}

/* Whether the weights of neighbouring channels are contiguous and those of one channel are not. */
bool qn_runtime_pack_is_by_row(const qn_gemm *g) {
  return g->source.channel_step == 1 && g->source.tap_step != 1;
}

/* ---- initial accumulators ---- */

int64_t qn_runtime_pack_width(const emitter *e) { return e->shape->vectors * e->plan->lanes; }
int64_t qn_runtime_pack_elements_of_i32(const emitter *e) {
  return qn_runtime_pack_is_wide(e->plan->gemm) ? 2 : 4;
}

int64_t qn_bytes_start_elements(const emitter *e) {
  return qn_runtime_pack_width(e) * qn_runtime_pack_elements_of_i32(e);
}

qn_value *qn_bytes_load_start(emitter *e, uint32_t vector) {
  int64_t count = e->plan->lanes * qn_runtime_pack_elements_of_i32(e);
  qn_value *v = qn_vec_load(e->b, e->weights, e->fields[QN_TILE_WEIGHTS], vector * count, count);
  return qn_vec_bitcast(e->b, v, e->i32);
}

/* ---- weights ---- */

qn_value *qn_runtime_pack_number(emitter *e, int64_t value, const qn_value *like) {
  return qn_build_int(e->b, value, like->type);
}

/* Widens weight bytes to i16 and subtracts their zero point. */
qn_value *qn_runtime_pack_widen(emitter *e, qn_value *bytes) {
  const qn_gemm *g = e->plan->gemm;
  qn_op_kind extend = w_unsigned(g) ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI;
  qn_value *wide = qn_vec_cast(e->b, extend, bytes, e->i16);
  int64_t zero = qn_runtime_pack_zero(g);
  if (zero == 0) return wide;
  return qn_build_binary(e->b, QN_OP_ARITH_SUBI, wide, qn_runtime_pack_number(e, zero, wide));
}

/* Splits i16 into bytes that add up to it. */
static void cut(emitter *e, qn_value *wide, qn_value *out[MAX_PARTS]) {
  int64_t parts = qn_bytes_parts(e->plan->gemm);
  for (int64_t i = 0; i + 1 < parts; i++) {
    qn_value *low =
        qn_build_binary(e->b, QN_OP_ARITH_MAXSI, wide, qn_runtime_pack_number(e, -128, wide));
    low = qn_build_binary(e->b, QN_OP_ARITH_MINSI, low, qn_runtime_pack_number(e, 127, low));
    wide = qn_build_binary(e->b, QN_OP_ARITH_SUBI, wide, low);
    out[i] = qn_vec_cast(e->b, QN_OP_ARITH_TRUNCI, low, e->i8);
  }
  out[parts - 1] = qn_vec_cast(e->b, QN_OP_ARITH_TRUNCI, wide, e->i8);
}

/* Stores weights [first, first + lanes of the vector) of a quad of one channel from `to` on.
 * `bytes` NULL: the weights are already i16 (`wide`). */
void qn_runtime_pack_put(emitter *e, qn_value *bytes, qn_value *wide, qn_value *to, int64_t first) {
  const qn_gemm *g = e->plan->gemm;
  if (qn_runtime_pack_is_wide(g)) {
    qn_vec_store(e->b, wide, e->weights, to, first / 2 * 2 * qn_runtime_pack_width(e) + first % 2);
    return;
  }
  qn_value *parts[MAX_PARTS] = {bytes};
  if (qn_bytes_parts(g) > 1) cut(e, wide, parts);
  for (int64_t p = 0; p < qn_bytes_parts(g); p++)
    qn_vec_store(e->b, parts[p], e->weights, to, p * part_elements(e) + first);
}

qn_value *qn_runtime_pack_interleave(emitter *e, qn_value *a, qn_value *b, int64_t size,
                                     int64_t half) {
  int64_t mask[QN_RUNTIME_PACK_BLOCK];
  QN_ASSERT(size > 0 && QN_RUNTIME_PACK_BLOCK % (2 * size) == 0 && (half == 0 || half == 1));
  for (int64_t i = 0; i < QN_RUNTIME_PACK_BLOCK; i++) {
    int64_t piece = i / size, at = half * QN_RUNTIME_PACK_BLOCK / 2 + piece / 2 * size + i % size;
    mask[i] = piece % 2 == 0 ? at : QN_RUNTIME_PACK_BLOCK + at;
  }
  return qn_vec_shuffle(e->b, a, b, mask, QN_RUNTIME_PACK_BLOCK);
}

void qn_runtime_pack_put_channels(emitter *e, qn_value *bytes, qn_value *to) {
  const qn_gemm *g = e->plan->gemm;
  bool plain = !qn_runtime_pack_is_wide(g) && qn_bytes_parts(g) == 1;
  qn_value *wide = plain ? NULL : qn_runtime_pack_widen(e, bytes);
  if (!qn_runtime_pack_is_wide(g)) qn_runtime_pack_put(e, bytes, wide, to, 0);
  for (int64_t half = 0; half < 2 && qn_runtime_pack_is_wide(g); half++) {
    int64_t mask[QN_RUNTIME_PACK_BLOCK / 2];
    for (int64_t i = 0; i < QN_RUNTIME_PACK_BLOCK / 2; i++)
      mask[i] = i / 2 * QN_QUAD + 2 * half + i % 2;
    qn_runtime_pack_put(e, NULL, qn_vec_shuffle(e->b, wide, wide, mask, QN_RUNTIME_PACK_BLOCK / 2),
                        to, 2 * half);
  }
}

qn_value *qn_runtime_pack_first_quad(emitter *e) {
  return qn_index_add(e->b, e->fields[QN_TILE_WEIGHTS], qn_bytes_start_elements(e));
}
