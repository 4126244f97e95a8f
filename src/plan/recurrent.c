/* ml.svdf, and functions shared by ops with states (docs/arithmetic.md 14).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

/* ---- shared ---- */

qn_status qn_plan_symmetric_weights(qn_planner *p, const qn_op *op, uint32_t operand,
                                    uint32_t widths, qn_plan_tensor *out) {
  char role[24];
  snprintf(role, sizeof role, "operand %u", operand);
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[operand].value, role, widths, out));
  if (out->is_unsigned) return qn_plan_refuse(p, op, "%s is unsigned", role);
  if (out->affine.zero_point != 0)
    return qn_plan_refuse(p, op, "%s has a zero point other than 0", role);
  return QN_OK;
}

qn_status qn_plan_signed8(qn_planner *p, const qn_op *op, const qn_value *value, const char *role,
                          qn_plan_tensor *out) {
  QN_TRY(qn_plan_tensor_of(p, op, value, role, out));
  return out->is_unsigned ? qn_plan_refuse(p, op, "%s is unsigned", role) : QN_OK;
}

qn_status qn_plan_same_state(qn_planner *p, const qn_op *op, uint32_t operand, uint32_t result) {
  if (op->operands[operand].value->type == op->results[result].type) return QN_OK;
  return qn_plan_refuse(p, op, "operand %u and result %u, the same state, differ in type", operand,
                        result);
}

qn_status qn_plan_i32_bias(qn_planner *p, const qn_op *op, uint32_t operand) {
  const qn_type *element = qn_type_element(op->operands[operand].value->type);
  if (qn_type_is_int(qn_plan_storage_element(p->cx, element), 32)) return QN_OK;
  return qn_plan_refuse(p, op, "the bias is not stored in 32 bits");
}

qn_status qn_plan_multiplier_of(qn_planner *p, const qn_op *op, double real, qn_multiplier *out) {
  QN_TRY(qn_plan_check_ratio(p, op, real));
  *out = qn_multiplier_of(real);
  return QN_OK;
}

/* ---- svdf: x, state, feature weights, time weights, bias ---- */

enum { SVDF_X, SVDF_STATE, SVDF_FEATURES, SVDF_TIMES, SVDF_BIAS };

static qn_status plan_svdf(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, state, features, times, y;
  QN_TRY(qn_plan_signed8(p, op, op->operands[SVDF_X].value, "the input", &x));
  QN_TRY(
      qn_plan_tensor_of_width(p, op, op->operands[SVDF_STATE].value, "the state", 8 | 16, &state));
  QN_TRY(qn_plan_symmetric_weights(p, op, SVDF_FEATURES, 8, &features));
  QN_TRY(qn_plan_symmetric_weights(p, op, SVDF_TIMES, 8 | 16, &times));
  QN_TRY(qn_plan_signed8(p, op, &op->results[0], "the result", &y));
  QN_TRY(qn_plan_same_state(p, op, SVDF_STATE, 1));
  if (state.is_unsigned || state.width != times.width)
    return qn_plan_refuse(p, op, "the state and its weights have other widths");
  if (state.affine.zero_point != 0 && state.width != 8)
    return qn_plan_refuse(p, op, "the state has a zero point other than 0");
  if (op->operand_count > SVDF_BIAS) QN_TRY(qn_plan_i32_bias(p, op, SVDF_BIAS));
  float feature = (float)x.affine.scale * (float)features.affine.scale;
  float time = (float)state.affine.scale * (float)times.affine.scale;
  out->kind = QN_PLAN_SVDF;
  out->svdf = (qn_plan_svdf){.rounding = p->profile->svdf_requant,
                             .input_zero_point = x.affine.zero_point,
                             .state_zero_point = state.affine.zero_point,
                             .output = {y.affine.zero_point, y.affine.min, y.affine.max}};
  const float of_state = feature / (float)state.affine.scale;
  const float of_y = time / (float)y.affine.scale;
  QN_TRY(qn_plan_multiplier_of(p, op, (double)of_state, &out->svdf.state));
  QN_TRY(qn_plan_multiplier_of(p, op, (double)of_y, &out->svdf.y));
  QN_TRY(qn_plan_check_once(p, op, out->svdf.rounding, (double)of_state));
  return qn_plan_check_once(p, op, out->svdf.rounding, (double)of_y);
}

qn_value *qn_plan_build_states(qn_planner *p, qn_builder *b, const qn_op *op,
                               qn_value *const *operands, uint32_t operand_count,
                               const qn_named_attr *attrs, uint32_t attr_count) {
  const qn_type *types[3] = {NULL};
  QN_ASSERT(op->result_count <= QN_COUNT(types));
  for (uint32_t i = 0; i < op->result_count; i++) types[i] = op->results[i].type;
  return qn_op_result(qn_build(b, (qn_op_state){.kind = p->record->integer,
                                                .operands = operands,
                                                .operand_count = operand_count,
                                                .result_types = types,
                                                .result_count = op->result_count,
                                                .attrs = attrs,
                                                .attr_count = attr_count}),
                      0);
}

static qn_value *write_svdf(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_svdf *s = &plan->svdf;
  const qn_type *y = op->results[0].type;
  int64_t units = y->shaped.dims[y->shaped.rank - 1];
  qn_value *bias = op->operand_count > SVDF_BIAS
                       ? op->operands[SVDF_BIAS].value
                       : qn_plan_i32s(b, QN_NEW_ARRAY(p->arena, (size_t)units, int32_t), units);
  const qn_named_attr attrs[] = {
      QN_PLAN_NAMED("input_zero_point", qn_attr_i64(b->cx, s->input_zero_point)),
      QN_PLAN_NAMED("state_zero_point", qn_attr_i64(b->cx, s->state_zero_point)),
      QN_PLAN_NAMED("state_multiplier", qn_attr_i64(b->cx, s->state.mantissa)),
      QN_PLAN_NAMED("state_shift", qn_attr_i64(b->cx, s->state.shift)),
      QN_PLAN_OUTPUT(b->cx, s->y, s->output)};
  qn_value *operands[] = {op->operands[SVDF_X].value, op->operands[SVDF_STATE].value,
                          op->operands[SVDF_FEATURES].value, op->operands[SVDF_TIMES].value, bias};
  qn_value *result =
      qn_plan_build_states(p, b, op, operands, QN_COUNT(operands), attrs, QN_COUNT(attrs));
  if (s->rounding != QN_REQUANT_DOUBLE) qn_plan_set_rounding(b, result->op, s->rounding);
  return result;
}

const char *qn_plan_read_svdf(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                              qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_SVDF};
  qn_plan_svdf *s = &out->svdf;
  s->rounding = qn_op_requant_rounding(op);
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_INPUT_ZERO_POINT, &s->input_zero_point));
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_STATE_ZERO_POINT, &s->state_zero_point));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_STATE_MULTIPLIER, QN_A_STATE_SHIFT, &s->state));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_MULTIPLIER, QN_A_SHIFT, &s->y));
  QN_PLAN_READ(qn_plan_once_problem(s->rounding, s->state));
  QN_PLAN_READ(qn_plan_once_problem(s->rounding, s->y));
  return qn_plan_read_output(p, op, &s->output);
}

/* ---- table entries ---- */

const qn_plan_record qn_plan_ml_svdf = {.plan = plan_svdf,
                                        .write = write_svdf,
                                        .integer = QN_OP_ML_INTEGER_SVDF,
                                        .needs = "int8 with symmetric weights; i32 bias"};
