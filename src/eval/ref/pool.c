/* Pooling of stored values, zero point included (docs/arithmetic.md 7.1, 7.2).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

typedef struct pool {
  qn_ref_window window;
  const qn_plan_pool *plan;
} pool;
/* One result from the taps of one window: `count` of them, at least one. */
typedef int32_t pool_fn(const pool *p, const int32_t *taps, int32_t count);

static int32_t average(const pool *p, const int32_t *taps, int32_t count) {
  int32_t sum = 0;
  for (int32_t i = 0; i < count; i++) sum = qn_wrap_add32(sum, taps[i]);
  return p->plan->rounding == QN_AVERAGE_HALF_UP ? qn_average_half_up(sum, count)
                                                 : qn_average_half_away(sum, count);
}

static int32_t maximum(const pool *p, const int32_t *taps, int32_t count) {
  (void)p;
  int32_t most = taps[0];
  for (int32_t i = 1; i < count; i++) most = taps[i] > most ? taps[i] : most;
  return most;
}

/* Gathers the values of one channel that are inside the input; returns their number. */
static int32_t gather(const qn_ref_window *g, const int32_t *x, int64_t n, int64_t oy, int64_t ox,
                      int64_t c, int32_t *taps) {
  int32_t count = 0;
  for (int64_t ky = 0; ky < g->kernel_h; ky++) {
    qn_guard_work(g->kernel_w);
    int64_t iy = oy * g->stride_h + ky - g->pad_top;
    if (iy < 0 || iy >= g->in_h) continue;
    for (int64_t kx = 0; kx < g->kernel_w; kx++) {
      int64_t ix = ox * g->stride_w + kx - g->pad_left;
      if (ix < 0 || ix >= g->in_w) continue;
      taps[count++] = x[((n * g->in_h + iy) * g->in_w + ix) * g->in_c + c];
    }
  }
  return count;
}

static qn_status run_pool(qn_eval *ev, const qn_op *op, const pool *p, pool_fn *compute) {
  const qn_ref_window *g = &p->window;
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  const int32_t *x = qn_ref_load(ev, qn_eval_operand(ev, op, 0), 0);
  int64_t most = (g->kernel_h < g->in_h ? g->kernel_h : g->in_h) *
                 (g->kernel_w < g->in_w ? g->kernel_w : g->in_w);
  int32_t *taps = QN_NEW_ARRAY(ev->arena, (size_t)most + 1, int32_t);
  int64_t at = 0;
  for (int64_t n = 0; n < g->batch; n++)
    for (int64_t oy = 0; oy < g->out_h; oy++)
      for (int64_t ox = 0; ox < g->out_w; ox++)
        for (int64_t c = 0; c < g->out_c; c++) {
          int32_t count = gather(g, x, n, oy, ox, c, taps);
          if (count == 0)
            return qn_eval_fail(ev, op, "has a window that lies outside of its input");
          qn_rt_set_int(y, at++, qn_clamp32(compute(p, taps, count), p->plan->min, p->plan->max));
        }
  return QN_OK;
}

static qn_status pool_window(qn_eval *ev, const qn_op *op, qn_ref_window *out) {
  const int64_t *kernel;
  QN_TRY(qn_ref_i64s(ev, op, QN_A_KERNEL_SIZES, 2, 1, &kernel));
  QN_TRY(qn_ref_window_of(ev, op, kernel[0], kernel[1], out));
  if (out->in_c != out->out_c) return qn_eval_fail(ev, op, "changes the number of channels");
  return QN_OK;
}

static qn_status averages(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  pool p = {.plan = &plan->pool};
  QN_TRY(pool_window(ev, op, &p.window));
  return run_pool(ev, op, &p, average);
}
static qn_status maxima(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  pool p = {.plan = &plan->pool};
  QN_TRY(pool_window(ev, op, &p.window));
  return run_pool(ev, op, &p, maximum);
}

qn_status qn_eval_ml_avg_pool(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, averages);
}
qn_status qn_eval_ml_max_pool(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, maxima);
}
qn_status qn_eval_ml_integer_avg_pool(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_pool, averages);
}
qn_status qn_eval_ml_integer_max_pool(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_pool, maxima);
}
