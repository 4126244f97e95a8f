/* Functions of one 8-bit value: a table of all 256 results (docs/arithmetic.md 9 and 11). Functions
 * of one 16-bit value: a table of 65536.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "plan/inside.h"

/* ---- plan ---- */

/* Rejects functions that convert a float outside of int32: the kernels convert without a range
 * check, so the profile defines no result. */
static qn_status refuse_beyond(qn_planner *p, const qn_op *op, bool beyond, const qn_plan_tensor *x,
                               const qn_plan_tensor *y) {
  if (!beyond || !p->needs_opt_in) return QN_OK;
  return qn_plan_refuse(
      p, op, "with scales %g and %g the kernels of %s convert floats that 32 bits do not hold",
      x->affine.scale, y->affine.scale, p->profile->name);
}

/* Plans a table. `real`: multiplier of the function's input, which is checked first. */
static qn_status plan_table(qn_planner *p, const qn_op *op, qn_unary_fn *function,
                            const qn_plan_tensor *x, const qn_plan_tensor *y, double real,
                            qn_plan *out) {
  QN_TRY(qn_plan_check_ratio(p, op, real));
  uint8_t *table = qn_arena_alloc(p->arena, 256);
  bool beyond = false;
  const qn_unary ends = {.input = x->affine,
                         .output = y->affine,
                         .parameter = (float)qn_op_alpha(op),
                         .beyond = &beyond};
  qn_unary_table(function, p->profile, &ends, x->is_unsigned, table);
  out->kind = QN_PLAN_TABLE;
  out->table = table;
  return refuse_beyond(p, op, beyond, x, y);
}

/* Like plan_table, for 8 or 16 bits, if the kernels use the same rule for both. */
static qn_status plan_any_width(qn_planner *p, const qn_op *op, qn_unary_fn *function,
                                const qn_plan_tensor *x, const qn_plan_tensor *y, double real,
                                qn_plan *out) {
  if (x->width == 8) return plan_table(p, op, function, x, y, real, out);
  QN_TRY(qn_plan_check_ratio(p, op, real));
  int16_t *words = QN_NEW_ARRAY(p->arena, QN_INT16_VALUES, int16_t);
  bool beyond = false;
  const qn_unary ends = {.input = x->affine,
                         .output = y->affine,
                         .parameter = (float)qn_op_alpha(op),
                         .beyond = &beyond};
  qn_unary_words(function, p->profile, &ends, words);
  out->words = words;
  QN_TRY(refuse_beyond(p, op, beyond, x, y));
  return qn_plan_form(out);
}

/* Plans a function whose int8 kernels have a fixed quantization of the result, if they compute in
 * fixed point. */
static qn_status plan_sigmoidal(qn_planner *p, const qn_op *op, qn_unary_fn *function, double scale,
                                int32_t zero_point, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  if (x.width == 16) return qn_plan_lut16_of(p, op, &x, &y, out);
  const qn_profile *profile = x.is_unsigned ? p->profile->uint8_as : p->profile;
  bool fits = y.affine.scale == scale && y.affine.zero_point == zero_point;
  if (profile->sigmoidal == QN_SIGMOIDAL_FIXED && !fits)
    return qn_plan_refuse_numbers(
        p, "the profile %s defines '%.*s' only for output scale %g and zero point %d",
        p->profile->name, QN_STR_ARG(op->name), scale, zero_point);
  return plan_table(p, op, function, &x, &y, x.affine.scale, out);
}

static qn_status plan_sigmoid(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_sigmoidal(p, op, qn_unary_sigmoid, 0x1p-8, -128, out);
}
static qn_status plan_tanh(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_sigmoidal(p, op, qn_unary_tanh, 0x1p-7, 0, out);
}

/* Plans a rectifier; for 16 bits as a rescaling with a clamp. */
static qn_status plan_rectifier(qn_planner *p, const qn_op *op, qn_unary_fn *function,
                                qn_activation activation, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  double real = qn_real_relu(x.affine.scale, y.affine.scale);
  if (x.width == 8) return plan_table(p, op, function, &x, &y, real, out);
  bool clamped = activation == QN_ACT_RELU6 && p->profile->relu6 == QN_RELU6_CLAMPED;
  bool beyond = activation == QN_ACT_RELU6 && !qn_plan_bound_fits(6, &y);
  QN_TRY(refuse_beyond(p, op, beyond && !clamped, &x, &y));
  QN_TRY(qn_plan_rescale_of(p, op, &x, &y, clamped ? 1 : real, out));
  qn_activation_range(activation, clamped ? x.affine : y.affine, &out->rescale.output.min,
                      &out->rescale.output.max);
  return QN_OK;
}

static qn_status plan_relu(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_rectifier(p, op, qn_unary_relu, QN_ACT_RELU, out);
}
static qn_status plan_relu6(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_rectifier(p, op, qn_unary_relu6, QN_ACT_RELU6, out);
}

/* Plans ml.hard_swish. The kernels are defined for right shifts of the product by 0 to 15 bits;
 * other scales are rejected. */
static qn_status plan_hard_swish(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_sign(p, op, &x, &y));
  int32_t shift = qn_multiplier_of(qn_real_hard_swish(x.affine.scale, y.affine.scale)).shift;
  if (shift < -15 || shift > 0)
    return qn_plan_refuse_numbers(p, "'%.*s' has scales whose ratio %g is out of range",
                                  QN_STR_ARG(op->name), x.affine.scale / y.affine.scale);
  return plan_table(p, op, qn_unary_hard_swish, &x, &y, x.affine.scale, out);
}

static qn_status plan_scaled(qn_planner *p, const qn_op *op, qn_unary_fn *function, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_sign(p, op, &x, &y));
  return plan_table(p, op, function, &x, &y, qn_real_relu(x.affine.scale, y.affine.scale), out);
}

static qn_status plan_relu_n1_to_1(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_scaled(p, op, qn_unary_relu_n1_to_1, out);
}

static qn_status plan_scaled_any_width(qn_planner *p, const qn_op *op, qn_unary_fn *function,
                                       qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  return plan_any_width(p, op, function, &x, &y, qn_real_relu(x.affine.scale, y.affine.scale), out);
}
/* Whether the factor of an 8-bit function is in [2^-8, 2^7]. */
static bool has_factor(const qn_plan_tensor *x, const qn_plan_tensor *y, float alpha) {
  float factor = fabsf((float)x->affine.scale / (float)y->affine.scale * alpha);
  return factor >= 0x1p-8F && factor <= 0x1p7F;
}
static qn_status plan_leaky_relu(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  double real = qn_real_relu(x.affine.scale, y.affine.scale), alpha = qn_op_alpha(op);
  if (x.width == 16) return plan_any_width(p, op, qn_unary_leaky_relu_words, &x, &y, real, out);
  if (p->profile->leaky == QN_FACTOR_8_BITS &&
      !(has_factor(&x, &y, 1) && has_factor(&x, &y, (float)alpha)))
    return qn_plan_refuse_numbers(p,
                                  "'%.*s' has scales of the ratio %g and a factor %g, which the "
                                  "profile's multipliers of 8 bits do not hold",
                                  QN_STR_ARG(op->name), real, alpha);
  return plan_table(p, op, qn_unary_leaky_relu, &x, &y, real, out);
}
static qn_status plan_abs(qn_planner *p, const qn_op *op, qn_plan *out) {
  if (qn_plan_is_whole(op->operands[0].value)) return qn_plan_form(out);
  return plan_scaled_any_width(p, op, qn_unary_abs, out);
}

/* Plans a table sampled in float, for any scales. */
static qn_status plan_sampled(qn_planner *p, const qn_op *op, qn_unary_fn *function, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  return plan_any_width(p, op, function, &x, &y, 1.0, out);
}
static qn_status plan_exp(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_sampled(p, op, qn_unary_exp, out);
}
static qn_status plan_log(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_sampled(p, op, qn_unary_log, out);
}
static qn_status plan_sqrt(qn_planner *p, const qn_op *op, qn_plan *out) {
  return plan_sampled(p, op, qn_unary_sqrt, out);
}
static qn_status plan_gelu(qn_planner *p, const qn_op *op, qn_plan *out) {
  static qn_unary_fn *const functions[] = {[QN_GELU_EXACT] = qn_unary_gelu,
                                           [QN_GELU_TANH] = qn_unary_gelu_approximate,
                                           [QN_GELU_SIGMOID] = qn_unary_gelu_logistic};
  return plan_sampled(p, op, functions[qn_op_gelu_mode(op)], out);
}
static qn_status plan_elu(qn_planner *p, const qn_op *op, qn_plan *out) {
  if (qn_op_alpha(op) != 1.0)
    return qn_plan_refuse(p, op, "its factor is %g, where kernels know 1 alone", qn_op_alpha(op));
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_sign(p, op, &x, &y));
  return plan_sampled(p, op, qn_unary_elu, out);
}

/* Plans ml.rsqrt. The square root's shift plus 20 bits must not exceed 31; other scales are
 * rejected. */
static qn_status plan_rsqrt(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_pair_of_one_type(p, op, &x, &y));
  double real = qn_real_rsqrt(x.affine.scale, y.affine.scale);
  if (x.width == 16) return plan_any_width(p, op, qn_unary_rsqrt, &x, &y, 1.0, out);
  if (qn_multiplier_of(real).shift < -11)
    return qn_plan_refuse_numbers(p, "'%.*s' has scales whose ratio %g is out of range",
                                  QN_STR_ARG(op->name), real);
  return plan_table(p, op, qn_unary_rsqrt, &x, &y, real, out);
}

/* Checks that the kernels round elements in vectors and remaining elements equally. */
static qn_status check_places(qn_planner *p, const qn_op *op, const qn_plan_tensor *x,
                              const qn_plan_tensor *y, const qn_plan *plan) {
  uint8_t in_vectors[256];
  const qn_unary ends = {.input = x->affine, .output = y->affine};
  qn_unary_table(qn_unary_recode_up, p->profile, &ends, x->is_unsigned, in_vectors);
  if (memcmp(in_vectors, plan->table, sizeof in_vectors) == 0) return QN_OK;
  return qn_plan_refuse(p, op,
                        "with a scale ratio of %g, the kernels of %s round elements in vectors and "
                        "remaining elements differently",
                        x->affine.scale / y->affine.scale, p->profile->name);
}

/* Plans requantization, also between signed and unsigned storage. */
static qn_status plan_requantize(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[0].value, "the input", 8 | 16 | 32, &x));
  QN_TRY(qn_plan_tensor_of_width(p, op, &op->results[0], "the result", 8 | 16 | 32, &y));
  if (x.width != 8 || y.width != 8) {
    double real = qn_real_requantize(x.affine.scale, y.affine.scale);
    return qn_plan_rescale_of(p, op, &x, &y, real, out);
  }
  bool recodes = x.is_unsigned != y.is_unsigned;
  qn_factor_rule rule = recodes ? p->profile->recode : p->profile->rescale;
  if (rule == QN_FACTOR_8_BITS && !has_factor(&x, &y, 1))
    return qn_plan_refuse_numbers(p,
                                  "'%.*s' has scales of the ratio %g, which the profile's "
                                  "multipliers of 8 bits do not hold",
                                  QN_STR_ARG(op->name), x.affine.scale / y.affine.scale);
  double real = qn_real_requantize(x.affine.scale, y.affine.scale);
  qn_unary_fn *function = recodes ? qn_unary_recode : qn_unary_requantize;
  QN_TRY(plan_table(p, op, function, &x, &y, real, out));
  return rule == QN_FACTOR_31_BITS_BY_PLACE ? check_places(p, op, &x, &y, out) : QN_OK;
}

/* ---- write and read ---- */

static qn_value *write_table(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  if (plan->kind == QN_PLAN_RESCALE) return qn_plan_write_rescale(p, b, op, plan);
  QN_ASSERT(plan->kind == QN_PLAN_LUT16);
  return qn_plan_write_lut16(p, b, op, plan);
}

const char *qn_plan_read_table(qn_planner *p, const qn_plan_operands *operands, const qn_op *op,
                               qn_plan *out) {
  const qn_type *type = op->operands[1].value->type;
  if (qn_type_elements(type) != 256 || qn_type_bytes(qn_type_element(type)) != 1)
    return "needs a table of 256 bytes";
  uint8_t *table = qn_arena_alloc(p->arena, 256);
  for (int i = 0; i < 256; i++) table[i] = (uint8_t)operands->integer(operands->user, op, 1, i);
  *out = (qn_plan){.kind = QN_PLAN_TABLE, .table = table};
  return NULL;
}

/* ---- table entries ---- */

#define TABLE(stem, plan_fn, condition)                                                            \
  const qn_plan_record qn_plan_##stem = {                                                          \
      .plan = plan_fn, .write = write_table, .integer = QN_OP_ML_LUT, .needs = condition};
TABLE(ml_sigmoid, plan_sigmoid, "one sign of storage; tflm: result scale 1/256")
TABLE(ml_tanh, plan_tanh, "one sign of storage; tflm: result scale 1/128")
TABLE(ml_relu, plan_relu, "one sign of storage")
TABLE(ml_relu6, plan_relu6, "one sign of storage")
TABLE(ml_relu_n1_to_1, plan_relu_n1_to_1, "one sign of storage")
TABLE(ml_leaky_relu, plan_leaky_relu, "one sign of storage")
TABLE(ml_abs, plan_abs, "one sign of storage")
TABLE(ml_exp, plan_exp, "one sign of storage")
TABLE(ml_sqrt, plan_sqrt, "one sign of storage")
TABLE(ml_rsqrt, plan_rsqrt, "one sign of storage")
TABLE(ml_log, plan_log, "one sign of storage")
TABLE(ml_gelu, plan_gelu, "one sign of storage")
TABLE(ml_elu, plan_elu, "one sign of storage; alpha 1")
TABLE(ml_hard_swish, plan_hard_swish,
      "one sign of storage; input scale below 128 times the result's")
TABLE(ml_requantize, plan_requantize, "")
#undef TABLE

const qn_plan_record qn_plan_ml_reexpress = {
    .none = "rounds as its own attributes say, in every profile",
    .integer = QN_OP_ML_LUT,
    .needs = "a constant input may have any type, others up to 32 bits where f64 decides the "
             "rounding",
    .exact = true};
