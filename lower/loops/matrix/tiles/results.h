/* Epilogue of AMX tiles. Accumulators are stored to kernel-local scratch and loaded from there,
 * because vector instructions cannot read tile registers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_TILES_RESULTS_H
#define QN_LOWER_LOOPS_TILES_RESULTS_H

#include "ir/ops/tile.h"
#include "lower/loops/matrix/tiles/packing.h"

/* Number of AMX tiles along M in a block; and the first pixel of tile j among tiles of `rows`
 * pixels. The last tile ends with the block, so it may overlap the one before it. */
int64_t qn_tiles_blocks(const qn_gemm_emitter *e, const qn_gemm_accumulators *sums);
int64_t qn_tiles_first(const qn_gemm_emitter *e, int64_t rows, int64_t j);

/* Epilogue parameters of the channels of a panel. */
enum { QN_TILES_WORDS = 3 };
typedef struct qn_tiles_params {
  qn_value *start[QN_EPILOGUE_MAX_VECTORS];
  qn_epilogue_params words[QN_EPILOGUE_MAX_VECTORS];
  qn_value *reals[QN_EPILOGUE_MAX_VECTORS][QN_TILES_WORDS]; /* only with qn_tiles_reals */
} qn_tiles_params;

/* An epilogue with f32 results. A channel has up to QN_TILES_WORDS parameters of 32 bits. */
typedef struct qn_tiles_reals {
  const void *user;
  uint32_t words;
  int32_t (*word)(const void *user, int64_t channel, uint32_t word);
  /* In the kernel, once per panel: replaces parameters, which are vectors of i32 with a lane per
   * channel. NULL: as stored. */
  void (*load)(qn_gemm_emitter *e, const void *user, qn_tiles_params *params);
  /* Stores the results of the pixel at `at` from its sums: a vector of i32 for 16 channels each. It
   * may be emitted several times for a pixel. */
  void (*finish)(qn_gemm_emitter *e, const void *user, const qn_tiles_params *params,
                 qn_value *const *sums, qn_gemm_cursor at);
} qn_tiles_reals;
qn_tiles_params qn_tiles_load_params(qn_gemm_emitter *e);

/* Stores the accumulators to scratch, with the rows of all vectors side by side. */
void qn_tiles_spill(qn_gemm_emitter *e, const qn_gemm_accumulators *sums);
/* Emits the epilogue of `count` pixels of the block at `at`, from pixel `first` on. Their
 * accumulators begin at row `from` of the scratch. Each pixel is finished once. */
void qn_tiles_finish_rows(qn_gemm_emitter *e, const qn_tiles_params *p, qn_value *count,
                          int64_t first, int64_t from, qn_gemm_cursor at);

/* Implements qn_gemm_micro.finish. */
void qn_tiles_finish(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_gemm_cursor at);

/* The part of the previous block's epilogue that is interleaved with the products of a K step:
 * `each` pixels after each product, from pixel `first` on. A pixel may be finished several times.
 */
typedef struct qn_tiles_slices {
  const qn_tiles_params *params;
  qn_gemm_cursor at; /* destination of the previous block's results */
  qn_value *first;   /* NULL: 0 */
  int64_t rows, each;
} qn_tiles_slices;
/* Emits the slice after product `slot` of the step. s NULL: none. */
void qn_tiles_put_slice(qn_gemm_emitter *e, const qn_tiles_slices *s, int64_t slot);

#endif
