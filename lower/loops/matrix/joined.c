/* Weights of two channels joined in 16 bits, for products of pairs in scalar registers.
 *
 * A weight a of the first channel and b of the second one are stored as 256 * a + b. A product of
 * pairs takes such weights as they are, and the sum of these products is 256 * A + B, with the
 * accumulators A and B of the two channels. Only b must be extended from 8 bits for its own sum B,
 * so four weights take one extension instead of two. After the last step, A = (256 * A + B - B) /
 * 256.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/bytes.h"

enum { SHIFT = 8 };

/* ---- the plan ---- */

/* Whether 24 bits hold the accumulators of the first channel of every pair. */
static bool sums_fit(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  const int64_t most = INT64_C(1) << (31 - SHIFT);
  const qn_interval *sums = qn_bytes_of(plan->gemm)->epilogue->sums;
  int64_t channels[QN_GEMM_TILE_CHANNELS];
  qn_bytes_tile_channels(plan, tile, channels);
  for (int64_t c = 0; c < tile->vectors * plan->lanes; c += 2)
    if (channels[c] >= 0 && (sums[channels[c]].lo < -most || sums[channels[c]].hi >= most))
      return false;
  return true;
}

static int32_t join(const uint8_t *quads, int64_t k) {
  return 256 * (int8_t)quads[k] + (int8_t)quads[QN_QUAD + k];
}

/* Whether 16 bits hold the weights of each pair of channels: all but -128 beside a negative one. */
static bool weights_fit(const qn_gemm_plan *plan) {
  const uint8_t *weights = plan->weights.data;
  for (size_t i = 0; i < plan->weights.count; i += 2 * QN_QUAD)
    for (int64_t k = 0; k < QN_QUAD; k++)
      if (join(weights + i, k) < INT16_MIN) return false;
  return true;
}

/* Joins two quads in the order in which quern.dot_joined multiplies. */
static void join_quads(uint8_t *quads) {
  static const uint8_t order[QN_QUAD] = {0, 2, 1, 3};
  uint8_t out[2 * QN_QUAD];
  for (int64_t i = 0; i < QN_QUAD; i++) {
    uint16_t joined = (uint16_t)join(quads, order[i]);
    out[2 * i] = (uint8_t)joined, out[2 * i + 1] = (uint8_t)(joined >> SHIFT);
  }
  for (int64_t i = 0; i < 2 * QN_QUAD; i++) quads[i] = out[i];
}

void qn_bytes_join_channels(qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  /* The lowest byte of a parameter of quern.rescale may exceed 127. */
  bool fits = qn_dot_is_scalar(g->dot) && !qn_bytes_of(g)->epilogue->rescales &&
              plan->lanes % 2 == 0 && g->channels > 1 && weights_fit(plan);
  for (uint32_t t = 0; t < plan->tile_count && fits; t++) fits = sums_fit(plan, &plan->tiles[t]);
  qn_bytes_plan_of(plan)->joined = fits;
  for (size_t i = 0; i < plan->weights.count && fits; i += 2 * QN_QUAD)
    join_quads(plan->weights.data + i);
}

/* ---- in the kernel ---- */

/* The lanes of the second channel of each pair, twice. */
static qn_value *second_lanes(qn_gemm_emitter *e, qn_value *lanes) {
  int64_t mask[QN_VEC_MAX_BYTES], count = qn_vec_count(lanes);
  for (int64_t i = 0; i < count; i++) mask[i] = i | 1;
  return qn_vec_shuffle(e->b, lanes, lanes, mask, count);
}

/* Even lanes of `first`, odd lanes of `second`. */
static qn_value *blend(qn_gemm_emitter *e, qn_value *first, qn_value *second) {
  int64_t mask[QN_VEC_MAX_BYTES], count = qn_vec_count(first);
  for (int64_t i = 0; i < count; i++) mask[i] = i % 2 * count + i;
  return qn_vec_shuffle(e->b, first, second, mask, count);
}

qn_value *qn_bytes_join_sums(qn_gemm_emitter *e, uint32_t v, qn_value *acc) {
  qn_bytes_params at = qn_bytes_params_of(e->plan, e->shape, v);
  qn_value *scaled =
      qn_epilogue_load_scaled_start(e->b, qn_bytes_of(e->plan->gemm)->epilogue, e->shape->kind,
                                    e->params, e->fields[QN_TILE_PARAMS], at.offset, at.lanes);
  scaled = qn_bytes_fill_lanes(e->b, scaled, e->plan->lanes);
  return blend(e, qn_gemm_add(e, scaled, second_lanes(e, acc)), acc);
}

qn_value *qn_bytes_separate_sums(qn_gemm_emitter *e, qn_value *acc, int times) {
  QN_ASSERT(times == 0 || times == 1);
  qn_value *first = qn_build_binary(e->b, QN_OP_ARITH_SUBI, acc, second_lanes(e, acc));
  qn_value *shift = qn_build_int(e->b, SHIFT - times, acc->type);
  first = qn_build_binary(e->b, QN_OP_ARITH_SHRSI, first, shift);
  if (times > 0) acc = qn_build_binary_int(e->b, QN_OP_ARITH_SHLI, acc, times);
  return blend(e, first, acc);
}
