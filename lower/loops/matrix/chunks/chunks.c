/* Cache blocking over M: the work items of a block.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_emit.h"

bool qn_gemm_exceeds_l2(const qn_gemm_emitter *e) {
  int64_t l2 = e->target->l2_bytes;
  const qn_value *x = e->plan->gemm->producer ? e->producer[0] : e->x;
  return l2 > 0 && qn_type_size(x->type) + qn_type_size(e->y->type) > l2 / 2;
}

/* Work items per cache block: about PIXELS pixels, so that their x and y stay in L2 while all
 * panels are used. The panels must leave room for them. */
int64_t qn_gemm_chunk_units(const qn_gemm_emitter *e) {
  enum { PIXELS = 112, SHARE = 8 };
  const qn_gemm_plan *plan = e->plan;
  int64_t bytes = plan->panel_elements * plan->gemm->micro->sum_bytes;
  bool passes = plan->gemm->micro->chunks && plan->tile_count > 1;
  if (!passes || qn_gemm_by_tile(plan)) return 0;
  if (bytes > e->target->l2_bytes / SHARE || !qn_gemm_exceeds_l2(e)) return 0;
  int64_t pixels = plan->unit == QN_UNIT_PIXELS ? plan->unit_pixels : plan->pixels;
  return pixels < PIXELS ? PIXELS / pixels : 1;
}
