/* Matrix products: with transposed constant weights [units, K], where the input is viewed as rows
 * of K values (docs/arithmetic.md 5.3), and with two computed operands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"
#include "ir/ops/infer/matmul.h"

static void run_linear(const int32_t *x, const int32_t *w, const int64_t *bias,
                       const qn_plan_matrix *m, int64_t rows, int64_t depth, qn_rt_value *y) {
  for (int64_t row = 0; row < rows; row++)
    for (int64_t unit = 0; unit < m->channels; unit++) {
      uint64_t acc = (uint64_t)bias[unit];
      for (int64_t k = 0; k < depth; k++)
        acc += (uint64_t)((int64_t)x[row * depth + k] * w[unit * depth + k]);
      qn_guard_work(depth);
      qn_rt_set_int(y, row * m->channels + unit, qn_ref_requantize(m, unit, acc));
    }
}

static qn_status multiply(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_plan_matrix *m = &plan->matrix;
  const qn_rt_value *x = qn_eval_operand(ev, op, 0), *w = qn_eval_operand(ev, op, 1);
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  const int64_t *bias;
  QN_TRY(qn_ref_channels(ev, op, m, &bias));
  int64_t depth = w->type->shaped.rank == 2 ? w->type->shaped.dims[1] : 0;
  if (depth < 1 || qn_rt_count(x) % depth != 0 ||
      qn_rt_count(x) / depth * m->channels != qn_rt_count(y))
    return qn_eval_fail(ev, op, "has an input that is not the result's number of rows of %lld",
                        (long long)depth);
  run_linear(qn_ref_load(ev, x, m->input_zero_point), qn_ref_load(ev, w, m->weight_zero_point),
             bias, m, qn_rt_count(x) / depth, depth, y);
  return QN_OK;
}

qn_status qn_eval_ml_linear(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_either(ev, op, qn_ref_linear_floats, multiply);
}
qn_status qn_eval_ml_integer_linear(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_matrix, multiply);
}

/* ---- two computed operands ---- */

/* One sum of products, which wraps at 32 bits. */
static int32_t sum_of(const int32_t *x, int64_t x_step, const int32_t *y, int64_t y_step,
                      int64_t depth) {
  uint32_t sum = 0;
  for (int64_t k = 0; k < depth; k++) sum += (uint32_t)x[k * x_step] * (uint32_t)y[k * y_step];
  qn_guard_work(depth);
  return (int32_t)sum;
}

static int32_t scaled(const qn_plan_binary *p, int32_t sum) {
  if (p->rounding == QN_REQUANT_EVEN) return qn_requant_even(sum, p->real, 0);
  if (p->rounding == QN_REQUANT_SINGLE) return qn_requant_single(sum, p->y.mantissa, p->y.shift, 0);
  return qn_requant32_by(sum, p->y, p->rounding);
}

static qn_status multiply_pair(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  const qn_plan_binary *p = &plan->binary;
  qn_rt_value *out = qn_eval_result(ev, op, 0);
  qn_matmul m;
  const char *problem = qn_matmul_of(op, &m);
  if (!problem && m.batch_count * m.rows * m.columns != qn_rt_count(out))
    problem = "has a result of another shape";
  if (problem) return qn_eval_fail(ev, op, "%s", problem);
  const int32_t *x = qn_ref_load(ev, qn_eval_operand(ev, op, 0), p->a_zero_point);
  const int32_t *y = qn_ref_load(ev, qn_eval_operand(ev, op, 1), p->b_zero_point);
  int64_t at = 0;
  for (int64_t batch = 0; batch < m.batch_count; batch++) {
    const int32_t *rows = x + qn_matmul_batch_offset(op, &m, 0, batch);
    const int32_t *columns = y + qn_matmul_batch_offset(op, &m, 1, batch);
    for (int64_t r = 0; r < m.rows; r++)
      for (int64_t c = 0; c < m.columns; c++) {
        int32_t sum =
            sum_of(rows + r * m.x_row, m.x_step, columns + c * m.y_column, m.y_step, m.depth);
        qn_rt_set_int(out, at++, qn_ref_finish(&p->output, scaled(p, sum)));
      }
  }
  return QN_OK;
}

qn_status qn_eval_ml_matmul(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_either(ev, op, qn_ref_matmul_floats, multiply_pair);
}
qn_status qn_eval_ml_integer_matmul(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_product, multiply_pair);
}
