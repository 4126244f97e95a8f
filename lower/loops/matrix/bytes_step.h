/* One K step of a tile of 8-bit x, for the loops over steps (gemm_steps.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOOPS_MATRIX_BYTES_STEP_H
#define QN_LOOPS_MATRIX_BYTES_STEP_H

#include "lower/loops/matrix/gemm_steps.h"
#include "lower/loops/products.h"

/* Emits one step for all pixels of the tile. x[q]: offset of quad q; w: first element of its
 * weights. */
void qn_bytes_step(qn_gemm_emitter *e, qn_gemm_accumulators *acc, qn_step_kind kind,
                   const qn_quad_place *x, qn_value *w);

/* Weight elements of one step: bytes or i16. */
int64_t qn_bytes_step_stride(const qn_gemm_emitter *e, qn_step_kind kind);

/* Bytes of weights that a quad of one vector has in memory, where vectors are alike. */
int64_t qn_bytes_step_stored(const qn_gemm_emitter *e);

/* Loads the weights of a quad of one vector from w + offset on. Further lanes are anything.
 */
qn_value *qn_bytes_load_stored(qn_gemm_emitter *e, qn_value *w, int64_t offset);

/* Adds the products of a vector of x and one of weights. */
qn_value *qn_bytes_add_products(qn_gemm_emitter *e, qn_value *acc, const qn_factors *f,
                                uint32_t count);

/* Address of the quad of a pixel with a separate base (row wrap). */
qn_value *qn_bytes_quad_of(qn_gemm_emitter *e, qn_value *pixel, const qn_quad_place *at);

#endif
