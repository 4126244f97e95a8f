/* Packing the weights of a matrix product for a unit that multiplies tiles.
 *
 * A step is a window of up to 64 consecutive bytes of x at a fixed offset from a pixel's base; all
 * quads have one width, as many as needed cover the taps, and none leaves the tensor: one may
 * overlap bytes that another counts, or that no tap needs; their weights are 0. Weights beyond 8
 * bits get further steps at the same offset that add the rest.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_TILES_PACKING_H
#define QN_LOWER_LOOPS_TILES_PACKING_H

#include "lower/loops/matrix/bytes.h"

/* How a product is cut for tiles: qn_gemm_plan.own. */
typedef struct qn_tiles_plan {
  qn_bytes_plan bytes;
  int64_t rows; /* of all tiles of pixels */
} qn_tiles_plan;
static inline const qn_tiles_plan *qn_tiles_plan_of(const qn_gemm_plan *plan) { return plan->own; }
/* Rows of all tiles, so that a row of so many pixels takes as little time as it can. */
int64_t qn_tiles_rows(const qn_target *target, int64_t pixels);

typedef struct qn_tile_step {
  int64_t offset;
  const int32_t *taps; /* which weight each byte meets; -1: none */
  uint32_t part;       /* of weights that one byte can't hold */
} qn_tile_step;

typedef struct qn_tile_packing {
  int64_t depth; /* bytes of a window, a multiple of four */
  uint32_t step_count;
  qn_tile_step *steps;
} qn_tile_packing;

/* How many quads of at most so many bytes cover the taps of the product, whose extent is at least
 * four bytes. */
int64_t qn_tile_packing_quads(const qn_gemm *gemm, int64_t most);
/* For the same; of weights that are known at run time only, in so many parts. */
qn_tile_packing qn_tile_packing_make(qn_arena *arena, const qn_gemm *gemm);

/* Appends the panel of vectors * 16 channels (-1: padding): per step and vector, for each quad of
 * the window, four weights of each channel. */
void qn_tile_packing_panel(const qn_tile_packing *packing, const qn_weights *weights,
                           const int64_t *channels, uint32_t vectors, qn_byte_array *bytes);

#endif
