/* Functions of 16 bits: logistic and tanh by one interpolated table, softmax by two
 * (docs/arithmetic.md 3.5, 8.1, 9.3).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/inside.h"
#include "ir/ops/forms.h"
#include "quant/table16.h"
#include "runtime/fixed16.h"

/* Relative tolerance for scales that must be a power of two, or a fixed value. */
static const double TOLERANCE = 1e-3;

/* ---- logistic and tanh ---- */

static bool is_power(double scale, int power) { return fabs(log2(scale) - power) < TOLERANCE; }

/* The multiplier of the input before it is scaled by a power of two. */
static double real_multiplier(double scale) { return scale * 4096 * 3; }

/* Sets the multiplier of the input, whose real one is below INT16_MAX. A scale that is a power of
 * two needs only a shift, which keeps all bits; for other scales the multiplier has 15 bits. */
static void scale_input(bool tanh, double scale, qn_plan_lut16 *out) {
  *out = (qn_plan_lut16){.tanh = tanh, .multiplier = 3};
  if (is_power(scale, -12)) return;
  out->multiplier = 6;
  if (tanh && is_power(scale, -11)) return;
  double real = real_multiplier(scale);
  for (; real <= INT16_MAX / 2.0 && out->shift <= 30; out->shift++) real *= 2;
  out->multiplier = (int32_t)real;
}

/* Tabulates the fixed-point function for all Q3 inputs. With `doubled`, entries are twice the
 * stored value. */
static qn_status plan_fixed(qn_planner *p, bool tanh, bool doubled, qn_plan *out) {
  enum { INTEGER_BITS = 3 };
  int16_t *words = QN_NEW_ARRAY(p->arena, QN_INT16_VALUES, int16_t);
  for (int32_t x = INT16_MIN; x <= INT16_MAX; x++) {
    int32_t stored = doubled ? qn_sat16(2 * x) : x;
    words[x - INT16_MIN] = (int16_t)(tanh ? qn_fixed16_tanh(stored, INTEGER_BITS)
                                          : qn_fixed16_logistic(stored, INTEGER_BITS));
  }
  out->words = words;
  return qn_plan_form(out);
}

qn_status qn_plan_lut16_of(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                           const qn_plan_tensor *y, qn_plan *out) {
  QN_TRY(qn_plan_symmetric16(p, op, x));
  QN_TRY(qn_plan_symmetric16(p, op, y));
  if (!is_power(y->affine.scale, -15))
    return qn_plan_refuse(p, op, "the result must have scale 1/32768");
  bool tanh = op->kind == QN_OP_ML_TANH;
  if (p->profile->lut16 == QN_LUT16_FIXED_AT_POWERS) {
    if (is_power(x->affine.scale, -12)) return plan_fixed(p, tanh, false, out);
    if (tanh && is_power(x->affine.scale, -11)) return plan_fixed(p, tanh, true, out);
  }
  out->kind = QN_PLAN_LUT16;
  bool in_range = real_multiplier(x->affine.scale) < INT16_MAX;
  if (in_range) scale_input(tanh, x->affine.scale, &out->lut16);
  if (in_range && (out->lut16.multiplier > 0 || !p->needs_opt_in)) return QN_OK;
  return qn_plan_refuse(p, op, "the input scale %g is out of range for 16 bits", x->affine.scale);
}

qn_value *qn_plan_write_lut16(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  (void)p;
  qn_op_kind kind = plan->lut16.tanh ? QN_OP_ML_INTEGER_TANH : QN_OP_ML_INTEGER_SIGMOID;
  return qn_build_1(b, kind, op->results[0].type, QN_VALUES(op->operands[0].value),
                    QN_ATTRS({"multiplier", qn_attr_i64(b->cx, plan->lut16.multiplier)},
                             {"shift", qn_attr_i64(b->cx, plan->lut16.shift)}));
}

const char *qn_plan_read_lut16(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                               qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_LUT16, .lut16.tanh = op->kind == QN_OP_ML_INTEGER_TANH};
  QN_PLAN_READ(
      qn_plan_read_i32(p, op, QN_A_LUT16_MULTIPLIER, 0, INT16_MAX, &out->lut16.multiplier));
  return qn_plan_read_i32(p, op, QN_A_LUT16_SHIFT, 0, 31, &out->lut16.shift);
}

/* ---- softmax ---- */

enum { MOST_TERMS = UINT16_MAX }; /* terms whose sum fits in 31 bits */

qn_status qn_plan_softmax16_of(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                               const qn_plan_tensor *y, qn_plan *out) {
  QN_TRY(qn_plan_symmetric16(p, op, x));
  QN_TRY(qn_plan_symmetric16(p, op, y));
  if (fabs(ldexp(y->affine.scale, 15) - 1) > TOLERANCE)
    return qn_plan_refuse(p, op, "the result must have scale 1/32768");
  const qn_type *type = op->operands[0].value->type;
  int64_t row = type->shaped.rank > 0 ? type->shaped.dims[type->shaped.rank - 1] : 1;
  if (row > MOST_TERMS)
    return qn_plan_refuse(p, op, "rows of %lld elements have sums beyond 32 bits", (long long)row);
  double scaled = x->affine.scale * qn_op_beta(op);
  if (p->profile->softmax16 == QN_IN_F32) scaled = (double)(float)scaled;
  double real = scaled / (10.0 / 65535);
  QN_TRY(qn_plan_check_ratio(p, op, real));
  QN_TRY(qn_plan_check_once(p, op, p->profile->softmax16_requant, real));
  int16_t *tables = QN_NEW_ARRAY(p->arena, 2 * QN_TABLE16_SIZE, int16_t);
  qn_softmax16_tables(p->profile->tables16, tables, tables + QN_TABLE16_SIZE);
  out->kind = QN_PLAN_SOFTMAX16;
  out->softmax16 = (qn_plan_softmax16){qn_multiplier_of(real), tables, tables + QN_TABLE16_SIZE,
                                       p->profile->softmax16_requant};
  return QN_OK;
}

qn_value *qn_plan_write_softmax16(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  (void)p;
  const qn_plan_softmax16 *s = &plan->softmax16;
  qn_value *exponentials = qn_plan_i16s(b, s->exponentials, QN_TABLE16_SIZE);
  qn_value *reciprocals = qn_plan_i16s(b, s->reciprocals, QN_TABLE16_SIZE);
  qn_value *y = qn_build_1(b, QN_OP_ML_INTEGER_SOFTMAX16, op->results[0].type,
                           QN_VALUES(op->operands[0].value, exponentials, reciprocals),
                           QN_ATTRS({"multiplier", qn_attr_i64(b->cx, s->input.mantissa)},
                                    {"shift", qn_attr_i64(b->cx, s->input.shift)}));
  if (s->rounding != QN_REQUANT_DOUBLE) qn_plan_set_rounding(b, y->op, s->rounding);
  return y;
}

const char *qn_plan_read_softmax16(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                                   qn_plan *out) {
  *out = (qn_plan){.kind = QN_PLAN_SOFTMAX16};
  int16_t *tables = QN_NEW_ARRAY(p->arena, 2 * QN_TABLE16_SIZE, int16_t);
  for (int i = 0; i < 2 * QN_TABLE16_SIZE; i++)
    tables[i] = (int16_t)operands->integer(operands->user, op, 1 + (uint32_t)(i / QN_TABLE16_SIZE),
                                           i % QN_TABLE16_SIZE);
  out->softmax16.exponentials = tables;
  out->softmax16.reciprocals = tables + QN_TABLE16_SIZE;
  out->softmax16.rounding = qn_op_requant_rounding(op);
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_MULTIPLIER, QN_A_SHIFT, &out->softmax16.input));
  return qn_plan_once_problem(out->softmax16.rounding, out->softmax16.input);
}
