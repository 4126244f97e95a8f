/* ml.add, ml.sub and ml.mul on two tensors of 8 or of 16 bits (docs/arithmetic.md 6.1 to 6.3).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

/* ---- plan ---- */

typedef struct tensors {
  qn_plan_tensor a, b, y;
} tensors;

static qn_status tensor_of(qn_planner *p, const qn_op *op, const qn_value *value, const char *role,
                           qn_plan_tensor *out) {
  QN_TRY(qn_plan_tensor_of_width(p, op, value, role, 8 | 16, out));
  return qn_plan_symmetric16(p, op, out);
}

static qn_status tensors_of(qn_planner *p, const qn_op *op, tensors *out_t) {
  QN_TRY(tensor_of(p, op, op->operands[0].value, "operand 0", &out_t->a));
  QN_TRY(tensor_of(p, op, op->operands[1].value, "operand 1", &out_t->b));
  QN_TRY(tensor_of(p, op, &op->results[0], "the result", &out_t->y));
  QN_TRY(qn_plan_same_type(p, op, &out_t->a, &out_t->b));
  return qn_plan_same_type(p, op, &out_t->a, &out_t->y);
}

static qn_plan_binary binary_of(const qn_op *op, const tensors *t) {
  return (qn_plan_binary){.a_zero_point = t->a.affine.zero_point,
                          .b_zero_point = t->b.affine.zero_point,
                          .output = qn_plan_output_of(op, &t->y)};
}

/* Whether one element of an operand meets several of the other along the innermost dimension in
 * which they are not of one size 1. */
static bool repeats_innermost(const qn_op *op) {
  const qn_type *a = op->operands[0].value->type, *b = op->operands[1].value->type;
  for (uint32_t i = 1; i <= a->shaped.rank || i <= b->shaped.rank; i++) {
    int64_t x = i <= a->shaped.rank ? a->shaped.dims[a->shaped.rank - i] : 1;
    int64_t y = i <= b->shaped.rank ? b->shaped.dims[b->shaped.rank - i] : 1;
    if (x != 1 || y != 1) return x != y;
  }
  return false;
}

/* A term of the sum: rounded to the nearest, and down. */
static int32_t term(int32_t x, int32_t left_shift, qn_multiplier m) {
  return qn_requant32(qn_shl32(x, left_shift), m.mantissa, m.shift);
}
static int32_t lower_term(int32_t x, int32_t left_shift, qn_multiplier m) {
  if (m.shift >= 0) return term(x, left_shift, m);
  return qn_rdhm32(qn_shl32(x, left_shift), m.mantissa) >> -m.shift;
}
static int32_t finish(const qn_plan_binary *m, int32_t sum) {
  int64_t y = qn_requant32(sum, m->y.mantissa, m->y.shift);
  return qn_clamp32(y + m->output.zero_point, m->output.min, m->output.max);
}

/* LiteRT's vectors round terms down where an operand is repeated along the last dimension, and to
 * the nearest in what is left over: whether that tells for any pair of stored values. */
static bool place_tells(const tensors *t, const qn_plan_binary *m) {
  const qn_affine8 *a = &t->a.affine, *b = &t->b.affine;
  for (int32_t i = a->min; i <= a->max; i++) {
    const int32_t x = i - a->zero_point;
    const int32_t near = term(x, m->left_shift, m->a), low = lower_term(x, m->left_shift, m->a);
    for (int32_t k = b->min; k <= b->max; k++) {
      const int32_t y = k - b->zero_point;
      if (finish(m, near + term(y, m->left_shift, m->b)) !=
          finish(m, low + lower_term(y, m->left_shift, m->b)))
        return true;
    }
  }
  return false;
}

static qn_status plan_sum(qn_planner *p, const qn_op *op, qn_plan *out) {
  if (qn_plan_is_whole(op->operands[0].value)) return qn_plan_form(out);
  tensors t;
  QN_TRY(tensors_of(p, op, &t));
  double a = t.a.affine.scale, b = t.b.affine.scale, y = t.y.affine.scale;
  QN_TRY(qn_plan_check_ratio(p, op, 2.0 * (a > b ? a : b) / y));
  if (!qn_multipliers_add_exist(p->profile, t.a.width, a, b, y))
    return qn_plan_refuse_numbers(p, "'%.*s' has scales whose ratios %g and %g are out of range",
                                  QN_STR_ARG(op->name), a / y, b / y);
  qn_add_multipliers m =
      qn_multipliers_add(p->profile, t.a.width, a, b, y, op->kind == QN_OP_ML_SUB);
  bool shifted = t.a.width == 16 || p->profile->adds == QN_ADD_THRICE;
  if (m.output.shift > 0 && shifted && p->needs_consent)
    return qn_plan_refuse(p, op,
                          "its output multiplier %g is not below 1, and the kernels of %s define "
                          "no other",
                          qn_multiplier_real(m.output), p->profile->name);
  out->kind = QN_PLAN_SUM;
  out->binary = binary_of(op, &t);
  out->binary.left_shift = m.left_shift;
  out->binary.a = m.a;
  out->binary.b = m.b;
  out->binary.y = m.output;
  if (t.a.width == 8 && op->kind == QN_OP_ML_ADD && !p->profile->repeated_add8 &&
      p->needs_consent && repeats_innermost(op) && place_tells(&t, &out->binary))
    return qn_plan_refuse(p, op,
                          "one operand is repeated along the last dimension, and with these scales "
                          "what the kernels of %s round depends on the element's place",
                          p->profile->name);
  if (!p->profile->sum_above_one && m.output.shift > 0)
    qn_plan_note_on(p, out, QN_WARNING,
                    "the profile %s defines '%.*s' only for an output multiplier below 1",
                    p->profile->name, QN_STR_ARG(op->name));
  return QN_OK;
}

static qn_status plan_product(qn_planner *p, const qn_op *op, qn_plan *out) {
  if (qn_plan_is_whole(op->operands[0].value)) return qn_plan_form(out);
  tensors t;
  QN_TRY(tensors_of(p, op, &t));
  double real = qn_real_mul(p->profile, t.a.affine.scale, t.b.affine.scale, t.y.affine.scale);
  QN_TRY(qn_plan_check_ratio(p, op, real));
  out->kind = QN_PLAN_PRODUCT;
  out->binary = binary_of(op, &t);
  out->binary.y = qn_multiplier_of(real);
  if (t.a.width == 8) out->binary.rounding = p->profile->mul_requant;
  return QN_OK;
}

/* ---- write ---- */

qn_value *qn_plan_build_product(qn_planner *p, qn_builder *b, qn_op *op, qn_value *x, qn_value *y,
                                const qn_plan_binary *m) {
  return qn_plan_build(p, b, op, QN_VALUES(x, y),
                       QN_ATTRS({"a_zero_point", qn_attr_i64(b->cx, m->a_zero_point)},
                                {"b_zero_point", qn_attr_i64(b->cx, m->b_zero_point)},
                                {"multiplier", qn_attr_i64(b->cx, m->y.mantissa)},
                                {"shift", qn_attr_i64(b->cx, m->y.shift)},
                                {"output_zero_point", qn_attr_i64(b->cx, m->output.zero_point)},
                                {"min", qn_attr_i64(b->cx, m->output.min)},
                                {"max", qn_attr_i64(b->cx, m->output.max)}));
}

static qn_value *write_product(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_binary *m = &plan->binary;
  qn_value *y = qn_plan_build_product(p, b, op, op->operands[0].value, op->operands[1].value, m);
  if (m->rounding != QN_REQUANT_DOUBLE) qn_plan_set_rounding(b, y->op, m->rounding);
  return y;
}

static qn_value *write_sum(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_binary *m = &plan->binary;
  return qn_plan_build(p, b, op, QN_VALUES(op->operands[0].value, op->operands[1].value),
                       QN_ATTRS({"a_zero_point", qn_attr_i64(b->cx, m->a_zero_point)},
                                {"b_zero_point", qn_attr_i64(b->cx, m->b_zero_point)},
                                {"left_shift", qn_attr_i64(b->cx, m->left_shift)},
                                {"a_multiplier", qn_attr_i64(b->cx, m->a.mantissa)},
                                {"a_shift", qn_attr_i64(b->cx, m->a.shift)},
                                {"b_multiplier", qn_attr_i64(b->cx, m->b.mantissa)},
                                {"b_shift", qn_attr_i64(b->cx, m->b.shift)},
                                {"multiplier", qn_attr_i64(b->cx, m->y.mantissa)},
                                {"shift", qn_attr_i64(b->cx, m->y.shift)},
                                {"output_zero_point", qn_attr_i64(b->cx, m->output.zero_point)},
                                {"min", qn_attr_i64(b->cx, m->output.min)},
                                {"max", qn_attr_i64(b->cx, m->output.max)}));
}

/* ---- read ---- */

static const char *read_binary(qn_planner *p, const qn_op *op, qn_plan_binary *m) {
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_A_ZERO_POINT, &m->a_zero_point));
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_B_ZERO_POINT, &m->b_zero_point));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_MULTIPLIER, QN_A_SHIFT, &m->y));
  return qn_plan_read_output(p, op, &m->output);
}

const char *qn_plan_read_product(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                                 qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_PRODUCT};
  out->binary.rounding = qn_op_requant_rounding(op);
  return read_binary(p, op, &out->binary);
}

const char *qn_plan_read_sum(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                             qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_SUM};
  qn_plan_binary *m = &out->binary;
  QN_PLAN_READ(read_binary(p, op, m));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_LEFT_SHIFT, 0, 31, &m->left_shift));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_A_MULTIPLIER, QN_A_A_SHIFT, &m->a));
  return qn_plan_read_multiplier(p, op, QN_A_B_MULTIPLIER, QN_A_B_SHIFT, &m->b);
}

/* ---- records ---- */

const qn_plan_record qn_plan_ml_add = {.plan = plan_sum,
                                       .write = write_sum,
                                       .integer = QN_OP_ML_INTEGER_ADD,
                                       .needs = "one sign of storage"};
const qn_plan_record qn_plan_ml_sub = {.plan = plan_sum,
                                       .write = write_sum,
                                       .integer = QN_OP_ML_INTEGER_SUB,
                                       .needs = "one sign of storage"};
const qn_plan_record qn_plan_ml_mul = {.plan = plan_product,
                                       .write = write_product,
                                       .integer = QN_OP_ML_INTEGER_MUL,
                                       .needs = "one sign of storage"};
