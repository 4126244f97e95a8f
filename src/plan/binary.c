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

/* Whether the shapes are equal, leading dimensions of 1 aside. */
static bool has_equal_shapes(const qn_op *op) {
  const qn_type *a = op->operands[0].value->type, *b = op->operands[1].value->type;
  const uint32_t most = a->shaped.rank > b->shaped.rank ? a->shaped.rank : b->shaped.rank;
  for (uint32_t i = 1; i <= most; i++) {
    const int64_t x = i <= a->shaped.rank ? a->shaped.dims[a->shaped.rank - i] : 1;
    const int64_t y = i <= b->shaped.rank ? b->shaped.dims[b->shaped.rank - i] : 1;
    if (x != y) return false;
  }
  return true;
}

/* Whether the profile rounds each product of this ADD or MUL once. */
static bool is_rounded_once(const qn_planner *p, const qn_op *op, const tensors *t) {
  return p->profile->once_where_equal && !t->a.is_unsigned && has_equal_shapes(op);
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
  if (m.output.shift > 0 && shifted && p->needs_opt_in)
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
  if (shifted && op->kind == QN_OP_ML_ADD) out->binary.terms = qn_op_term_rounding(op);
  if (op->kind == QN_OP_ML_ADD && is_rounded_once(p, op, &t)) {
    QN_TRY(qn_plan_check_once(p, op, QN_REQUANT_ONCE, qn_multiplier_real(m.output)));
    out->binary.terms = QN_TERM_ONCE;
  }
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
  if (is_rounded_once(p, op, &t)) out->binary.rounding = QN_REQUANT_ONCE;
  return qn_plan_check_once(p, op, out->binary.rounding, real);
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
  qn_value *y =
      qn_plan_build(p, b, op, QN_VALUES(op->operands[0].value, op->operands[1].value),
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
  if (m->terms != QN_TERM_DOUBLE)
    qn_op_set_attr(b->module, y->op, qn_attr_decls[QN_A_TERM_ROUNDING].name,
                   qn_attr_word(b->cx, QN_A_TERM_ROUNDING, m->terms));
  return y;
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
  if (op->kind == QN_OP_ML_INTEGER_MATMUL) out->binary.real = qn_op_factor(op);
  if (!(out->binary.real >= 0 && out->binary.real <= 0x1p100))
    return qn_plan_bad(p, "the factor %g is out of range", out->binary.real);
  QN_PLAN_READ(read_binary(p, op, &out->binary));
  return qn_plan_once_problem(out->binary.rounding, out->binary.y);
}

const char *qn_plan_read_sum(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                             qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_SUM};
  qn_plan_binary *m = &out->binary;
  QN_PLAN_READ(read_binary(p, op, m));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_LEFT_SHIFT, 0, 31, &m->left_shift));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_A_MULTIPLIER, QN_A_A_SHIFT, &m->a));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_B_MULTIPLIER, QN_A_B_SHIFT, &m->b));
  if (op->kind == QN_OP_ML_INTEGER_ADD) m->terms = qn_op_term_rounding(op);
  if (m->terms == QN_TERM_DOUBLE) return NULL;
  const int32_t larger = m->a.shift > m->b.shift ? m->a.shift : m->b.shift;
  if (m->terms == QN_TERM_ONCE) {
    const int32_t largest = larger > m->y.shift ? larger : m->y.shift;
    return qn_plan_once_problem(QN_REQUANT_ONCE, (qn_multiplier){0, largest});
  }
  if (m->left_shift + larger > 31) return "terms that are rounded once are shifted beyond 31 bits";
  return NULL;
}

/* ---- table entries ---- */

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
