/* Tiles of the 8-bit micro-kernels: the channel of each lane, and the epilogue parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/bytes.h"

#include <string.h>

void qn_bytes_tile_channels(const qn_gemm_plan *plan, const qn_gemm_tile *tile,
                            int64_t *out_channels) {
  QN_ASSERT(tile->vectors <= QN_EPILOGUE_MAX_VECTORS);
  QN_ASSERT(tile->valid > 0 && tile->valid <= tile->vectors * plan->lanes);
  const bool in_order = qn_bytes_of(plan->gemm)->reals != NULL; /* no pack joins its results */
  bool adds = qn_bytes_adds(plan->gemm, tile);
  bool interleaved = !in_order && !adds &&
                     qn_epilogue_is_interleaved(qn_bytes_of(plan->gemm)->epilogue, tile->kind);
  for (uint32_t v = 0; v < tile->vectors; v++)
    for (int64_t l = 0; l < plan->lanes; l++) {
      int64_t c = in_order ? v * plan->lanes + l
                           : qn_epilogue_lane_channel(interleaved, tile->vectors, v, l);
      out_channels[v * plan->lanes + l] = c < tile->valid ? tile->first + c : -1;
    }
}

/* The lanes of a tile's last vector up to the last one with a channel. */
static int64_t used_lanes(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  int64_t channels[QN_GEMM_TILE_CHANNELS], lanes = plan->lanes;
  qn_bytes_tile_channels(plan, tile, channels);
  const int64_t *last = channels + (tile->vectors - 1) * lanes;
  while (lanes > 0 && last[lanes - 1] < 0) lanes--;
  return lanes;
}

int64_t qn_bytes_stored(const qn_gemm_plan *plan, const qn_gemm_tile *tile) {
  enum { PAIR = 2 }; /* channels whose weights or parameters (HALVES) are joined */
  const qn_dot *dot = plan->gemm->dot;
  bool plain = qn_dot_is_exact(dot) && qn_dot_run(dot) == QN_QUAD;
  bool packs = plan->gemm->packs || qn_bytes_of(plan->gemm)->weights->wide;
  bool across = dot->op == QN_OP_QUERN_DOT && dot->depth > QN_QUAD;
  if (across && plan->gemm->channels == 1) return 1;
  bool in_quads = qn_dot_is_scalar(dot) && plain && !packs && tile->vectors == 1;
  bool in_scalars = in_quads || qn_bytes_in_single_scalars(plan->gemm);
  if (in_scalars && used_lanes(plan, tile) <= PAIR)
    return (tile->vectors - 1) * plan->lanes + (plan->gemm->channels == 1 ? 1 : PAIR);
  return tile->vectors * plan->lanes;
}

int64_t qn_bytes_stored_lanes(const qn_gemm_plan *plan, const qn_gemm_tile *tile, uint32_t v) {
  int64_t stored = qn_bytes_stored(plan, tile), whole = (tile->vectors - 1) * plan->lanes;
  return v + 1 == tile->vectors ? stored - whole : plan->lanes;
}

void qn_bytes_drop_padding(qn_gemm_plan *plan, const qn_gemm_tile *tile, uint32_t quads) {
  const int64_t bytes = qn_bytes_plan_of(plan)->quad_bytes, width = qn_gemm_tile_width(plan, tile);
  const int64_t stored = qn_bytes_stored(plan, tile);
  uint8_t *panel = plan->weights.data + tile->fields[QN_TILE_WEIGHTS], *to = panel;
  QN_ASSERT(plan->gemm->dot->bytes == 1 &&
            panel + quads * QN_QUAD * width == plan->weights.data + plan->weights.count);
  for (int64_t q = 0; q < quads; q++)
    for (int64_t byte = 0; byte < bytes; byte++, to += stored)
      memmove(to, panel + (q * QN_QUAD + byte) * width, (size_t)stored);
  plan->weights.count = (size_t)(to - plan->weights.data);
}

qn_value *qn_bytes_fill_lanes(qn_builder *b, qn_value *vector, int64_t lanes) {
  int64_t mask[QN_VEC_MAX_BYTES], count = qn_vec_count(vector);
  if (count == lanes) return vector;
  for (int64_t i = 0; i < lanes; i++) mask[i] = i < count ? i : count - 1;
  return qn_vec_shuffle(b, vector, vector, mask, lanes);
}

uint32_t qn_bytes_group(const qn_gemm_plan *plan, const qn_gemm_tile *tile, uint32_t first) {
  if (!qn_epilogue_reloads(qn_bytes_of(plan->gemm)->epilogue, tile->kind)) return 1;
  uint32_t left = qn_bytes_vectors(plan, tile) - first;
  return left < QN_EPILOGUE_MAX_VECTORS ? left : QN_EPILOGUE_MAX_VECTORS;
}

qn_bytes_params qn_bytes_params_of(const qn_gemm_plan *plan, const qn_gemm_tile *tile, uint32_t v) {
  uint32_t most = qn_bytes_group(plan, tile, 0), first = v / most * most;
  const qn_epilogue *epilogue = qn_bytes_of(plan->gemm)->epilogue;
  int64_t lanes = qn_bytes_stored_lanes(plan, tile, v);
  int64_t size = qn_epilogue_own_size(epilogue, tile->kind, plan->lanes); /* of those before v */
  return (qn_bytes_params){first * size + (v - first) * plan->lanes,
                           qn_bytes_group(plan, tile, first) * lanes, lanes};
}

void qn_bytes_pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                          const int32_t *start) {
  enum { LANES = QN_GEMM_TILE_CHANNELS };
  bool in_blocks = qn_bytes_in_blocks(plan, tile);
  QN_ASSERT(!in_blocks || plan->lanes == 4);
  uint32_t vectors = qn_bytes_vectors(plan, tile);
  for (uint32_t v = 0, group; v < vectors; v += group) {
    int64_t of_lanes[LANES], count = 0;
    int32_t starts[LANES];
    group = qn_bytes_group(plan, tile, v);
    int64_t lanes = qn_bytes_stored_lanes(plan, tile, v);
    for (uint32_t i = v; i < v + group; i++)
      for (int64_t l = 0; l < lanes; l++, count++) {
        /* In blocks, two channels of two pixels. */
        int64_t from = in_blocks ? 2 * i + l % 2 : i * plan->lanes + l;
        of_lanes[count] = channels[from], starts[count] = start[from];
      }
    int64_t words = qn_epilogue_own_size(qn_bytes_of(plan->gemm)->epilogue, tile->kind, count);
    qn_array_reserve(&plan->params, plan->params.count + (size_t)words);
    qn_epilogue_fill(qn_bytes_of(plan->gemm)->epilogue, tile->kind, of_lanes, starts, count,
                     plan->params.data + plan->params.count);
    plan->params.count += (size_t)words;
  }
}
