/* The micro-kernels of 8-bit x, by kind of byte product. Quads are multiplied with the target's
 * byte or 16-bit products and accumulated in 32 bits; the epilogue requantizes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_bytes.h"
#include "lower/loops/matrix/gemm_steps.h"

const qn_dot *qn_bytes_dot_of_target(const qn_target *target) { return target->dot; }

const char *qn_bytes_no_quads(const qn_gemm *g, const qn_target *target) {
  (void)g;
  bool fits = qn_dot_is_exact(target->dot) && target->dot->depth == QN_QUAD;
  return fits ? NULL : "products of four bytes are not exact";
}

/* Products in groups require constant weights, because packing proves that the sums fit. */
static const char *no_groups(const qn_gemm *g, const qn_target *target) {
  if (!qn_dot_is_grouped(target->dot)) return "no products of bytes are summed in 16 bits";
  return g->packs ? "weights are known at run time only" : NULL;
}

/* Saturating products require constant weights, because packing decides which quads can be paired.
 */
static const char *no_saturating(const qn_gemm *g, const qn_target *target) {
  if (!target->dot->saturates) return "no products of bytes saturate";
  return g->packs ? "weights are known at run time only" : NULL;
}

/* Runtime weights are packed for pairs or quads. */
static const char *no_singles(const qn_gemm *g, const qn_target *target) {
  if (!target->dot->single) return "no products take single bytes";
  return g->packs ? "weights are known at run time only" : NULL;
}

static const qn_dot *single_groups_of(const qn_target *target) { return target->single_groups; }

static const char *no_single_groups(const qn_gemm *g, const qn_target *target) {
  if (!target->single_groups) return "no products of single bytes are summed in 16 bits";
  return g->packs ? "weights are known at run time only" : NULL;
}

static const qn_dot *dot_of_pairs(const qn_target *target) {
  (void)target;
  return &qn_dot_pairs;
}

static const char *no_pairs(const qn_gemm *g, const qn_target *target) {
  bool bytes = !qn_bytes_no_quads(g, target) || !no_saturating(g, target) ||
               !no_groups(g, target) || !no_singles(g, target);
  return bytes ? "products of bytes take these weights" : NULL;
}

#define KERNEL                                                                                     \
  .row_sums = qn_bytes_row_sums, .sum_bytes = sizeof(int32_t), .step_taps = QN_QUAD,               \
  .steps = qn_bytes_quad_count, .finish_cycles = qn_epilogue_cycles, .wraps_rows = true,           \
  .choose = qn_bytes_choose, .pack = qn_bytes_pack, .panel = qn_bytes_panel,                       \
  .pack_tile = qn_bytes_pack_tile, .start = qn_bytes_start, .multiply = qn_bytes_multiply,         \
  .finish = qn_bytes_finish

const qn_gemm_micro qn_gemm_quads = {KERNEL,
                                     .name = "vectors of bytes",
                                     .merges = true,
                                     .halves = true,
                                     .columns = 1,
                                     .step_cycles = qn_bytes_quad_cycles,
                                     .most_rows = qn_bytes_most_rows,
                                     .overlapped_rows = qn_bytes_overlapped_rows,
                                     .run = qn_bytes_run,
                                     .problem = qn_bytes_no_quads,
                                     .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_groups = {KERNEL,
                                      .name = "vectors of bytes in groups",
                                      .columns = 1,
                                      .step_cycles = qn_bytes_quad_cycles,
                                      .most_rows = qn_bytes_most_rows_of_groups,
                                      .problem = no_groups,
                                      .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_saturating = {KERNEL,
                                          .name = "vectors of bytes that saturate",
                                          .merges = true,
                                          .halves = true,
                                          .step_cycles = qn_bytes_quad_cycles,
                                          .columns = QN_STEP_SATURATING,
                                          .most_rows = qn_bytes_most_rows,
                                          .problem = no_saturating,
                                          .dot = qn_bytes_dot_of_target,
                                          .estimate = qn_bytes_estimate_operations};
const qn_gemm_micro qn_gemm_pairs = {KERNEL,
                                     .name = "vectors of 16-bit pairs",
                                     .columns = 1,
                                     .step_cycles = qn_bytes_quad_cycles,
                                     .most_rows = qn_bytes_most_rows,
                                     .problem = no_pairs,
                                     .dot = dot_of_pairs,
                                     .open = qn_bytes_open_pairs};
const qn_gemm_micro qn_gemm_singles = {KERNEL,
                                       .name = "single bytes",
                                       .columns = 1,
                                       .step_cycles = qn_bytes_single_cycles,
                                       .most_rows = qn_bytes_most_rows_of_singles,
                                       .problem = no_singles,
                                       .dot = qn_bytes_dot_of_target};
const qn_gemm_micro qn_gemm_single_groups = {KERNEL,
                                             .name = "single bytes in groups",
                                             .columns = QN_STEP_KINDS,
                                             .step_cycles = qn_bytes_single_group_cycles,
                                             .most_rows = qn_bytes_most_rows_of_singles,
                                             .problem = no_single_groups,
                                             .dot = single_groups_of,
                                             .estimate = qn_bytes_estimate_groups};
#undef KERNEL
