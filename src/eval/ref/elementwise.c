/* ADD, SUB and MUL with numpy broadcasting (spec "tflite numerics" 5.1 to 5.3).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "eval/ref/ref.h"

typedef struct binary {
  int32_t a_zero_point, b_zero_point, left_shift;
  qn_multiplier a, b, y;
  qn_ref_output output;
} binary;
/* The result before output zero point and clamp, from operands without their zero points. */
typedef int32_t binary_fn(const binary *p, int32_t a, int32_t b);

static int32_t scaled(int32_t x, int32_t left_shift, qn_multiplier m) {
  return qn_requant32(qn_shl32(x, left_shift), m.mantissa, m.shift);
}
static int32_t sum(const binary *p, int32_t a, int32_t b) {
  int32_t u = scaled(a, p->left_shift, p->a), v = scaled(b, p->left_shift, p->b);
  return qn_requant32(qn_wrap_add32(u, v), p->y.mantissa, p->y.shift);
}
static int32_t difference(const binary *p, int32_t a, int32_t b) {
  int32_t u = scaled(a, p->left_shift, p->a), v = scaled(b, p->left_shift, p->b);
  return qn_requant32(qn_wrap_sub32(u, v), p->y.mantissa, p->y.shift);
}
static int32_t product(const binary *p, int32_t a, int32_t b) {
  return qn_requant32(qn_wrap_mul32(a, b), p->y.mantissa, p->y.shift);
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
  int64_t a, b; /* element numbers */
} walk;

/* To the next element in row-major order. */
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

static qn_status run_binary(qn_eval *ev, const qn_op *op, const binary *p, binary_fn *compute) {
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
  int64_t count = qn_rt_count(y);
  for (int64_t i = 0; i < count; i++, advance(&w))
    qn_rt_set_int(y, i, qn_ref_finish(&p->output, compute(p, a[w.a], b[w.b])));
  return QN_OK;
}

/* ---- model stage ---- */

typedef struct model_quants {
  qn_ref_quant a, b, y;
  const qn_profile *profile;
} model_quants;

static qn_status model_binary(qn_eval *ev, const qn_op *op, model_quants *out_q, binary *out) {
  QN_TRY(qn_ref_profile(ev, op, &out_q->profile));
  QN_TRY(qn_ref_quant8(ev, op, qn_op_operand(op, 0), "operand 0", &out_q->a));
  QN_TRY(qn_ref_quant8(ev, op, qn_op_operand(op, 1), "operand 1", &out_q->b));
  QN_TRY(qn_ref_quant8(ev, op, qn_op_result(op, 0), "a result", &out_q->y));
  if (out_q->a.is_unsigned != out_q->b.is_unsigned || out_q->a.is_unsigned != out_q->y.is_unsigned)
    return qn_eval_fail(ev, op, "mixes signed and unsigned storage");
  *out = (binary){.a_zero_point = out_q->a.affine.zero_point,
                  .b_zero_point = out_q->b.affine.zero_point};
  out->output.zero_point = out_q->y.affine.zero_point;
  qn_activation_range(qn_op_activation(op), out_q->y.affine, &out->output.min, &out->output.max);
  return QN_OK;
}

static qn_status model_sum(qn_eval *ev, const qn_op *op, bool subtract) {
  binary p;
  model_quants q;
  QN_TRY(model_binary(ev, op, &q, &p));
  double a = q.a.affine.scale, b = q.b.affine.scale, y = q.y.affine.scale;
  QN_TRY(qn_ref_check_real(ev, op, 2 * (a > b ? a : b) / y));
  qn_add_multipliers m = qn_multipliers_add(q.profile, a, b, y, subtract);
  p.left_shift = m.left_shift;
  p.a = m.a;
  p.b = m.b;
  p.y = m.output;
  return run_binary(ev, op, &p, subtract ? difference : sum);
}

static qn_status model_add(qn_eval *ev, const qn_op *op) { return model_sum(ev, op, false); }
static qn_status model_sub(qn_eval *ev, const qn_op *op) { return model_sum(ev, op, true); }
static qn_status model_mul(qn_eval *ev, const qn_op *op) {
  binary p;
  model_quants q;
  QN_TRY(model_binary(ev, op, &q, &p));
  double real = qn_real_mul(q.profile, q.a.affine.scale, q.b.affine.scale, q.y.affine.scale);
  QN_TRY(qn_ref_check_real(ev, op, real));
  p.y = qn_multiplier_of(real);
  return run_binary(ev, op, &p, product);
}

/* ---- integer stage ---- */

static qn_status integer_binary(qn_eval *ev, const qn_op *op, binary *out) {
  *out = (binary){0};
  QN_TRY(qn_ref_zero_point(ev, op, QN_A_A_ZERO_POINT, &out->a_zero_point));
  QN_TRY(qn_ref_zero_point(ev, op, QN_A_B_ZERO_POINT, &out->b_zero_point));
  QN_TRY(qn_ref_multiplier(ev, op, QN_A_MULTIPLIER, QN_A_SHIFT, &out->y));
  return qn_ref_output_of(ev, op, &out->output);
}

static qn_status integer_sum(qn_eval *ev, const qn_op *op, binary_fn *compute) {
  binary p;
  QN_TRY(integer_binary(ev, op, &p));
  QN_TRY(qn_ref_i32(ev, op, QN_A_LEFT_SHIFT, 0, 31, &p.left_shift));
  QN_TRY(qn_ref_multiplier(ev, op, QN_A_A_MULTIPLIER, QN_A_A_SHIFT, &p.a));
  QN_TRY(qn_ref_multiplier(ev, op, QN_A_B_MULTIPLIER, QN_A_B_SHIFT, &p.b));
  return run_binary(ev, op, &p, compute);
}

static qn_status integer_add(qn_eval *ev, const qn_op *op) { return integer_sum(ev, op, sum); }
static qn_status integer_sub(qn_eval *ev, const qn_op *op) {
  return integer_sum(ev, op, difference);
}
static qn_status integer_mul(qn_eval *ev, const qn_op *op) {
  binary p;
  QN_TRY(integer_binary(ev, op, &p));
  return run_binary(ev, op, &p, product);
}

qn_status qn_eval_ml_add(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, model_add); }
qn_status qn_eval_ml_sub(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, model_sub); }
qn_status qn_eval_ml_mul(qn_eval *ev, const qn_op *op) { return qn_ref_run_model(ev, op, model_mul); }
qn_status qn_eval_ml_integer_add(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, integer_add);
}
qn_status qn_eval_ml_integer_sub(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, integer_sub);
}
qn_status qn_eval_ml_integer_mul(qn_eval *ev, const qn_op *op) {
  return qn_ref_run(ev, op, integer_mul);
}
