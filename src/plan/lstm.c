/* ml.lstm: 16-bit gates and cell state; the hidden state has 8 bits, or 16 if the input has 16
 * (docs/arithmetic.md 14).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "plan/inside.h"

/* Scale of the arguments of the gates' activation functions. */
static const float GATE_SCALE = 0x1p-12f;
/* Exponent that is added to the gain's multiplier. The kernel multiplies a normalized value, in
 * steps of 2^-10, by the gain and divides by 2^10, which gives steps of the gain's scale. The
 * multiplier converts these to the gates' steps of 2^-12 (docs/arithmetic.md 14). */
enum { GAIN_SHIFT = 12 };

static const qn_attr *gate_scale(const qn_op *op, uint32_t gate) {
  const qn_attr *scales = qn_op_gate_scales(op);
  return scales ? scales->array.items[gate] : NULL;
}

/* ---- planning ---- */

/* Rejects optional parts for runtimes other than LiteRT, which support the plain cell only. */
static qn_status check_parts(qn_planner *p, const qn_op *op, const qn_lstm_parts *parts,
                             const qn_plan_lstm *l) {
  if (l->gates == QN_GATES_FIXED && l->wide)
    return qn_plan_refuse(p, op, "the profile's cells have inputs of 8 bits alone");
  if (l->gates == QN_GATES_FIXED) return QN_OK;
  const char *part = l->coupled          ? "an input gate coupled to the forget gate"
                     : parts->peepholes  ? "weights of the cell"
                     : parts->gains      ? "layer normalization"
                     : parts->projection ? "a projection"
                     : qn_op_find(op, QN_A_PRODUCT_SCALE) ? "a scale before the hidden state's"
                                                          : NULL;
  if (!part) return QN_OK;
  return qn_plan_refuse(p, op, "the profile's cells do not have %s", part);
}

static qn_status cell_of(qn_planner *p, const qn_op *op, qn_plan_lstm *l) {
  qn_plan_tensor cell;
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[QN_LSTM_CELL].value, "the cell", 16, &cell));
  QN_TRY(qn_plan_same_state(p, op, QN_LSTM_CELL, 2));
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

/* Sets the multiplier of the peephole weights, which converts to the scale of the gate's
 * accumulators. */
static qn_status peephole_of(qn_planner *p, const qn_op *op, const qn_lstm_parts *parts, uint32_t g,
                             float step, qn_plan_lstm *l) {
  qn_plan_tensor weights;
  QN_TRY(qn_plan_symmetric_weights(p, op, qn_lstm_peephole(parts, g), 16, &weights));
  double real = ldexp((double)(float)weights.affine.scale, l->cell_shift) / (double)step;
  return qn_plan_multiplier_of(p, op, (double)(float)real, &l->of_peephole[g]);
}

static qn_status gain_of(qn_planner *p, const qn_op *op, const qn_lstm_parts *parts, uint32_t g,
                         qn_plan_lstm *l) {
  qn_plan_tensor gain;
  QN_TRY(qn_plan_symmetric_weights(p, op, parts->gains + g, 16, &gain));
  QN_TRY(qn_plan_multiplier_of(p, op, gain.affine.scale, &l->of_gain[g]));
  l->of_gain[g].shift += GAIN_SHIFT;
  double guard = (double)(10000 * (float)gain.affine.scale);
  if (l->of_gain[g].shift > 31 || guard > INT32_MAX)
    return qn_plan_refuse(p, op, "the gains of gate %u are too great", g);
  l->guards[g] = guard > 1 ? (int32_t)guard : 1;
  return QN_OK;
}

/* Reads the bias. With 16-bit activations, sums have 64 bits, and shifts a smaller range. */
static qn_status bias_of(qn_planner *p, const qn_op *op, uint32_t g, bool wide) {
  if (!wide) return qn_plan_i32_bias(p, op, QN_LSTM_BIAS + g);
  const qn_type *bias = qn_type_element(op->operands[QN_LSTM_BIAS + g].value->type);
  if (qn_type_is_int(qn_plan_storage_element(p->cx, bias), 64)) return QN_OK;
  return qn_plan_refuse(p, op, "a bias beside 16 bits is not stored in 64");
}
static qn_status product_of(qn_planner *p, const qn_op *op, float real, bool wide,
                            qn_multiplier *out) {
  QN_TRY(qn_plan_multiplier_of(p, op, (double)real, out));
  if (!wide || out->shift <= QN_REDUCED_MAX_SHIFT) return QN_OK;
  return qn_plan_refuse_numbers(p, "'%.*s' has scales whose ratio %g is out of range",
                                QN_STR_ARG(op->name), (double)real);
}

static qn_status gates_of(qn_planner *p, const qn_op *op, const qn_lstm_parts *parts, double x,
                          double hidden, qn_plan_lstm *l) {
  for (uint32_t g = l->coupled ? QN_GATE_FORGET : QN_GATE_INPUT; g < QN_GATE_COUNT; g++) {
    qn_plan_tensor w, r;
    QN_TRY(qn_plan_symmetric_weights(p, op, QN_LSTM_WEIGHTS + g, 8, &w));
    QN_TRY(qn_plan_symmetric_weights(p, op, QN_LSTM_RECURRENT + g, 8, &r));
    QN_TRY(bias_of(p, op, g, l->wide));
    float step = parts->gains ? (float)gate_scale(op, g)->number : GATE_SCALE;
    float input = (float)x * (float)w.affine.scale / step;
    float recurrent = (float)hidden * (float)r.affine.scale / step;
    QN_TRY(product_of(p, op, input, l->wide, &l->of_input[g]));
    QN_TRY(product_of(p, op, recurrent, l->wide, &l->of_hidden[g]));
    if (parts->peepholes && g != QN_GATE_CELL) QN_TRY(peephole_of(p, op, parts, g, step, l));
    if (parts->gains) QN_TRY(gain_of(p, op, parts, g, l));
  }
  return QN_OK;
}

/* Clips the stored projection, ignoring its zero point, as the kernels do. */
static void clip_projection(const qn_op *op, float scale, qn_plan_output *output) {
  double clip = qn_op_projection_clip(op);
  int32_t limit = clip > 0 ? (int32_t)fminf((float)clip / scale, 127.0f) : 0;
  if (limit <= 0) return;
  output->min = -limit;
  output->max = limit;
}

/* Sets the multiplier that converts the product of output gate and tanh to the hidden state. */
static qn_status results_of(qn_planner *p, const qn_op *op, const qn_lstm_parts *parts,
                            const qn_plan_tensor *hidden, qn_plan_lstm *l) {
  bool own = qn_op_find(op, QN_A_PRODUCT_SCALE) != NULL;
  double scale = own ? qn_op_product_scale(op) : hidden->affine.scale;
  int32_t zero_point = own ? (int32_t)qn_op_product_zero_point(op) : hidden->affine.zero_point;
  if (!(scale > 0)) return qn_plan_refuse(p, op, "the scale %g is not positive", scale);
  double real = 0x1p-30 / scale;
  if (l->gates == QN_GATES_FIXED) real = (double)(float)real;
  QN_TRY(qn_plan_multiplier_of(p, op, real, &l->y));
  l->output = (qn_plan_output){zero_point, hidden->affine.min, hidden->affine.max};
  if (!parts->projection) return QN_OK;
  qn_plan_tensor weights;
  QN_TRY(qn_plan_symmetric_weights(p, op, parts->projection, 8, &weights));
  QN_TRY(qn_plan_i32_bias(p, op, parts->projection + 1));
  /* LiteRT subtracts the zero point from the input and adds it to the accumulators */
  l->projected_zero_point = -zero_point;
  l->output.zero_point = hidden->affine.zero_point;
  clip_projection(op, (float)hidden->affine.scale, &l->output);
  float product = (float)weights.affine.scale * (float)scale;
  return qn_plan_multiplier_of(p, op, (double)(product / (float)hidden->affine.scale),
                               &l->projection);
}

static qn_status activation_of(qn_planner *p, const qn_op *op, const qn_value *value,
                               const char *role, qn_plan_tensor *out) {
  QN_TRY(qn_plan_tensor_of_width(p, op, value, role, 8 | 16, out));
  if (out->is_unsigned) return qn_plan_refuse(p, op, "%s is unsigned", role);
  return qn_plan_symmetric16(p, op, out);
}

static qn_status plan_lstm(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, hidden, y;
  const qn_lstm_parts parts = qn_lstm_parts_of(op);
  if (!p->profile->quantized_lstm)
    return qn_plan_refuse(p, op, "the profile %s has no rule for it", p->profile->name);
  QN_TRY(activation_of(p, op, op->operands[QN_LSTM_X].value, "the input", &x));
  QN_TRY(activation_of(p, op, op->operands[QN_LSTM_HIDDEN].value, "the hidden state", &hidden));
  QN_TRY(activation_of(p, op, &op->results[0], "the result", &y));
  if (x.width != hidden.width)
    return qn_plan_refuse(p, op, "the input and the hidden state have other widths");
  QN_TRY(qn_plan_same_state(p, op, QN_LSTM_HIDDEN, 1));
  if (!qn_plan_tensors_equal(&hidden, &y))
    return qn_plan_refuse(p, op, "the result has another quantization than the hidden state");
  qn_plan_lstm *l = &out->lstm;
  out->kind = QN_PLAN_LSTM;
  *l = (qn_plan_lstm){.input_zero_point = x.affine.zero_point,
                      .hidden_zero_point = hidden.affine.zero_point,
                      .coupled = qn_op_coupled(op),
                      .wide = x.width == 16,
                      .gates = p->profile->gates};
  QN_TRY(check_parts(p, op, &parts, l));
  QN_TRY(cell_of(p, op, l));
  QN_TRY(gates_of(p, op, &parts, x.affine.scale, hidden.affine.scale, l));
  return results_of(p, op, &parts, &hidden, l);
}

/* ---- the integer form ---- */

static void put(qn_multiplier m, uint32_t i, int32_t *mantissas, int32_t *shifts) {
  mantissas[i] = m.mantissa;
  shifts[i] = m.shift;
}

static qn_value *write_lstm(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_plan_lstm *l = &plan->lstm;
  const qn_lstm_parts parts = qn_lstm_parts_of(op);
  int32_t mantissas[QN_LSTM_ALL_MULTIPLIERS], shifts[QN_LSTM_ALL_MULTIPLIERS];
  int64_t guards[QN_GATE_COUNT];
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) {
    put(l->of_input[g], QN_LSTM_OF_INPUT + g, mantissas, shifts);
    put(l->of_hidden[g], QN_LSTM_OF_HIDDEN + g, mantissas, shifts);
    put(l->of_peephole[g], QN_LSTM_OF_PEEPHOLES + g, mantissas, shifts);
    put(l->of_gain[g], QN_LSTM_OF_GAINS + g, mantissas, shifts);
    guards[g] = l->guards[g] > 0 ? l->guards[g] : 1;
  }
  put(l->projection, QN_LSTM_OF_PROJECTION, mantissas, shifts);
  int64_t count = qn_lstm_has_parts(&parts) ? QN_LSTM_ALL_MULTIPLIERS : QN_LSTM_FEW_MULTIPLIERS;
  uint32_t operand_count = op->operand_count + QN_LSTM_NUMBERS, sizes[QN_CELL_SEGMENTS];
  qn_value **operands = QN_NEW_ARRAY(p->arena, operand_count, qn_value *);
  for (uint32_t i = 0; i < op->operand_count; i++) operands[i] = op->operands[i].value;
  operands[op->operand_count + QN_LSTM_MULTIPLIER] = qn_plan_i32s(b, mantissas, count);
  operands[op->operand_count + QN_LSTM_SHIFT] = qn_plan_i32s(b, shifts, count);
  for (uint32_t i = 0; i < QN_CELL_SEGMENTS; i++) sizes[i] = qn_cell_size(op, i);
  sizes[QN_CELL_MULTIPLIERS] = QN_LSTM_NUMBERS;
  const qn_attr *segments = qn_cell_segments(b->cx, QN_OP_ML_INTEGER_LSTM, sizes);
  qn_named_attr attrs[15] = {
      QN_PLAN_NAMED("operandSegmentSizes", segments),
      QN_PLAN_NAMED("time_major", qn_attr_bool(b->cx, qn_op_time_major(op))),
      QN_PLAN_NAMED("input_zero_point", qn_attr_i64(b->cx, l->input_zero_point)),
      QN_PLAN_NAMED("state_zero_point", qn_attr_i64(b->cx, l->hidden_zero_point)),
      QN_PLAN_NAMED("cell_shift", qn_attr_i64(b->cx, l->cell_shift)),
      QN_PLAN_NAMED("cell_limit", qn_attr_i64(b->cx, l->cell_limit)),
      QN_PLAN_NAMED("gates", qn_attr_word(b->cx, QN_A_GATES, l->gates)),
      QN_PLAN_OUTPUT(b->cx, l->y, l->output)};
  uint32_t attr_count = 12;
  if (l->coupled)
    attrs[attr_count++] = (qn_named_attr)QN_PLAN_NAMED("coupled", qn_attr_bool(b->cx, true));
  if (parts.gains)
    attrs[attr_count++] =
        (qn_named_attr)QN_PLAN_NAMED("guards", qn_attr_i64s(b->cx, guards, QN_GATE_COUNT));
  if (parts.projection)
    attrs[attr_count++] = (qn_named_attr)QN_PLAN_NAMED("product_zero_point",
                                                       qn_attr_i64(b->cx, l->projected_zero_point));
  return qn_plan_build_states(p, b, op, operands, operand_count, attrs, attr_count);
}

typedef struct reader {
  qn_planner *p;
  const qn_plan_operands *operands;
  const qn_op *op;
} reader;

static const char *read_product(const reader *r, uint32_t i, qn_multiplier *out) {
  const qn_plan_operands *operands = r->operands;
  uint32_t first = qn_cell_first(r->op, QN_CELL_MULTIPLIERS);
  int64_t mantissa = operands->integer(operands->user, r->op, first + QN_LSTM_MULTIPLIER, i);
  int64_t shift = operands->integer(operands->user, r->op, first + QN_LSTM_SHIFT, i);
  if (mantissa < 0 || mantissa > INT32_MAX || shift < -31 || shift > 31)
    return qn_plan_bad(r->p, "product %u has multiplier %lld and shift %lld, out of range", i,
                       (long long)mantissa, (long long)shift);
  *out = (qn_multiplier){(int32_t)mantissa, (int32_t)shift};
  return NULL;
}

static const char *read_gate(const reader *r, const qn_lstm_parts *parts, uint32_t g,
                             qn_plan_lstm *l) {
  QN_PLAN_READ(read_product(r, QN_LSTM_OF_INPUT + g, &l->of_input[g]));
  QN_PLAN_READ(read_product(r, QN_LSTM_OF_HIDDEN + g, &l->of_hidden[g]));
  if (parts->peepholes) QN_PLAN_READ(read_product(r, QN_LSTM_OF_PEEPHOLES + g, &l->of_peephole[g]));
  if (!parts->gains) return NULL;
  l->guards[g] = (int32_t)qn_op_guards(r->op).data[g];
  return read_product(r, QN_LSTM_OF_GAINS + g, &l->of_gain[g]);
}

const char *qn_plan_read_lstm(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                              qn_plan *out) {
  *out = (qn_plan){.kind = QN_PLAN_LSTM};
  qn_plan_lstm *l = &out->lstm;
  const qn_lstm_parts parts = qn_lstm_parts_of(op);
  if (parts.gains && qn_op_guards(op).count != QN_GATE_COUNT)
    return qn_plan_bad(p, "guards are missing");
  const reader r = {p, operands, op};
  const qn_attr_decl *power = &qn_attr_decls[QN_A_CELL_SHIFT];
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_INPUT_ZERO_POINT, &l->input_zero_point));
  QN_PLAN_READ(qn_plan_read_zero_point(p, op, QN_A_STATE_ZERO_POINT, &l->hidden_zero_point));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_CELL_SHIFT, power->low, power->high, &l->cell_shift));
  QN_PLAN_READ(qn_plan_read_i32(p, op, QN_A_CELL_LIMIT, 0, INT16_MAX, &l->cell_limit));
  QN_PLAN_READ(qn_plan_read_multiplier(p, op, QN_A_MULTIPLIER, QN_A_SHIFT, &l->y));
  l->gates = qn_op_gates(op);
  l->wide = qn_type_is_int(qn_type_element(qn_op_operand(op, QN_LSTM_X)->type), 16);
  l->coupled = qn_op_coupled(op);
  for (uint32_t g = 0; g < QN_GATE_COUNT; g++) QN_PLAN_READ(read_gate(&r, &parts, g, l));
  for (uint32_t g = 0; l->wide && g < QN_GATE_COUNT; g++)
    if (l->of_input[g].shift > QN_REDUCED_MAX_SHIFT || l->of_hidden[g].shift > QN_REDUCED_MAX_SHIFT)
      return qn_plan_bad(p, "gate %u has a shift beyond %d", g, QN_REDUCED_MAX_SHIFT);
  if (parts.projection) {
    l->projected_zero_point = (int32_t)qn_op_product_zero_point(op);
    QN_PLAN_READ(read_product(&r, QN_LSTM_OF_PROJECTION, &l->projection));
  }
  return qn_plan_read_output(p, op, &l->output);
}

const qn_plan_record qn_plan_ml_lstm = {
    .plan = plan_lstm,
    .write = write_lstm,
    .integer = QN_OP_ML_INTEGER_LSTM,
    .needs = "int8 with symmetric weights, a 16-bit cell; i32 biases; or int16 and i64 biases"};
