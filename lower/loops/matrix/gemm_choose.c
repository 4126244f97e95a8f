/* Selects the cheapest micro-kernel that supports a product. Each product is decided once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_emit.h"

qn_gemm qn_gemm_with(const qn_gemm *g, const qn_gemm_micro *micro, const qn_target *target) {
  qn_gemm with = *g;
  with.micro = micro;
  with.dot = micro->dot ? micro->dot(target) : NULL;
  return with;
}

static const char *problem_of(const qn_gemm_micro *micro, const qn_gemm *g,
                              const qn_target *target) {
  const char *problem = micro->problem ? micro->problem(g, target) : NULL;
  if (!problem && g->merged && !micro->merges) problem = "a vector has channels of several groups";
  return problem;
}

qn_gemm_choice qn_gemm_choose(qn_arena *scratch, const qn_gemm *g, const qn_target *target) {
  qn_gemm_choice choice = {.micro = NULL};
  uint32_t able = 0;
  for (uint32_t i = 0; g->candidates[i]; i++) {
    const qn_gemm_micro *micro = g->candidates[i];
    QN_ASSERT(i < QN_GEMM_CANDIDATES);
    choice.problems[i] = problem_of(micro, g, target);
    if (!choice.problems[i]) able++, choice.micro = micro;
  }
  QN_ASSERT(able > 0);
  double least = 0;
  for (uint32_t i = 0; able > 1 && g->candidates[i]; i++) {
    if (choice.problems[i]) continue;
    qn_gemm with = qn_gemm_with(g, g->candidates[i], target);
    if (with.micro->estimate) with.estimate = with.micro->estimate(scratch, target, &with);
    choice.cycles[i] = qn_gemm_cycles(&with, target);
    if (least != 0 && choice.cycles[i] >= least) continue;
    least = choice.cycles[i], choice.micro = g->candidates[i];
  }
  return choice;
}
