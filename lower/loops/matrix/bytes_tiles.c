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

void qn_bytes_pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                          const int32_t *start) {
  int64_t words = qn_epilogue_words(tile->kind) * plan->lanes;
  for (uint32_t v = 0; v < tile->vectors; v++) {
    int64_t at = v * plan->lanes;
    qn_array_reserve(&plan->params, plan->params.count + (size_t)words);
    qn_epilogue_fill(qn_bytes_of(plan->gemm)->epilogue, tile->kind, channels + at, start + at,
                     plan->lanes, plan->params.data + plan->params.count);
    plan->params.count += (size_t)words;
  }
}
