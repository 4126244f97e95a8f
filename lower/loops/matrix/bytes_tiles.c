/* Tiles of the 8-bit micro-kernels: the channel of each lane, and the epilogue parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/bytes.h"

void qn_bytes_tile_channels(const qn_gemm_plan *plan, const qn_gemm_tile *tile,
                            int64_t *out_channels) {
  QN_ASSERT(tile->vectors <= QN_EPILOGUE_MAX_VECTORS);
  QN_ASSERT(tile->valid > 0 && tile->valid <= tile->vectors * plan->lanes);
  bool adds = qn_bytes_adds(plan->gemm, tile);
  bool interleaved =
      !adds && qn_epilogue_is_interleaved(qn_bytes_of(plan->gemm)->epilogue, tile->kind);
  for (uint32_t v = 0; v < tile->vectors; v++)
    for (int64_t l = 0; l < plan->lanes; l++) {
      int64_t c = qn_epilogue_lane_channel(interleaved, tile->vectors, v, l);
      out_channels[v * plan->lanes + l] = c < tile->valid ? tile->first + c : -1;
    }
}

static void push_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                        const int32_t *start) {
  int64_t words = qn_epilogue_words(tile->kind) * plan->lanes;
  qn_array_reserve(&plan->params, plan->params.count + (size_t)words);
  qn_epilogue_fill(qn_bytes_of(plan->gemm)->epilogue, tile->kind, channels, start, plan->lanes,
                   plan->params.data + plan->params.count);
  plan->params.count += (size_t)words;
}

/* The parameters of two channels, for the two pixels of a block. */
static void push_block(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                       const int32_t *start) {
  QN_ASSERT(plan->lanes == 4);
  const int64_t of_channels[] = {channels[0], channels[1], channels[0], channels[1]};
  const int32_t starts[] = {start[0], start[1], start[0], start[1]};
  push_params(plan, tile, of_channels, starts);
}

void qn_bytes_pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                          const int32_t *start) {
  bool in_blocks = qn_bytes_in_blocks(plan, tile);
  int64_t each = in_blocks ? 2 : plan->lanes;
  for (int64_t c = 0; c < tile->vectors * plan->lanes; c += each)
    (in_blocks ? push_block : push_params)(plan, tile, channels + c, start + c);
}
