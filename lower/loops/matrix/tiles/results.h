/* Results of tiles: sums go by way of memory of the kernel's own, because vectors can't read tiles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_TILES_RESULTS_H
#define QN_LOWER_LOOPS_TILES_RESULTS_H

#include "ir/ops/tile.h"
#include "lower/loops/matrix/tiles/packing.h"

/* Tiles of pixels of a block, and the first pixel of number j in one of so many: the last tile ends
 * with the block. */
int64_t qn_tiles_blocks(const qn_gemm_emitter *e, const qn_gemm_accumulators *sums);
int64_t qn_tiles_first(const qn_gemm_emitter *e, int64_t rows, int64_t j);

/* What the channels of a panel need in the epilogue. */
typedef struct qn_tiles_params {
  qn_value *start[QN_EPILOGUE_MAX_VECTORS];
  qn_epilogue_params words[QN_EPILOGUE_MAX_VECTORS];
} qn_tiles_params;
qn_tiles_params qn_tiles_load_params(qn_gemm_emitter *e);

/* Stores the sums: rows of all vectors stand side by side. */
void qn_tiles_spill(qn_gemm_emitter *e, const qn_gemm_accumulators *sums);
/* So many pixels of the block at `at`, from number `first` on, whose sums begin at row `from` of
 * the memory; each once. */
void qn_tiles_finish_rows(qn_gemm_emitter *e, const qn_tiles_params *p, qn_value *count,
                          int64_t first, int64_t from, qn_gemm_cursor at);

/* Hook of the micro-kernel (gemm_emit.h). */
void qn_tiles_finish(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_gemm_cursor at);

/* Pixels of the block before that follow the products of a step: `each` after each of them,
 * from number `first` on. Some may be made several times. */
typedef struct qn_tiles_slices {
  const qn_tiles_params *params;
  qn_gemm_cursor at; /* where its results go */
  qn_value *first;   /* NULL: 0 */
  int64_t rows, each;
} qn_tiles_slices;
/* Behind product `slot` of the step; slices NULL: none. */
void qn_tiles_put_slice(qn_gemm_emitter *e, const qn_tiles_slices *s, int64_t slot);

#endif
