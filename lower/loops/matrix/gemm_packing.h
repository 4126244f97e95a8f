/* Packing 8-bit weights that are known at run time only (gemm_packing.c).
 *
 * A panel begins with what the sums of its channels start with, as i32 in the bytes or halves of
 * the panel; its quads follow, as the compiler packs them, all of them plain. Byte products take
 * every weight w of i8 without zero point as it is; else w minus its zero point, of up to nine
 * bits, is cut into two quads that add up. 16-bit products take it whole. So no range is asked of
 * weights.
 *
 *   sum w * (x - z) + bias = sum w * X + (bias - k * sum w)        X = x + flip, k = z + flip
 *
 * with flip = 128 where bytes of i8 are made unsigned.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GEMM_PACKING_H
#define QN_LOWER_LOOPS_GEMM_PACKING_H

#include "lower/loops/matrix/gemm_emit.h"

/* Lists the windows, and where each tile's panel will stand. */
QN_NODISCARD qn_status qn_bytes_plan_packing(qn_loops *lo, qn_gemm_plan *plan,
                                             const qn_packing *packing);
/* Of the micro-kernel: packs a tile. */
void qn_bytes_pack_tile(qn_gemm_emitter *e);
/* Elements of the panel before its quads, and the sums of a vector there. */
int64_t qn_bytes_start_elements(const qn_gemm_emitter *e);
qn_value *qn_bytes_load_start(qn_gemm_emitter *e, uint32_t vector);
/* Appends the tile's words of the epilogue (gemm_bytes.c). */
void qn_bytes_pack_params(qn_gemm_plan *plan, const qn_gemm_tile *tile, const int64_t *channels,
                          const int32_t *start);

#endif
