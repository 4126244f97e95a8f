/* K loops over runs of weights. The factors in x of one run are equally spaced; its weights are
 * contiguous in the panel. A run is a row of a convolution's kernel window, or all of K of a matrix
 * product.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_RUNS_H
#define QN_LOWER_LOOPS_GEMM_RUNS_H

#include "lower/loops/matrix/gemm_emit.h"

/* All runs of a product have the same length, the longest for which x is equally spaced in each.
 * Stored in qn_gemm_plan.own. */
typedef struct qn_gemm_runs {
  int64_t length, step; /* taps per run; their stride in x, in elements */
} qn_gemm_runs;
void qn_gemm_find_runs(qn_loops *lo, qn_gemm_plan *plan);
static inline const qn_gemm_runs *qn_gemm_runs_of(const qn_gemm_plan *plan) { return plan->own; }

/* Equal K steps: their number, and the strides from one to the next in x and in the panel, in
 * elements. */
typedef struct qn_gemm_steps {
  int64_t count, x_stride, w_stride;
} qn_gemm_steps;
/* Emits one step: adds the products of the factors at x and the weights at w to the accumulators.
 */
typedef void qn_gemm_step_fn(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x,
                             qn_value *w);

/* Emits the steps as a loop, or unrolled if they are few. */
void qn_gemm_repeat(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_gemm_steps steps,
                    qn_value *x, qn_value *w, qn_gemm_step_fn *step);
/* Emits all runs of the tile. The weights of the first run begin at w, and each run has `elements`
 * of them. */
void qn_gemm_each_run(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x, qn_value *w,
                      int64_t elements, qn_gemm_step_fn *run);

/* Sets up the prefetches of a register tile of `steps` K steps, before its first step. The next
 * panel is prefetched, spread evenly over all M tiles, so that no step waits for L3 or DRAM; for
 * tensors beyond L2 also x and y of later tiles; and the weights of the next layer if it is bound
 * by reading them, such as the classifier of one image. Each step prefetches a small part, because
 * many prefetches at once would occupy the load buffers that x needs. */
void qn_gemm_prefetch_setup(qn_gemm_emitter *e, const qn_gemm_accumulators *sums,
                            int64_t panel_elements, int64_t steps);
/* Emits the prefetches of one K step. */
void qn_gemm_prefetch_emit(qn_gemm_emitter *e);

/* Number of M tiles of all rows of pixels, and the index of the current one. */
int64_t qn_gemm_pixel_tiles(const qn_gemm_emitter *e);
qn_value *qn_gemm_pixel_tile(qn_gemm_emitter *e);
/* As qn_gemm_prefetch_setup, for 8-bit weights beyond L2: only the next panel, and only if each
 * step's part has at least `least` bytes. */
void qn_gemm_prefetch_bytes_setup(qn_gemm_emitter *e, qn_value *tile, int64_t panel, int64_t steps,
                                  int64_t least);
/* Emits the prefetches of K step i. */
void qn_gemm_prefetch_bytes(qn_gemm_emitter *e, qn_value *i);

#endif
