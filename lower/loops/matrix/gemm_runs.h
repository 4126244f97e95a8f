/* Sums over all weights of a panel: weights are in runs whose places in x are equally spaced, one
 * after the other where x is contiguous, as a row of a convolution's window, or all of a matrix
 * product's.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_RUNS_H
#define QN_LOWER_LOOPS_GEMM_RUNS_H

#include "lower/loops/matrix/gemm_emit.h"

/* Runs of one length: as long as x is equally spaced in all of them. Such micro-kernels have them
 * as qn_gemm_plan.own. */
typedef struct qn_gemm_runs {
  int64_t length, step; /* taps, and how far apart */
} qn_gemm_runs;
void qn_gemm_find_runs(qn_loops *lo, qn_gemm_plan *plan);
static inline const qn_gemm_runs *qn_gemm_runs_of(const qn_gemm_plan *plan) { return plan->own; }

/* Steps that are alike: how many, the elements of x and of the panel from one to the next. */
typedef struct qn_gemm_steps {
  int64_t count, x_stride, w_stride;
} qn_gemm_steps;
/* Adds what begins at x and w of the tile. */
typedef void qn_gemm_step_fn(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x,
                             qn_value *w);

/* A loop over the steps, or the few of them one by one. */
void qn_gemm_repeat(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_gemm_steps steps,
                    qn_value *x, qn_value *w, qn_gemm_step_fn *step);
/* All runs of the tile: the panel of the first at w, of each `elements`. */
void qn_gemm_each_run(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w,
                      int64_t elements, qn_gemm_step_fn *run);

/* Sets up the prefetches of a register tile of `steps` K steps, before its first step: the next
 * panel, spread evenly over all M tiles, so that no step waits for L3 or DRAM; for tensors beyond
 * L2 also x and y of later tiles. Each step prefetches a little, because many prefetches at once
 * would occupy the load buffers that x needs. */
void qn_gemm_prefetch_setup(qn_gemm_emitter *e, const qn_gemm_accumulators *sums,
                            int64_t panel_elements, int64_t steps);
/* Emits the prefetches of one K step. */
void qn_gemm_prefetch_emit(qn_gemm_emitter *e);

/* Tiles of pixels of all rows, and the number of the one that is computed. */
int64_t qn_gemm_pixel_tiles(const qn_gemm_emitter *e);
qn_value *qn_gemm_pixel_tile(qn_gemm_emitter *e);
/* As qn_gemm_prefetch_setup, for 8-bit weights beyond L2: only the next panel, and only if that is
 * at least `least` bytes per step. */
void qn_gemm_prefetch_bytes_setup(qn_gemm_emitter *e, qn_value *tile, int64_t panel, int64_t steps,
                                  int64_t least);
/* Emits the prefetches of K step i. */
void qn_gemm_prefetch_bytes(qn_gemm_emitter *e, qn_value *i);

#endif
