/* ml.svdf and ml.lstm: states of 8 and 16 bits (docs/arithmetic.md 14).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/inside.h"

/* What the gates' functions take: a scale of 2^-12. */
static const double GATE_SCALE = 0x1p-12;

/* A symmetric constant of 8 bits, or for `widths` more. */
static qn_status weights_of(qn_planner *p, const qn_op *op, uint32_t operand, uint32_t widths,
                            qn_plan_tensor *out) {
  char role[24];
  snprintf(role, sizeof role, "operand %u", operand);
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[operand].value, role, widths, out));
  if (out->is_unsigned) return qn_plan_refuse(p, op, "%s is unsigned", role);
  if (out->affine.zero_point != 0)
    return qn_plan_refuse(p, op, "%s has a zero point other than 0", role);
  return QN_OK;
}

static qn_status signed8_of(qn_planner *p, const qn_op *op, const qn_value *value, const char *role,
                            qn_plan_tensor *out) {
  QN_TRY(qn_plan_tensor_of(p, op, value, role, out));
  return out->is_unsigned ? qn_plan_refuse(p, op, "%s is unsigned", role) : QN_OK;
}

/* Both ends of a state are one memory. */
static qn_status same_state(qn_planner *p, const qn_op *op, uint32_t operand, uint32_t result) {
  if (op->operands[operand].value->type == op->results[result].type) return QN_OK;
  return qn_plan_refuse(p, op, "operand %u and result %u, the same state, differ in type", operand,
                        result);
}

static qn_status i32_bias(qn_planner *p, const qn_op *op, uint32_t operand) {
  const qn_type *element = qn_type_element(op->operands[operand].value->type);
  if (qn_type_is_int(qn_plan_storage_element(p->cx, element), 32)) return QN_OK;
  return qn_plan_refuse(p, op, "the bias is not stored in 32 bits");
}

static qn_status multiplier_of(qn_planner *p, const qn_op *op, double real, qn_multiplier *out) {
  QN_TRY(qn_plan_check_ratio(p, op, real));
  *out = qn_multiplier_of(real);
  return QN_OK;
}

/* ---- svdf: x, state, weights of features, weights of times, bias ---- */

enum { SVDF_X, SVDF_STATE, SVDF_FEATURES, SVDF_TIMES, SVDF_BIAS };

static qn_status plan_svdf(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, state, features, times, y;
  QN_TRY(signed8_of(p, op, op->operands[SVDF_X].value, "the input", &x));
  QN_TRY(
      qn_plan_tensor_of_width(p, op, op->operands[SVDF_STATE].value, "the state", 8 | 16, &state));
  QN_TRY(weights_of(p, op, SVDF_FEATURES, 8, &features));
  QN_TRY(weights_of(p, op, SVDF_TIMES, 8 | 16, &times));
  QN_TRY(signed8_of(p, op, &op->results[0], "the result", &y));
  QN_TRY(same_state(p, op, SVDF_STATE, 1));
  if (state.is_unsigned || state.width != times.width)
    return qn_plan_refuse(p, op, "the state and its weights have other widths");
  if (state.affine.zero_point != 0 && state.width != 8)
    return qn_plan_refuse(p, op, "the state has a zero point other than 0");
  if (op->operand_count > SVDF_BIAS) QN_TRY(i32_bias(p, op, SVDF_BIAS));
  float feature = (float)x.affine.scale * (float)features.affine.scale;
  float time = (float)state.affine.scale * (float)times.affine.scale;
  out->kind = QN_PLAN_SVDF;
  out->svdf = (qn_plan_svdf){.input_zero_point = x.affine.zero_point,
                             .state_zero_point = state.affine.zero_point,
                             .output = {y.affine.zero_point, y.affine.min, y.affine.max}};
  QN_TRY(multiplier_of(p, op, (double)(feature / (float)state.affine.scale), &out->svdf.state));
  return multiplier_of(p, op, (double)(time / (float)y.affine.scale), &out->svdf.y);
}

/* The op with all its results. */
static qn_value *build_with_states(qn_builder *b, const qn_op *op, qn_value *const *operands,
                                   uint32_t operand_count, const qn_named_attr *attrs,
                                   uint32_t attr_count) {
  const qn_type *types[3] = {NULL};
  QN_ASSERT(op->result_count <= QN_COUNT(types));
  for (uint32_t i = 0; i < op->result_count; i++) types[i] = op->results[i].type;
  return qn_op_result(qn_build(b, (qn_op_state){.kind = qn_plan_record_of(op->kind)->integer,
                                                .operands = operands,
                                                .operand_count = operand_count,
                                                .result_types = types,
                                                .result_count = op->result_count,
                                                .attrs = attrs,
                                                .attr_count = attr_count}),
                      0);
}

#define NAMED(name, value)                                                                         \
  { qn_str_of(name), value }
#define OUTPUT(cx, multiplier, output)                                                             \
  NAMED("multiplier", qn_attr_i64(cx, (multiplier).mantissa)),                                     \
      NAMED("shift", qn_attr_i64(cx, (multiplier).shift)),                                         \
      NAMED("output_zero_point", qn_attr_i64(cx, (output).zero_point)),                            \
      NAMED("min", qn_attr_i64(cx, (output).min)), NAMED("max", qn_attr_i64(cx, (output).max))

static qn_value *write_svdf(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_svdf *s = &plan->svdf;
  const qn_type *y = op->results[0].type;
  int64_t units = y->shaped.dims[y->shaped.rank - 1];
  qn_value *bias = op->operand_count > SVDF_BIAS
                       ? op->operands[SVDF_BIAS].value
                       : qn_plan_i32s(b, QN_NEW_ARRAY(p->arena, (size_t)units, int32_t), units);
  const qn_named_attr attrs[] = {NAMED("input_zero_point", qn_attr_i64(b->cx, s->input_zero_point)),
                                 NAMED("state_zero_point", qn_attr_i64(b->cx, s->state_zero_point)),
                                 NAMED("state_multiplier", qn_attr_i64(b->cx, s->state.mantissa)),
                                 NAMED("state_shift", qn_attr_i64(b->cx, s->state.shift)),
                                 OUTPUT(b->cx, s->y, s->output)};
  qn_value *operands[] = {op->operands[SVDF_X].value, op->operands[SVDF_STATE].value,
                          op->operands[SVDF_FEATURES].value, op->operands[SVDF_TIMES].value, bias};
  return build_with_states(b, op, operands, QN_COUNT(operands), attrs, QN_COUNT(attrs));
}

const char *qn_plan_read_svdf(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                              qn_plan *out) {
  (void)operands;
  *out = (qn_plan){.kind = QN_PLAN_SVDF};
  qn_plan_svdf *s = &out->svdf;
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_INPUT_ZERO_POINT, &s->input_zero_point));
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_STATE_ZERO_POINT, &s->state_zero_point));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_STATE_MULTIPLIER, QN_A_STATE_SHIFT, &s->state));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_MULTIPLIER, QN_A_SHIFT, &s->y));
  return qn_plan_read_output(p, op, &s->output);
}

/* ---- lstm ---- */

static qn_status cell_of(qn_planner *p, const qn_op *op, qn_plan_lstm *l) {
  qn_plan_tensor cell;
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[QN_LSTM_CELL].value, "the cell", 16, &cell));
  QN_TRY(same_state(p, op, QN_LSTM_CELL, 2));
  int exponent;
  bool power = frexp(cell.affine.scale, &exponent) == 0.5;
  l->cell_shift = exponent - 1;
  const qn_attr_decl *range = &qn_attr_decls[QN_A_CELL_SHIFT];
  if (!power || cell.affine.zero_point != 0 || l->cell_shift < range->low ||
      l->cell_shift > range->high)
    return qn_plan_refuse(p, op,
                          "the cell's scale must be a power of 2 from 2^%lld to 2^%lld, its "
                          "zero point 0",
                          (long long)range->low, (long long)range->high);
  double clip = qn_op_cell_clip(op);
  double limit = l->gates == QN_GATES_FIXED ? (double)((float)clip / (float)cell.affine.scale)
                                            : clip / cell.affine.scale;
  l->cell_limit = clip > 0 ? qn_sat16((int64_t)trunc(fmin(limit, INT16_MAX))) : 0;
  if (clip > 0 && l->cell_limit == 0)
    return qn_plan_refuse(p, op, "the cell is clipped to less than one step");
  return QN_OK;
}

static qn_status gates_of(qn_planner *p, const qn_op *op, double x, double hidden,
                          qn_plan_lstm *l) {
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) {
    qn_plan_tensor w, r;
    QN_TRY(weights_of(p, op, QN_LSTM_WEIGHTS + g, 8, &w));
    QN_TRY(weights_of(p, op, QN_LSTM_RECURRENT + g, 8, &r));
    QN_TRY(i32_bias(p, op, QN_LSTM_BIAS + g));
    float input = (float)x * (float)w.affine.scale;
    float recurrent = (float)hidden * (float)r.affine.scale;
    QN_TRY(multiplier_of(p, op, (double)input / GATE_SCALE, &l->of_input[g]));
    QN_TRY(multiplier_of(p, op, (double)recurrent / GATE_SCALE, &l->of_hidden[g]));
  }
  return QN_OK;
}

static qn_status plan_lstm(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, hidden, y;
  QN_TRY(signed8_of(p, op, op->operands[QN_LSTM_X].value, "the input", &x));
  QN_TRY(signed8_of(p, op, op->operands[QN_LSTM_HIDDEN].value, "the hidden state", &hidden));
  QN_TRY(signed8_of(p, op, &op->results[0], "the result", &y));
  QN_TRY(same_state(p, op, QN_LSTM_HIDDEN, 1));
  if (!qn_plan_tensors_equal(&hidden, &y))
    return qn_plan_refuse(p, op, "the result has another quantization than the hidden state");
  qn_plan_lstm *l = &out->lstm;
  out->kind = QN_PLAN_LSTM;
  *l = (qn_plan_lstm){.input_zero_point = x.affine.zero_point,
                      .hidden_zero_point = hidden.affine.zero_point,
                      .gates = p->profile->gates,
                      .output = {y.affine.zero_point, y.affine.min, y.affine.max}};
  QN_TRY(cell_of(p, op, l));
  QN_TRY(gates_of(p, op, x.affine.scale, hidden.affine.scale, l));
  double real = 0x1p-30 / hidden.affine.scale; /* 2^-15 * 2^-15 to the hidden state */
  return multiplier_of(p, op, l->gates == QN_GATES_FIXED ? (double)(float)real : real, &l->y);
}

static qn_value *write_lstm(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  (void)p;
  const qn_plan_lstm *l = &plan->lstm;
  int32_t mantissas[2 * QN_GATE_COUNT], shifts[2 * QN_GATE_COUNT];
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) {
    mantissas[g] = l->of_input[g].mantissa;
    shifts[g] = l->of_input[g].shift;
    mantissas[QN_GATE_COUNT + g] = l->of_hidden[g].mantissa;
    shifts[QN_GATE_COUNT + g] = l->of_hidden[g].shift;
  }
  qn_value *operands[QN_LSTM_SHIFT + 1];
  for (uint32_t i = 0; i < QN_LSTM_MULTIPLIER; i++) operands[i] = op->operands[i].value;
  operands[QN_LSTM_MULTIPLIER] = qn_plan_i32s(b, mantissas, QN_COUNT(mantissas));
  operands[QN_LSTM_SHIFT] = qn_plan_i32s(b, shifts, QN_COUNT(shifts));
  const qn_named_attr attrs[] = {
      NAMED("time_major", qn_attr_bool(b->cx, qn_op_time_major(op))),
      NAMED("input_zero_point", qn_attr_i64(b->cx, l->input_zero_point)),
      NAMED("state_zero_point", qn_attr_i64(b->cx, l->hidden_zero_point)),
      NAMED("cell_shift", qn_attr_i64(b->cx, l->cell_shift)),
      NAMED("cell_limit", qn_attr_i64(b->cx, l->cell_limit)),
      NAMED("gates", qn_attr_word(b->cx, QN_A_GATES, l->gates)),
      OUTPUT(b->cx, l->y, l->output)};
  return build_with_states(b, op, operands, QN_COUNT(operands), attrs, QN_COUNT(attrs));
}

static const char *read_gate(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                             uint32_t i, qn_multiplier *out) {
  int64_t mantissa = operands->integer(operands->user, op, QN_LSTM_MULTIPLIER, i);
  int64_t shift = operands->integer(operands->user, op, QN_LSTM_SHIFT, i);
  if (mantissa < 0 || mantissa > INT32_MAX || shift < -31 || shift > 31)
    return qn_plan_bad(p, "product %u has multiplier %lld and shift %lld, out of range", i,
                       (long long)mantissa, (long long)shift);
  *out = (qn_multiplier){(int32_t)mantissa, (int32_t)shift};
  return NULL;
}

const char *qn_plan_read_lstm(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                              qn_plan *out) {
  *out = (qn_plan){.kind = QN_PLAN_LSTM};
  qn_plan_lstm *l = &out->lstm;
  const qn_attr_decl *power = &qn_attr_decls[QN_A_CELL_SHIFT];
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_INPUT_ZERO_POINT, &l->input_zero_point));
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_STATE_ZERO_POINT, &l->hidden_zero_point));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_CELL_SHIFT, power->low, power->high, &l->cell_shift));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_CELL_LIMIT, 0, INT16_MAX, &l->cell_limit));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_MULTIPLIER, QN_A_SHIFT, &l->y));
  l->gates = qn_op_gates(op);
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) {
    QN_PLAN_READ(read_gate(p, operands, op, g, &l->of_input[g]));
    QN_PLAN_READ(read_gate(p, operands, op, QN_GATE_COUNT + g, &l->of_hidden[g]));
  }
  return qn_plan_read_output(p, op, &l->output);
}

/* ---- records ---- */

const qn_plan_record qn_plan_ml_svdf = {.plan = plan_svdf,
                                        .write = write_svdf,
                                        .integer = QN_OP_ML_INTEGER_SVDF,
                                        .needs = "int8 with symmetric weights; i32 bias"};
const qn_plan_record qn_plan_ml_lstm = {
    .plan = plan_lstm,
    .write = write_lstm,
    .integer = QN_OP_ML_INTEGER_LSTM,
    .needs = "int8 with symmetric weights, a 16-bit cell; i32 biases"};
