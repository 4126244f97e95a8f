/* Loops over runs of quads, used by several micro-kernels.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_STEPS_H
#define QN_LOWER_LOOPS_GEMM_STEPS_H

#include "lower/loops/matrix/bytes.h"

/* Position of a quad. `first`: its index in the tile's first pixel. In a pixel that starts at its
 * own index, the quad is at that index + offset + more. */
typedef struct qn_quad_place {
  qn_value *first, *offset; /* NULL: 0 */
  int64_t more;
} qn_quad_place;

/* Loads `bytes` bytes of pixel m, starting at the quad, as the byte product requires them. */
qn_value *qn_bytes_load_run(qn_gemm_emitter *e, const qn_quad_place *at, int64_t m, int64_t bytes);

/* Adds one run to the sums. x: address of its bytes; w: address of its weights. */
typedef void qn_bytes_run_fn(qn_gemm_emitter *e, qn_value **sums, const void *user,
                             const qn_quad_place *x, qn_value *w);
/* Calls step_of_run for all runs of the tile, whose weights start at w; the loop carries `n` sums.
 */
void qn_bytes_each_run(qn_gemm_emitter *e, qn_value **sums, uint32_t n, qn_value *x, qn_value *w,
                       qn_bytes_run_fn *step_of_run, const void *user);
#endif
