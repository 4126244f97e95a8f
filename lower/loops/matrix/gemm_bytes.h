/* Parts of the micro-kernels of 8-bit x (bytes_kernels.c): tiles and their costs (bytes_costs.c),
 * and packed constants (bytes_pack.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOOPS_MATRIX_GEMM_BYTES_H
#define QN_LOOPS_MATRIX_GEMM_BYTES_H

#include "lower/loops/matrix/bytes.h"

/* Whether M is too small to hide the latency of loading weights. */
static inline bool qn_bytes_has_few_pixels(const qn_gemm *g) {
  enum { FEW_PIXELS = 2 };
  return qn_gemm_pixel_count(g) <= FEW_PIXELS;
}

/* How single bytes are added in groups, per quad of x: quads of weights, sums of 16 bits, and
 * steps; and the number of loops over steps. */
typedef struct qn_bytes_groups {
  double quads, sums, steps, loops;
} qn_bytes_groups;

/* Registers for the parameters of the epilogue, which are loaded early if the steps of a tile are
 * not a loop. */
int64_t qn_bytes_registers_of_parameters(const qn_gemm *gemm);

/* Implement the hooks of qn_gemm_micro for overlapping tiles (bytes_overlap.c). */
int64_t qn_bytes_overlapped_rows(const qn_gemm *gemm, const qn_target *target,
                                 const qn_gemm_tile *tile);
bool qn_bytes_run(qn_gemm_emitter *e, qn_gemm_bound lower, qn_gemm_bound upper);

int64_t qn_bytes_most_rows_of_groups(const qn_gemm *gemm, const qn_target *target,
                                     uint32_t vectors);
int64_t qn_bytes_most_rows_of_singles(const qn_gemm *gemm, const qn_target *target,
                                      uint32_t vectors);
double qn_bytes_single_cycles(const qn_gemm *gemm, const qn_target *target, int64_t rows,
                              uint32_t vectors);
double qn_bytes_single_group_cycles(const qn_gemm *gemm, const qn_target *target, int64_t rows,
                                    uint32_t vectors);

/* Estimates, for each tile width in vectors, the vector instructions per quad and vector of
 * accumulators that the weights require: double [QN_EPILOGUE_MAX_VECTORS + 1]; 0: as plain quads.
 * NULL if the weights are not constant. */
const void *qn_bytes_estimate_operations(qn_arena *scratch, const qn_target *target,
                                         const qn_gemm *gemm);
/* Estimates qn_bytes_groups for each tile width in vectors: [QN_EPILOGUE_MAX_VECTORS + 1]. NULL if
 * the weights are not constant. */
const void *qn_bytes_estimate_groups(qn_arena *scratch, const qn_target *target,
                                     const qn_gemm *gemm);

#endif
