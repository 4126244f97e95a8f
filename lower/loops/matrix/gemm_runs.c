/* Loops over runs of weights, and over the steps of one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/matrix/gemm_runs.h"

#include "lower/loops/nest.h"

enum { MAX_UNROLLED = 4 /* steps without a loop */ };

typedef qn_gemm_emitter emitter;

void qn_gemm_find_runs(qn_gemm_plan *plan) {
  const qn_gemm *g = plan->gemm;
  const int64_t *taps = g->taps;
  int64_t count = g->tap_count, length = 1;
  plan->run_step = count > 1 ? taps[1] - taps[0] : 1;
  while (length < count && taps[length] - taps[length - 1] == plan->run_step) length++;
  bool even = count % length == 0;
  for (int64_t t = 0; t < count && even; t++)
    even = taps[t] == taps[t / length * length] + t % length * plan->run_step;
  plan->run_length = even ? length : 1;
  if (plan->run_length == count) return;
  for (int64_t t = 0; t < count; t += plan->run_length)
    qn_array_push(&plan->offsets, (int32_t)taps[t]);
}

static qn_op *open_loop(emitter *e, qn_gemm_sums *sums, int64_t count, qn_value **out_index) {
  uint32_t n = (uint32_t)sums->rows * sums->vectors;
  qn_op *loop = qn_nest_carry(e->b, 0, count, 1, sums->at, n);
  const qn_block *body = qn_op_body(loop);
  for (uint32_t i = 0; i < n; i++) sums->at[i] = body->args[1 + i];
  *out_index = body->args[0];
  return loop;
}

static void close_loop(emitter *e, qn_gemm_sums *sums, const qn_op *loop) {
  uint32_t n = (uint32_t)sums->rows * sums->vectors;
  qn_build_yield(e->b, sums->at, n);
  for (uint32_t i = 0; i < n; i++) sums->at[i] = qn_op_result(loop, i);
}

void qn_gemm_repeat(emitter *e, qn_gemm_sums *sums, qn_gemm_steps steps, qn_value *x, qn_value *w,
                    qn_gemm_step_fn *step) {
  if (steps.count <= MAX_UNROLLED) {
    for (int64_t i = 0; i < steps.count; i++) {
      qn_value *from = qn_index_add(e->b, x, i * steps.x_stride);
      step(e, sums, from, qn_index_add(e->b, w, i * steps.w_stride));
    }
    return;
  }
  qn_value *i;
  qn_op *loop = open_loop(e, sums, steps.count, &i);
  qn_value *from = qn_gemm_add(e, x, qn_index_affine(e->b, i, steps.x_stride, 0));
  step(e, sums, from, qn_gemm_add(e, w, qn_index_affine(e->b, i, steps.w_stride, 0)));
  close_loop(e, sums, loop);
}

void qn_gemm_each_run(emitter *e, qn_gemm_sums *sums, qn_value *x, qn_value *w, int64_t elements,
                      qn_gemm_step_fn *run) {
  const qn_gemm_plan *plan = e->plan;
  int64_t runs = plan->gemm->tap_count / plan->run_length;
  if (runs == 1) {
    run(e, sums, qn_index_add(e->b, x, plan->gemm->taps[0]), w);
    return;
  }
  qn_value *i;
  qn_op *loop = open_loop(e, sums, runs, &i);
  qn_value *from = qn_gemm_add(e, x, qn_index_load(e->b, e->offsets, i, 0));
  run(e, sums, from, qn_gemm_add(e, w, qn_index_affine(e->b, i, elements, 0)));
  close_loop(e, sums, loop);
}
