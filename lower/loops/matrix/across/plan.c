/* Micro-kernel of 8-bit x for products across a vector: 16 bytes of a pixel times 16 weights of one
 * channel, whose sum is added to an accumulator in a scalar register.
 *
 * K is covered by groups of up to four quads. A group whose quads are consecutive is one load of x;
 * another one is joined from its quads, and bytes after its last quad are 0. So weights are stored
 * without padding: those of a channel after the last quad of a group are its next ones, or those of
 * the next channel.
 *
 * Accumulators start at 0, because the products of a first vector then need no addition. The
 * initial values are added to a vector of accumulators, once per pixel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/across/across.h"

static const char *problem_of(const qn_gemm *g, const qn_target *target) {
  if (!target->across) return "the target has no products of them";
  if (target->vector_bytes != QN_ACROSS_BYTES) return "vectors are longer than a product";
  if (g->packs) return "weights are known at run time only";
  return g->extent >= QN_QUAD ? NULL : "a pixel has fewer than four bytes of x";
}

static const qn_dot *dot_of(const qn_target *target) { return target->across; }

static int64_t group_count(const qn_gemm *g) {
  return (qn_bytes_quad_count(g) + QN_ACROSS_QUADS - 1) / QN_ACROSS_QUADS;
}

/* Scalar registers hold the accumulators of a pass beside the addresses: of one pixel and four
 * channels; or of more pixels and first two, then the other two channels. Few groups need no loops,
 * so both passes become one, with the accumulators of two pixels. */
static int64_t most_rows(const qn_gemm *g, const qn_target *target, uint32_t vectors) {
  if (vectors > target->accumulators) return 1;
  return group_count(g) <= QN_ACROSS_AT_ONCE ? 2 : QN_ACROSS_ROWS;
}

/* Cycles per group of quads: products and loads take the same time. Beyond the accumulators that
 * registers hold, each one is loaded and stored. */
static double step_cycles(const qn_gemm *g, const qn_target *target, int64_t rows,
                          uint32_t vectors) {
  const double spill = 16,
               instructions[] = {[1] = 1 + 4 + 4, [2] = 2 * (2 + 2 + 4), [3] = 2 * (3 + 2 + 6)};
  QN_ASSERT(rows <= QN_ACROSS_ROWS);
  double cycles = g->dot->cycles / 2 * instructions[rows] * vectors;
  if (vectors > target->accumulators) cycles += spill * (vectors - target->accumulators);
  return cycles + QN_GEMM_STEP_CYCLES;
}

const qn_gemm_micro qn_gemm_across = {
    .name = "bytes across a vector",
    .problem = problem_of,
    .dot = dot_of,
    .columns = 1,
    .sum_bytes = sizeof(int32_t),
    .step_taps = QN_ACROSS_BYTES,
    .steps = group_count,
    .most_rows = most_rows,
    .step_cycles = step_cycles,
    .finish_cycles = qn_epilogue_cycles,
    .wraps_rows = true,
    .choose = qn_bytes_choose,
    .pack = qn_across_pack,
    .panel = qn_bytes_panel,
    .load = qn_across_load,
    .start = qn_across_start,
    .multiply = qn_across_multiply,
    .finish = qn_across_finish,
};
