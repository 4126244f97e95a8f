/* ml.svdf. The new state is a result of the op, so the op has no side effects (docs/arithmetic.md
 * 14).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

static int32_t dot(const int32_t *a, const int32_t *b, int64_t count) {
  uint32_t sum = 0;
  for (int64_t i = 0; i < count; i++) sum += (uint32_t)a[i] * (uint32_t)b[i];
  return (int32_t)sum;
}

/* ---- svdf ---- */

enum { SVDF_X, SVDF_STATE, SVDF_FEATURES, SVDF_TIMES, SVDF_BIAS };

typedef struct svdf {
  int64_t batch, depth, filters, memory, units;
  const qn_plan_svdf *plan;
  int32_t *x, *features, *times; /* without zero points */
  const int32_t *bias;
} svdf;

/* Shifts all batch elements as one run by one element; the last element of each filter is
 * overwritten later. */
static void move_state(const qn_rt_value *from, qn_rt_value *to) {
  int64_t count = qn_rt_count(from);
  for (int64_t i = 0; i < count; i++)
    qn_rt_set_int(to, i, qn_rt_int(from, i + 1 < count ? i + 1 : i));
}

/* The newest element of a filter's state. The addition of the zero point wraps in the state's
 * type. */
static int32_t new_element(const svdf *s, int64_t n, int64_t f, uint32_t width) {
  int32_t sum = dot(s->x + n * s->depth, s->features + f * s->depth, s->depth);
  int32_t lo = -(1 << (width - 1)), hi = (1 << (width - 1)) - 1;
  int32_t y = qn_clamp32(qn_requant32_by(sum, s->plan->state, s->plan->rounding), lo, hi) +
              s->plan->state_zero_point;
  return width == 8 ? (int8_t)(uint8_t)y : (int16_t)(uint16_t)y;
}

static int32_t filtered(const svdf *s, const qn_rt_value *state, int64_t n, int64_t f) {
  uint32_t sum = 0;
  for (int64_t m = 0; m < s->memory; m++) {
    int64_t stored = qn_rt_int(state, (n * s->filters + f) * s->memory + m);
    sum += (uint32_t)s->times[f * s->memory + m] *
           (uint32_t)(int32_t)(stored - s->plan->state_zero_point);
  }
  return (int32_t)sum;
}

static void run_svdf(const svdf *s, qn_rt_value *y, qn_rt_value *state, uint32_t width) {
  int64_t rank = s->filters / s->units;
  for (int64_t n = 0; n < s->batch; n++)
    for (int64_t f = 0; f < s->filters; f++)
      qn_rt_set_int(state, (n * s->filters + f + 1) * s->memory - 1, new_element(s, n, f, width));
  for (int64_t n = 0; n < s->batch; n++)
    for (int64_t u = 0; u < s->units; u++) {
      int32_t sum = s->bias ? s->bias[u] : 0;
      for (int64_t r = 0; r < rank; r++)
        sum = qn_wrap_add32(sum, filtered(s, state, n, u * rank + r));
      qn_rt_set_int(
          y, n * s->units + u,
          qn_ref_finish(&s->plan->output, qn_requant32_by(sum, s->plan->y, s->plan->rounding)));
    }
}

qn_status qn_ref_svdf(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_type *features = qn_ref_operand_type(op, SVDF_FEATURES);
  const qn_type *times = qn_ref_operand_type(op, SVDF_TIMES), *y = qn_ref_result_type(op, 0);
  if (features->shaped.rank != 2 || times->shaped.rank != 2 || y->shaped.rank != 2)
    return qn_eval_fail(ev, op, "needs weights and a result of rank 2");
  svdf s = {.batch = y->shaped.dims[0],
            .units = y->shaped.dims[1],
            .filters = features->shaped.dims[0],
            .depth = features->shaped.dims[1],
            .memory = times->shaped.dims[1],
            .plan = &plan->svdf};
  const qn_rt_value *x = qn_eval_operand(ev, op, SVDF_X),
                    *state = qn_eval_operand(ev, op, SVDF_STATE);
  qn_rt_value *new_state = qn_eval_result(ev, op, 1);
  bool fits = s.units > 0 && s.filters % s.units == 0 && times->shaped.dims[0] == s.filters &&
              qn_rt_count(x) == s.batch * s.depth &&
              qn_rt_count(state) == s.batch * s.filters * s.memory &&
              qn_rt_count(new_state) == qn_rt_count(state);
  if (!fits) return qn_eval_fail(ev, op, "has operands whose shapes don't fit");
  s.x = qn_ref_load(ev, x, s.plan->input_zero_point);
  s.features = qn_ref_load(ev, qn_eval_operand(ev, op, SVDF_FEATURES), 0);
  s.times = qn_ref_load(ev, qn_eval_operand(ev, op, SVDF_TIMES), 0);
  if (op->operand_count > SVDF_BIAS) {
    const qn_rt_value *bias = qn_eval_operand(ev, op, SVDF_BIAS);
    if (qn_rt_count(bias) != s.units) return qn_eval_fail(ev, op, "has a bias of another size");
    s.bias = qn_ref_load(ev, bias, 0);
  }
  move_state(state, new_state);
  run_svdf(&s, qn_eval_result(ev, op, 0), new_state,
           (uint32_t)(8 * qn_type_bytes(qn_type_element(state->type))));
  return QN_OK;
}

qn_status qn_eval_ml_integer_svdf(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_svdf, qn_ref_svdf);
}
