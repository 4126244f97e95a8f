/* Panels of weights that are known at run time only: where a quad is, and how weights get there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_RUNTIME_PACK_QUADS_H
#define QN_LOWER_LOOPS_RUNTIME_PACK_QUADS_H

#include "lower/loops/matrix/bytes.h"

/* Fields of qn_gemm_plan.quads: of whole quads, whose weights are consecutive, and of others. */
enum { QN_WHOLE_FIELDS = 2, QN_CUT_FIELDS = 1 + QN_QUAD };

/* Whether panels are of 16 bits. */
bool qn_runtime_pack_is_wide(const qn_gemm *g);
/* The zero point that weights are packed without. */
int32_t qn_runtime_pack_zero(const qn_gemm *g);
/* Whether weights of neighbouring channels stand side by side, and those of a channel don't. */
bool qn_runtime_pack_is_by_row(const qn_gemm *g);

/* Quads of a vector that follow one another, before the same ones of the next vector. */
int64_t qn_runtime_pack_run(const qn_gemm_plan *plan);
/* Elements of a quad of a vector: bytes, or halves of which two vectors follow one another; and of
 * all vectors of the tile. */
int64_t qn_runtime_pack_vector_elements(const qn_gemm_emitter *e);
int64_t qn_runtime_pack_quad_elements(const qn_gemm_emitter *e);
/* Sums of the tile; elements of the panel that one is stored in. */
int64_t qn_runtime_pack_width(const qn_gemm_emitter *e);
int64_t qn_runtime_pack_elements_of_i32(const qn_gemm_emitter *e);

qn_value *qn_runtime_pack_first_quad(qn_gemm_emitter *e);
/* Where quad `number` begins, counted as if there were one vector. */
qn_value *qn_runtime_pack_quad_at(qn_gemm_emitter *e, qn_value *to, qn_value *number);

qn_value *qn_runtime_pack_number(qn_gemm_emitter *e, int64_t value, const qn_value *like);
/* Bytes of weights as i16 without their zero point. */
qn_value *qn_runtime_pack_widen(qn_gemm_emitter *e, qn_value *bytes);
/* Weights of a quad, or of quads of channels that follow one another, from number `first` of the
 * quad on. `bytes` NULL: they are i16 already. */
void qn_runtime_pack_put(qn_gemm_emitter *e, qn_value *bytes, qn_value *wide, qn_value *to,
                         int64_t first);

enum { QN_RUNTIME_PACK_BLOCK = 16 }; /* bytes in 128 bits */
/* Pieces of so many bytes of either block in turn, of their first or second halves. */
qn_value *qn_runtime_pack_interleave(qn_gemm_emitter *e, qn_value *a, qn_value *b, int64_t size,
                                     int64_t half);
/* Four channels of a quad, the four weights of each side by side. */
void qn_runtime_pack_put_channels(qn_gemm_emitter *e, qn_value *bytes, qn_value *to);

#endif
