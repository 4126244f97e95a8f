/* Functions of one value as exact units: tables of all 8-bit or 16-bit results, and requantization
 * (docs/arithmetic.md 19.5, 20.5).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/ops/forms.h"
#include "plan/units/units.h"
#include "quant/exact_unary.h"

typedef struct function {
  const qn_op *op;
  qn_exact_unary unary;
  qn_unit_tensor x, y;
  bool fused;
} function;

/* ---- one result ---- */

/* The result of the kernel of onnxruntime, which computes in f32 throughout. */
static int64_t fused_result(const function *f, int64_t n) {
  float u = (float)f->x.scale * (float)n, y = u;
  if (f->unary.function == QN_EXACT_SIGMOID) y = (float)(1 / (1 + exp(-(double)u)));
  if (f->unary.function == QN_EXACT_LEAKY_RELU && !(u >= 0)) y = (float)f->unary.alpha * u;
  return qn_quantize_f32(y, (float)f->y.scale, QN_ROUND_EVEN, f->y.zero_point, f->y.min, f->y.max);
}

static int64_t clamped(int64_t value, const qn_unit_tensor *y) {
  return value < y->min ? y->min : value > y->max ? y->max : value;
}

static qn_status result_of(qn_planner *p, const function *f, int64_t stored, int64_t *out) {
  int64_t n = stored - f->x.zero_point, steps;
  if (f->fused) return *out = fused_result(f, n), QN_OK;
  if (!qn_exact_unary_round(&f->unary, n, &steps))
    return qn_plan_refuse(p, f->op,
                          "its result at the stored value %lld is so near to a tie that doubles do "
                          "not decide it",
                          (long long)stored);
  *out = clamped(steps + f->y.zero_point, &f->y);
  return QN_OK;
}

/* ---- tables ---- */

static qn_status table_of_bytes(qn_planner *p, const function *f, uint8_t *table) {
  for (int32_t byte = 0; byte < 256; byte++) {
    int64_t y = 0;
    QN_TRY(result_of(p, f, f->x.is_signed ? (int8_t)byte : byte, &y));
    table[byte] = (uint8_t)y;
  }
  return QN_OK;
}

/* A table indexed by the stored 16-bit value, read as signed. */
static qn_status table_of_words(qn_planner *p, const function *f, int16_t *table) {
  for (int32_t word = INT16_MIN; word <= INT16_MAX; word++) {
    int64_t y = 0;
    QN_TRY(result_of(p, f, f->x.is_signed ? word : (uint16_t)word, &y));
    table[word - INT16_MIN] = (int16_t)y;
  }
  return QN_OK;
}

static qn_status plan_table(qn_planner *p, const function *f, qn_plan *out) {
  if (f->x.width == 8 && f->y.width == 8) {
    uint8_t *table = qn_arena_alloc(p->arena, 256);
    out->kind = QN_PLAN_TABLE;
    out->table = table;
    return table_of_bytes(p, f, table);
  }
  if (f->x.width != 16 || f->y.width != 16)
    return qn_plan_refuse(p, f->op, "it has no exact form from %u to %u bits", f->x.width,
                          f->y.width);
  int16_t *words = QN_NEW_ARRAY(p->arena, QN_INT16_VALUES, int16_t);
  out->words = words;
  QN_TRY(table_of_words(p, f, words));
  return qn_plan_form(out);
}

/* ---- functions ---- */

static qn_exact_function function_of(const qn_op *op) {
  static const qn_exact_function functions[QN_OP_COUNT] = {
      [QN_OP_ML_RELU] = QN_EXACT_RELU,
      [QN_OP_ML_RELU6] = QN_EXACT_IDENTITY,
      [QN_OP_ML_RELU_N1_TO_1] = QN_EXACT_IDENTITY,
      [QN_OP_ML_LEAKY_RELU] = QN_EXACT_LEAKY_RELU,
      [QN_OP_ML_ABS] = QN_EXACT_ABS,
      [QN_OP_ML_NEG] = QN_EXACT_NEG,
      [QN_OP_ML_SQUARE] = QN_EXACT_SQUARE,
      [QN_OP_ML_HARD_SWISH] = QN_EXACT_HARD_SWISH,
      [QN_OP_ML_SQRT] = QN_EXACT_SQRT,
      [QN_OP_ML_RSQRT] = QN_EXACT_RSQRT,
      [QN_OP_ML_SIGMOID] = QN_EXACT_SIGMOID,
      [QN_OP_ML_TANH] = QN_EXACT_TANH,
      [QN_OP_ML_EXP] = QN_EXACT_EXP,
      [QN_OP_ML_LOG] = QN_EXACT_LOG,
      [QN_OP_ML_ELU] = QN_EXACT_ELU,
      [QN_OP_ML_ERF] = QN_EXACT_ERF,
      [QN_OP_ML_SOFTPLUS] = QN_EXACT_SOFTPLUS,
      [QN_OP_ML_SOFTSIGN] = QN_EXACT_SOFTSIGN,
      [QN_OP_ML_SILU] = QN_EXACT_SILU,
      [QN_OP_ML_SIN] = QN_EXACT_SIN,
      [QN_OP_ML_COS] = QN_EXACT_COS,
      [QN_OP_ML_FLOOR] = QN_EXACT_FLOOR,
      [QN_OP_ML_CEIL] = QN_EXACT_CEIL,
      [QN_OP_ML_ROUND] = QN_EXACT_ROUND,
      [QN_OP_ML_SIGN] = QN_EXACT_SIGN,
  };
  static const qn_exact_function gelus[] = {[QN_GELU_EXACT] = QN_EXACT_GELU,
                                            [QN_GELU_TANH] = QN_EXACT_GELU_TANH,
                                            [QN_GELU_SIGMOID] = QN_EXACT_GELU_SIGMOID};
  return op->kind == QN_OP_ML_GELU ? gelus[qn_op_gelu_mode(op)] : functions[op->kind];
}

/* The activation with the same bounds as relu6 or relu_n1_to_1; QN_ACT_NONE for other ops. */
static qn_activation bounds_of(const qn_op *op) {
  if (op->kind == QN_OP_ML_RELU6) return QN_ACT_RELU6;
  return op->kind == QN_OP_ML_RELU_N1_TO_1 ? QN_ACT_RELU_N1_TO_1 : QN_ACT_NONE;
}

static bool has_kernel(const function *f) {
  bool known = f->unary.function == QN_EXACT_SIGMOID || f->unary.function == QN_EXACT_LEAKY_RELU;
  return known && f->x.width == 8 && f->y.width == 8 && f->x.is_signed == f->y.is_signed;
}

/* Plans a function with an f32 result; for an 8-bit operand a table of floats. */
static qn_status plan_reals(qn_planner *p, function *f, qn_plan *out) {
  if (f->x.width != 8)
    return qn_plan_refuse(p, f->op, "it has no exact form from %u bits to f32", f->x.width);
  float *reals = QN_NEW_ARRAY(p->arena, 256, float);
  float low, high;
  qn_activation_limits(bounds_of(f->op), &low, &high);
  for (int32_t byte = 0; byte < 256; byte++) {
    int64_t stored = f->x.is_signed ? (int8_t)byte : byte;
    if (!qn_exact_unary_real(&f->unary, stored - f->x.zero_point, &reals[byte]))
      return qn_plan_refuse(p, f->op,
                            "its result at the stored value %lld is so near to a tie that doubles "
                            "do not decide it",
                            (long long)stored);
    if (reals[byte] < low) reals[byte] = low;
    if (reals[byte] > high) reals[byte] = high;
  }
  const qn_unit_numbers n = {.core = QN_UNIT_TABLE, .finish = QN_UNIT_REAL, .reals = reals};
  return qn_unit_form(p, &n, out);
}

qn_status qn_unit_unary(qn_planner *p, const qn_op *op, qn_plan *out) {
  function f = {.op = op};
  bool real = qn_type_is_float(qn_type_element(op->results[0].type), QN_F32);
  QN_TRY(qn_unit_operand(p, op, 0, &f.x));
  f.unary = (qn_exact_unary){.function = function_of(op),
                             .alpha = (double)(float)qn_op_alpha(op),
                             .scale = f.x.scale,
                             .step = 1};
  if (!(fabs(f.unary.alpha) < 0x1p100) || (f.unary.alpha != 0 && !(fabs(f.unary.alpha) > 0x1p-100)))
    return qn_plan_refuse(p, op, "its factor %g is out of range", f.unary.alpha);
  if (real) return plan_reals(p, &f, out);
  QN_TRY(qn_unit_result(p, op, &f.y));
  qn_unit_narrow(bounds_of(op), &f.y);
  f.unary.step = f.y.scale;
  f.fused = qn_unit_is_fused(p, op) && has_kernel(&f);
  return plan_table(p, &f, out);
}

/* ---- requantization ---- */

qn_status qn_unit_requantize(qn_planner *p, const qn_op *op, qn_plan *out) {
  function f = {.op = op};
  QN_TRY(qn_unit_pair(p, op, &f.x, &f.y));
  f.unary = (qn_exact_unary){.function = QN_EXACT_IDENTITY, .scale = f.x.scale, .step = f.y.scale};
  if (f.x.width == f.y.width && (f.x.width == 8 || f.x.width == 16)) return plan_table(p, &f, out);
  const qn_exact exact = {.factors = {f.x.scale, 1}, .step = f.y.scale, .count = 1};
  int64_t reach = INT64_C(1) << f.x.width;
  qn_even_form form;
  QN_TRY(qn_unit_even(p, op, &exact, -reach, reach, &f.y, &form));
  qn_unit_numbers n = {.core = QN_UNIT_ELEMENT,
                       .finish = QN_UNIT_EVEN,
                       .zero_point = f.y.zero_point,
                       .min = f.y.min,
                       .max = f.y.max};
  qn_unit_take(p, &form, &n);
  return qn_unit_form(p, &n, out);
}

/* ---- concatenation ---- */

/* Plans the requantization of operand i of a concatenation: exact, or in f32 like the kernel of
 * onnxruntime. */
static qn_status plan_part(qn_planner *p, const qn_op *op, uint32_t i, const qn_unit_tensor *y,
                           const uint8_t **out_table) {
  function f = {.op = op, .y = *y};
  const qn_type *element = qn_type_element(op->operands[i].value->type);
  if (element == qn_type_element(op->results[0].type)) return QN_OK;
  QN_TRY(qn_unit_operand(p, op, i, &f.x));
  if (f.x.width != 8 || y->width != 8)
    return qn_plan_refuse(p, op,
                          "operand %u has another quantization than the result, and not 8 "
                          "bits as it has to",
                          i);
  f.unary = (qn_exact_unary){.function = QN_EXACT_IDENTITY, .scale = f.x.scale, .step = y->scale};
  f.fused = qn_unit_is_fused(p, op) && f.x.is_signed == y->is_signed;
  uint8_t *table = qn_arena_alloc(p->arena, 256);
  *out_table = table;
  return table_of_bytes(p, &f, table);
}

qn_status qn_unit_concat(qn_planner *p, const qn_op *op, qn_plan *out) {
  const uint8_t **tables = QN_NEW_ARRAY(p->arena, op->operand_count + 1, const uint8_t *);
  qn_unit_tensor y;
  QN_TRY(qn_unit_tensor_of(p, op, &op->results[0], "the result", &y));
  for (uint32_t i = 0; i < op->operand_count; i++) QN_TRY(plan_part(p, op, i, &y, &tables[i]));
  out->kind = QN_PLAN_CONCAT;
  out->concat = tables;
  return QN_OK;
}
