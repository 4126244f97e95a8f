/* Matrix products of 8-bit x: the candidate micro-kernels, and the chosen one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/bytes.h"

#include "lower/loops/choices.h"

const qn_gemm_micro *const qn_bytes_candidates[] = {
    &qn_gemm_quads,         &qn_gemm_groups, &qn_gemm_saturating, &qn_gemm_pairs, &qn_gemm_singles,
    &qn_gemm_single_groups, &qn_gemm_blocks, &qn_gemm_across,     &qn_gemm_tiles, NULL};

qn_gemm qn_bytes_gemm(const qn_op *op, qn_bytes_product *product) {
  return (qn_gemm){
      .op = op,
      .candidates = qn_bytes_candidates,
      .channels = product->weights->channels,
      .tap_count = product->weights->taps,
      .packs = !product->weights->constant,
      .source = {.weights = qn_op_operand(op, 1)},
      .own = product,
  };
}

/* Whether lanes of a product can have quads of their own: it neither takes a lane of a vector of
 * quads nor single bytes. */
static bool takes_own_quads(const qn_dot *dot) {
  return qn_dot_takes_quads(dot) && dot->quads == 0;
}

void qn_bytes_merge_groups(qn_gemm *g, const qn_target *target) {
  const int64_t lanes = target->vector_bytes / (int64_t)sizeof(int32_t);
  bool in_quads = g->group_stride == QN_QUAD && g->tap_count % QN_QUAD == 0;
  if (in_quads && takes_own_quads(target->dot)) qn_gemm_merge_groups(g, lanes);
}

void qn_bytes_gemm_finish(qn_loops *lo, qn_gemm *gemm, const char *stem,
                          qn_bytes_product *product) {
  const qn_gemm_choice *choice = qn_choice_of(lo, gemm->op);
  QN_ASSERT(choice && choice->micro); /* made before fusion, for each product */
  *gemm = qn_gemm_with(gemm, choice->micro, lo->target);
  gemm->stem = stem;
  product->sum = qn_fusion_float_add_of(lo, gemm->op);
  gemm->can_repeat = qn_fusion_is_unary(lo, gemm->op);
}

void *qn_bytes_choose_micro(qn_loops *lo, qn_gemm_geometry_fn *geometry, const qn_op *op) {
  qn_gemm_choice *choice = QN_NEW(lo->kept, qn_gemm_choice);
  qn_arena_mark mark = qn_arena_get_mark(lo->scratch);
  qn_weights weights;
  qn_bytes_product product = {.weights = &weights};
  qn_gemm gemm;
  bool can = geometry(lo, op, &product, &weights, &gemm);
  if (can) *choice = qn_gemm_choose(lo->scratch, &gemm, lo->target);
  qn_arena_rewind(lo->scratch, mark);
  return can ? choice : NULL;
}
