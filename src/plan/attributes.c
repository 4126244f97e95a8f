/* Reads parameters from attributes of integer-stage ops. Every value is checked, because the IR may
 * come from text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

const char *qn_plan_bad(qn_planner *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_str text = qn_arena_vformat(p->arena, format, arguments);
  va_end(arguments);
  return text.data;
}

const char *qn_plan_read_i32(qn_planner *p, const qn_op *op, qn_attr_id id, int64_t lo, int64_t hi,
                             int32_t *out_value) {
  const char *name = qn_attr_decls[id].name;
  if (!qn_op_find(op, id)) return qn_plan_bad(p, "needs attribute '%s'", name);
  int64_t value = qn_op_read_i64(op, id);
  if (value < lo || value > hi)
    return qn_plan_bad(p, "attribute '%s' must be an integer from %lld to %lld", name,
                       (long long)lo, (long long)hi);
  *out_value = (int32_t)value;
  return NULL;
}

const char *qn_plan_read_zero_point(qn_planner *p, const qn_op *op, qn_attr_id id,
                                    int32_t *out_value) {
  return qn_plan_read_i32(p, op, id, -UINT16_MAX, UINT16_MAX, out_value);
}

const char *qn_plan_read_multiplier(qn_planner *p, const qn_op *op, qn_attr_id mantissa,
                                    qn_attr_id shift, qn_multiplier *out_multiplier) {
  QN_PLAN_READ(qn_plan_read_i32(p, op, mantissa, 0, INT32_MAX, &out_multiplier->mantissa));
  return qn_plan_read_i32(p, op, shift, -31, 31, &out_multiplier->shift);
}

const char *qn_plan_read_output(qn_planner *p, const qn_op *op, qn_plan_output *out) {
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_OUTPUT_ZERO_POINT, &out->zero_point));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_MIN, INT32_MIN, INT32_MAX, &out->min));
  return qn_plan_read_i32(p, op, QN_A_MAX, INT32_MIN, INT32_MAX, &out->max);
}

qn_status qn_plan_check_once(qn_planner *p, const qn_op *op, qn_requant_rounding rounding,
                             double real) {
  if (rounding != QN_REQUANT_ONCE || qn_multiplier_of(real).shift <= QN_ONCE_MAX_SHIFT)
    return QN_OK;
  return qn_plan_refuse(p, op, "its scales have the ratio %g, beyond 2^%d", real,
                        QN_ONCE_MAX_SHIFT);
}

const char *qn_plan_once_problem(qn_requant_rounding rounding, qn_multiplier multiplier) {
  if (rounding != QN_REQUANT_ONCE || multiplier.shift <= QN_ONCE_MAX_SHIFT) return NULL;
  return "a multiplier of the rounding \"once\" has a shift above 30";
}

void qn_plan_set_rounding(qn_builder *b, qn_op *op, qn_requant_rounding rounding) {
  const qn_attr *word = qn_attr_word(b->cx, QN_A_REQUANT_ROUNDING, rounding);
  qn_op_set_attr(b->module, op, qn_attr_decls[QN_A_REQUANT_ROUNDING].name, word);
}
