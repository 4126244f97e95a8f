/* Runs of quads: what the micro-kernels that multiply them share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_STEPS_H
#define QN_LOWER_LOOPS_GEMM_STEPS_H

#include "lower/loops/matrix/bytes.h"

/* Where a quad begins: in the tile's first pixel, and how far from any pixel's base. */
typedef struct qn_quad_place {
  qn_value *first, *offset; /* NULL: 0 */
  int64_t more;
} qn_quad_place;

/* So many bytes of pixel m from there on, as the product reads them. */
qn_value *qn_bytes_load_run(qn_gemm_emitter *e, const qn_quad_place *at, int64_t m, int64_t bytes);

/* Adds one run to the sums: x is where its bytes begin, w its weights. */
typedef void qn_bytes_run_fn(qn_gemm_emitter *e, qn_value **sums, const void *user,
                             const qn_quad_place *x, qn_value *w);
/* All runs of the tile, whose weights begin at w; `n` sums are carried. */
void qn_bytes_each_run(qn_gemm_emitter *e, qn_value **sums, uint32_t n, qn_value *x, qn_value *w,
                       qn_bytes_run_fn *step_of_run, const void *user);
/* By quads. */
void qn_bytes_multiply_runs(qn_gemm_emitter *e, qn_gemm_accumulators *acc, qn_value *x,
                            qn_value *w);

#endif
