/* Packs the weights of a matrix product for the matrix unit (AMX).
 *
 * A K step covers up to 64 consecutive bytes of x at a fixed offset from a pixel's base. All steps
 * have the same number of bytes. Together they cover the taps, and none leaves the tensor. A step
 * may contain bytes that another step covers or that have no weight; their weights in this step are
 * 0. Weights beyond 8 bits are split into several steps at the same offset.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_TILES_PACKING_H
#define QN_LOWER_LOOPS_TILES_PACKING_H

#include "lower/loops/matrix/bytes.h"

/* The plan of an AMX product (qn_gemm_plan.own). */
typedef struct qn_tiles_plan {
  qn_bytes_plan bytes;
  int64_t rows; /* pixels per AMX tile */
} qn_tiles_plan;
static inline const qn_tiles_plan *qn_tiles_plan_of(const qn_gemm_plan *plan) { return plan->own; }
/* Pixels per AMX tile with which a row of `pixels` pixels takes the fewest estimated cycles. */
int64_t qn_tiles_rows(const qn_target *target, int64_t pixels);

typedef struct qn_tile_step {
  int64_t offset;
  const int32_t *taps; /* [byte] index of its weight; -1 if none */
  uint32_t part;       /* index of the byte among those that add up to the weight */
} qn_tile_step;

typedef struct qn_tile_packing {
  int64_t depth; /* bytes of a step, a multiple of 4 */
  uint32_t step_count;
  qn_tile_step *steps;
} qn_tile_packing;

/* Number of steps of at most `most` bytes that cover the taps of the product. Requires an extent of
 * at least 4 bytes. */
int64_t qn_tile_packing_quads(const qn_gemm *gemm, int64_t most);
/* The steps of the product; repeated per part for runtime weights beyond 8 bits. */
qn_tile_packing qn_tile_packing_make(qn_arena *arena, const qn_gemm *gemm);

/* Appends the panel of vectors * 16 channels (-1: padding): per step, vector and quad of the step,
 * four weights of each channel. */
void qn_tile_packing_panel(const qn_tile_packing *packing, const qn_weights *weights,
                           const int64_t *channels, uint32_t vectors, qn_byte_array *bytes);

#endif
