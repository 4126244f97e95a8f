/* Runtime packing: the layout of quads in panels, and the code that stores weights there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_RUNTIME_PACK_QUADS_H
#define QN_LOWER_LOOPS_RUNTIME_PACK_QUADS_H

#include "lower/loops/matrix/bytes.h"

/* Fields per quad of qn_gemm_plan.quads: for whole quads, whose weights are contiguous, and for
 * other quads. */
enum { QN_WHOLE_FIELDS = 2, QN_CUT_FIELDS = 1 + QN_QUAD };

/* Whether panels have 16-bit elements. */
bool qn_runtime_pack_is_wide(const qn_gemm *g);
/* The zero point that packing subtracts from the weights. */
int32_t qn_runtime_pack_zero(const qn_gemm *g);
/* Whether the weights of neighbouring channels are contiguous and those of one channel are not. */
bool qn_runtime_pack_is_by_row(const qn_gemm *g);

/* Consecutive quads of one vector before the same quads of the next vector. */
int64_t qn_runtime_pack_run(const qn_gemm_plan *plan);
/* Elements of a quad of one vector (bytes, or the halves of two consecutive 16-bit vectors); and of
 * all vectors of the tile. */
int64_t qn_runtime_pack_vector_elements(const qn_gemm_emitter *e);
int64_t qn_runtime_pack_quad_elements(const qn_gemm_emitter *e);
/* NR of the tile; panel elements that hold one i32. */
int64_t qn_runtime_pack_width(const qn_gemm_emitter *e);
int64_t qn_runtime_pack_elements_of_i32(const qn_gemm_emitter *e);

qn_value *qn_runtime_pack_first_quad(qn_gemm_emitter *e);
/* Panel offset of quad `number`, as if the tile had one vector. */
qn_value *qn_runtime_pack_quad_at(qn_gemm_emitter *e, qn_value *to, qn_value *number);

qn_value *qn_runtime_pack_number(qn_gemm_emitter *e, int64_t value, const qn_value *like);
/* Widens weight bytes to i16 and subtracts their zero point. */
qn_value *qn_runtime_pack_widen(qn_gemm_emitter *e, qn_value *bytes);
/* Stores weights of a quad, or of the quads of consecutive channels, from weight `first` of the
 * quad on. `bytes` NULL: the weights are already i16 (`wide`). */
void qn_runtime_pack_put(qn_gemm_emitter *e, qn_value *bytes, qn_value *wide, qn_value *to,
                         int64_t first);

enum { QN_RUNTIME_PACK_BLOCK = 16 }; /* bytes in 128 bits */
/* Interleaves pieces of `size` bytes from blocks a and b, from their first or second halves. */
qn_value *qn_runtime_pack_interleave(qn_gemm_emitter *e, qn_value *a, qn_value *b, int64_t size,
                                     int64_t half);
/* Stores a quad of four channels, the four weights of each channel side by side. */
void qn_runtime_pack_put_channels(qn_gemm_emitter *e, qn_value *bytes, qn_value *to);

#endif
