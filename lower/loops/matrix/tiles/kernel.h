/* Hooks of the AMX micro-kernel; gemm_emit.h describes each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_TILES_KERNEL_H
#define QN_LOWER_LOOPS_TILES_KERNEL_H

#include "lower/loops/matrix/tiles/packing.h"

void qn_tiles_open(qn_gemm_emitter *e);
bool qn_tiles_run(qn_gemm_emitter *e, qn_gemm_bound lower, qn_gemm_bound upper);
void qn_tiles_start(qn_gemm_emitter *e, qn_gemm_accumulators *sums);
void qn_tiles_multiply(qn_gemm_emitter *e, qn_gemm_accumulators *sums, qn_value *x);

#endif
