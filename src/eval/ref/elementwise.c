/* ADD, SUB and MUL with numpy broadcasting (docs/arithmetic.md 6.1 to 6.3).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

/* The result before output zero point and clamp, from operands without their zero points. */
typedef int32_t binary_fn(const qn_plan_binary *p, int32_t a, int32_t b);

static int32_t term(const qn_plan_binary *p, int32_t x, qn_multiplier m) {
  return qn_sum_term(x, p->left_shift, m, p->terms);
}
static int32_t sum(const qn_plan_binary *p, int32_t a, int32_t b) {
  int32_t uv = qn_wrap_add32(term(p, a, p->a), term(p, b, p->b));
  return qn_requant32_by(uv, p->y, qn_sum_rounding(p->terms));
}
static int32_t difference(const qn_plan_binary *p, int32_t a, int32_t b) {
  int32_t u = term(p, a, p->a), v = term(p, b, p->b);
  return qn_requant32(qn_wrap_sub32(u, v), p->y.mantissa, p->y.shift);
}
static int32_t product(const qn_plan_binary *p, int32_t a, int32_t b) {
  int32_t ab = qn_wrap_mul32(a, b);
  return p->rounding == QN_REQUANT_SINGLE ? qn_requant_single(ab, p->y.mantissa, p->y.shift, 0)
                                          : qn_requant32_by(ab, p->y, p->rounding);
}

/* ---- broadcasting ---- */

/* Element strides of an operand against the result's dimensions: 0 where it is repeated. False when
 * the shapes don't match. */
static bool broadcast_strides(const qn_type *from, const qn_type *to, int64_t *strides) {
  uint32_t missing = to->shaped.rank - from->shaped.rank;
  if (from->shaped.rank > to->shaped.rank) return false;
  int64_t stride = 1;
  for (uint32_t d = to->shaped.rank; d-- > 0;) {
    int64_t size = d < missing ? 1 : from->shaped.dims[d - missing];
    if (size != 1 && size != to->shaped.dims[d]) return false;
    strides[d] = size == 1 ? 0 : stride;
    stride *= size;
  }
  return true;
}

typedef struct walk {
  uint32_t rank;
  const int64_t *dims;
  int64_t *index, *a_strides, *b_strides;
  int64_t a, b; /* element indices */
} walk;

/* Advances to the next element in row-major order. */
static void advance(walk *w) {
  for (uint32_t d = w->rank; d-- > 0;) {
    w->a += w->a_strides[d];
    w->b += w->b_strides[d];
    if (++w->index[d] < w->dims[d]) return;
    w->a -= w->dims[d] * w->a_strides[d];
    w->b -= w->dims[d] * w->b_strides[d];
    w->index[d] = 0;
  }
}

static qn_status run_binary(qn_eval *ev, const qn_op *op, const qn_plan_binary *p,
                            binary_fn *compute) {
  qn_rt_value *y = qn_eval_result(ev, op, 0);
  uint32_t rank = y->type->shaped.rank;
  walk w = {.rank = rank, .dims = y->type->shaped.dims};
  w.index = QN_NEW_ARRAY(ev->arena, rank + 1, int64_t);
  w.a_strides = QN_NEW_ARRAY(ev->arena, rank + 1, int64_t);
  w.b_strides = QN_NEW_ARRAY(ev->arena, rank + 1, int64_t);
  if (!broadcast_strides(qn_ref_operand_type(op, 0), y->type, w.a_strides) ||
      !broadcast_strides(qn_ref_operand_type(op, 1), y->type, w.b_strides))
    return qn_eval_fail(ev, op, "has operands that don't broadcast to the result");
  const int32_t *a = qn_ref_load(ev, qn_eval_operand(ev, op, 0), p->a_zero_point);
  const int32_t *b = qn_ref_load(ev, qn_eval_operand(ev, op, 1), p->b_zero_point);
  enum { RUN = 256 };
  int32_t run[RUN];
  int64_t count = qn_rt_count(y);
  for (int64_t first = 0; first < count; first += RUN) {
    int64_t length = count - first < RUN ? count - first : RUN;
    for (int64_t i = 0; i < length; i++, advance(&w))
      run[i] = qn_ref_finish(&p->output, compute(p, a[w.a], b[w.b]));
    qn_ref_store(y, first, run, length);
    qn_guard_work(length);
  }
  return QN_OK;
}

/* ---- evaluators ---- */

static qn_status add(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  return run_binary(ev, op, &plan->binary, sum);
}
static qn_status subtract(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  return run_binary(ev, op, &plan->binary, difference);
}
static qn_status multiply(qn_eval *ev, const qn_op *op, const qn_plan *plan) {
  return run_binary(ev, op, &plan->binary, product);
}

qn_status qn_eval_ml_add(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, add); }
qn_status qn_eval_ml_sub(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, subtract);
}
qn_status qn_eval_ml_mul(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_model(ev, op, multiply);
}
qn_status qn_eval_ml_integer_add(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_sum, add);
}
qn_status qn_eval_ml_integer_sub(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_sum, subtract);
}
qn_status qn_eval_ml_integer_mul(qn_eval *ev, const qn_op *op) {
  return qn_ref_run_integer(ev, op, qn_plan_read_product, multiply);
}
