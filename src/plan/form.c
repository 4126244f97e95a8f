/* Ops whose integer arithmetic is their decomposition on stored values (src/ir/float_form): data
 * movement, plain integers, comparisons, argmin and argmax. The plan asserts that the decomposition
 * is exact for the types of the op; writing the plan builds the decomposition.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "ir/generic.h"
#include "ir/ops/ml.h"
#include "plan/inside.h"
#include "quant/pairs.h"

qn_status qn_plan_form(qn_plan *out) {
  out->kind = QN_PLAN_FORM;
  return QN_OK;
}

qn_value *qn_plan_write_form(qn_builder *b, const qn_op *op, const qn_plan *plan) {
  if (plan->pairs) return qn_build_pairs_form(b, op, plan->pairs);
  if (plan->words) return qn_build_words_form(b, op, plan->words);
  if (plan->unit) return qn_build_unit_form(b, op, plan->unit);
  if (plan->numbers) return qn_build_fixed_form(b, op, plan->numbers);
  qn_value *operands[QN_GENERIC_MAX_OPERANDS], **values = operands;
  if (op->operand_count > QN_GENERIC_MAX_OPERANDS)
    values = qn_arena_array(&b->module->arena, op->operand_count, sizeof *values);
  for (uint32_t i = 0; i < op->operand_count; i++) values[i] = op->operands[i].value;
  return qn_build_stored_form(b, op, values);
}

/* Whether elements are stored in whole bytes, so that stored integers have that many bits. */
static bool is_whole_bytes(const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  return !q || q->storage->integer.width == 8 * qn_type_bytes(q->storage);
}

bool qn_plan_is_whole(const qn_value *value) {
  const qn_type *element = qn_type_element(value->type);
  return element->kind == QN_TYPE_INTEGER && !qn_type_is_unsigned(element) &&
         element->integer.width > 1;
}

static qn_status plan_arranged(qn_planner *p, const qn_op *op, qn_plan *out) {
  (void)p, (void)op;
  return qn_plan_form(out);
}

/* Whether the value has plain unsigned integers wider than 8 bits, which no op accepts as signless.
 */
static bool is_wide_unsigned(const qn_value *value) {
  const qn_type *element = qn_type_element(value->type);
  return element->kind == QN_TYPE_INTEGER && qn_type_is_unsigned(element) &&
         element->integer.width != 8;
}

static qn_status refuse_wide_unsigned(qn_planner *p, const qn_op *op) {
  bool any = is_wide_unsigned(&op->results[0]);
  for (uint32_t i = 0; i < op->operand_count; i++) any |= is_wide_unsigned(op->operands[i].value);
  return any ? qn_plan_refuse(p, op, "unsigned integers of other than 8 bits are not supported")
             : QN_OK;
}

static qn_status plan_cast(qn_planner *p, const qn_op *op, qn_plan *out) {
  QN_TRY(refuse_wide_unsigned(p, op));
  return qn_plan_form(out);
}

static qn_status plan_stored(qn_planner *p, const qn_op *op, qn_plan *out) {
  QN_TRY(refuse_wide_unsigned(p, op));
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!is_whole_bytes(op->operands[i].value->type))
      return qn_plan_refuse(p, op, "operand %u is stored in parts of bytes", i);
  return qn_plan_form(out);
}

/* Plans ops on unquantized operands only. */
static qn_status plan_real(qn_planner *p, const qn_op *op, qn_plan *out) {
  (void)out;
  return qn_plan_refuse(p, op, "the profile %s has no arithmetic for these types",
                        p->profile->name);
}

/* Plans ops on plain integers. Rejects quantized tensors, for which the runtime has no kernel or
 * one that ignores the quantization. */
static qn_status plan_whole(qn_planner *p, const qn_op *op, qn_plan *out) {
  if (qn_plan_is_whole(op->operands[0].value)) return qn_plan_form(out);
  return plan_real(p, op, out);
}

/* Plans ops on plain integers of any signedness. */
static qn_status plan_bits(qn_planner *p, const qn_op *op, qn_plan *out) {
  const qn_type *element = qn_type_element(op->operands[0].value->type);
  return element->kind == QN_TYPE_INTEGER ? qn_plan_form(out) : plan_real(p, op, out);
}

/* Plans sums of plain integers or floats; a kernel for these would ignore the quantization of
 * stored values. */
static qn_status plan_summed(qn_planner *p, const qn_op *op, qn_plan *out) {
  const qn_quant_uniform *q = qn_type_quant(op->results[0].type);
  if (!q) return qn_plan_form(out);
  if (!p->profile->stored_numbers) return plan_real(p, op, out);
  if (qn_ml_same_storage(op->operands[1].value->type, op->results[0].type))
    return plan_stored(p, op, out);
  return qn_plan_refuse(p, op, "the operation mixes storage types");
}

/* Plans powers and rounded-down quotients, which are exact up to 32 bits. */
static qn_status plan_narrow(qn_planner *p, const qn_op *op, qn_plan *out) {
  const qn_value *x = op->operands[0].value;
  if (qn_plan_is_whole(x) && qn_type_element(x->type)->integer.width > 32)
    return qn_plan_refuse(p, op, "it is not defined on more than 32 bits");
  return plan_whole(p, op, out);
}

/* Plans a signed 8- or 16-bit tensor whose kernel ignores scales. */
static qn_status plan_as_numbers(qn_planner *p, const qn_op *op, qn_plan *out) {
  const qn_quant_uniform *q = qn_type_quant(op->operands[0].value->type);
  bool narrow = q && q->is_signed && is_whole_bytes(op->operands[0].value->type) &&
                q->storage->integer.width <= 16;
  if (!narrow || !p->profile->stored_numbers) return plan_whole(p, op, out);
  for (uint32_t i = 0; i <= op->operand_count; i++) {
    const qn_value *v = i ? op->operands[i - 1].value : &op->results[0];
    const qn_quant_uniform *other = qn_type_quant(v->type);
    if (i == 0 && qn_type_is_int(qn_type_element(v->type), 1)) continue;
    if (!other || other->storage != q->storage || !other->is_signed)
      return qn_plan_refuse(p, op, "the operation mixes storage types");
  }
  qn_plan_note_on(p, out, QN_WARNING,
                  "'%.*s' takes stored values for numbers, whatever their scale, as the kernels of "
                  "%s do",
                  QN_STR_ARG(op->name), p->profile->name);
  return qn_plan_form(out);
}

/* Whether the divisor can be -1. INT_MIN / -1 overflows: kernels for 8 and 16 bits then return the
 * minimum or the maximum, depending on the element's position. */
static bool may_divide_by_minus_one(const qn_value *divisor) {
  const qn_attr *value = qn_value_constant(divisor);
  if (!value) return true;
  int64_t count = qn_type_elements(divisor->type);
  for (int64_t i = 0; i < count; i++)
    if (qn_dense_int(value, i) == -1) return true;
  return false;
}
static qn_status check_quotient(qn_planner *p, const qn_op *op) {
  const qn_value *divisor = op->operands[1].value;
  const qn_type *element = qn_type_element(divisor->type);
  bool is_narrow = element->kind == QN_TYPE_QUANT_UNIFORM ||
                   (element->kind == QN_TYPE_INTEGER && element->integer.width <= 16);
  if (!p->needs_opt_in || !is_narrow || !may_divide_by_minus_one(divisor)) return QN_OK;
  return qn_plan_refuse(p, op,
                        "a divisor may be -1, and the kernels of %s divide the minimum by -1 "
                        "differently in vectors and in remaining elements",
                        p->profile->name);
}

static qn_status plan_quotient_of_numbers(qn_planner *p, const qn_op *op, qn_plan *out) {
  QN_TRY(check_quotient(p, op));
  bool quantized = qn_type_quant(op->results[0].type) != NULL;
  return quantized ? plan_as_numbers(p, op, out) : plan_narrow(p, op, out);
}

/* Plans two 16-bit tensors that are rescaled to one scale. */
static qn_status plan_steps(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor a, b;
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[0].value, "operand 0", 16, &a));
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[1].value, "operand 1", 16, &b));
  qn_form_numbers *n = QN_NEW(p->arena, qn_form_numbers);
  *n = (qn_form_numbers){.a_zero_point = a.affine.zero_point,
                         .b_zero_point = b.affine.zero_point,
                         .left_shift = QN_COMPARISON_SHIFT,
                         .a = qn_multiplier_of(a.affine.scale),
                         .b = qn_multiplier_of(b.affine.scale)};
  out->numbers = n;
  return qn_plan_form(out);
}

/* Plans a function of two 8-bit tensors as a table of all pairs; `to_bits`: the result is boolean.
 */
static qn_status plan_pairs(qn_planner *p, const qn_op *op, const qn_pair_rule *rule, bool to_bits,
                            qn_plan *out) {
  qn_plan_tensor a, b, y = {.affine = {1.0, 0, 0, 1}};
  QN_TRY(qn_plan_tensor_of(p, op, op->operands[0].value, "operand 0", &a));
  QN_TRY(qn_plan_tensor_of(p, op, op->operands[1].value, "operand 1", &b));
  QN_TRY(qn_plan_same_sign(p, op, &a, &b));
  if (!to_bits) {
    QN_TRY(qn_plan_tensor_of(p, op, &op->results[0], "the result", &y));
    QN_TRY(qn_plan_same_sign(p, op, &a, &y));
    qn_plan_output clamp = qn_plan_output_of(op, &y);
    y.affine.min = clamp.min;
    y.affine.max = clamp.max;
    QN_TRY(qn_plan_check_ratio(p, op, a.affine.scale / y.affine.scale));
    QN_TRY(qn_plan_check_ratio(p, op, a.affine.scale * b.affine.scale / y.affine.scale));
  }
  uint8_t *table = qn_arena_alloc(p->arena, QN_PAIRS);
  const qn_pair ends = {.a = a.affine, .b = b.affine, .output = y.affine};
  if (!qn_pair_table(rule, p->profile, &ends, a.is_unsigned, table))
    return qn_plan_refuse_numbers(p, "'%.*s' has scales for which the profile %s defines nothing",
                                  QN_STR_ARG(op->name), p->profile->name);
  out->pairs = table;
  return qn_plan_form(out);
}

/* Checks the scales of an op whose kernels shift right by the negated exponent of the multiplier,
 * which would be negative for scales of 1 and more. */
static qn_status check_steps(qn_planner *p, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count && p->needs_opt_in; i++) {
    const qn_quant_uniform *q = qn_type_quant(op->operands[i].value->type);
    if (q && qn_multiplier_of(q->scales[0]).shift > 0)
      return qn_plan_refuse(
          p, op, "operand %u has the scale %g, and the kernels of %s compare scales below 1 only",
          i, q->scales[0], p->profile->name);
  }
  return QN_OK;
}

static qn_status plan_comparison(qn_planner *p, const qn_op *op, const qn_pair_rule *rule,
                                 bool always_scaled, qn_plan *out) {
  const qn_quant_uniform *q = qn_type_quant(op->operands[0].value->type);
  if (!q) return plan_stored(p, op, out);
  bool scaled = q->storage->integer.width != 16 || always_scaled || !p->profile->stored_numbers;
  if (!scaled) return plan_as_numbers(p, op, out);
  QN_TRY(check_steps(p, op));
  return q->storage->integer.width == 16 ? plan_steps(p, op, out)
                                         : plan_pairs(p, op, rule, true, out);
}
#define COMPARISON(name, always_scaled)                                                            \
  static qn_status plan_##name(qn_planner *p, const qn_op *op, qn_plan *out) {                     \
    return plan_comparison(p, op, &qn_pair_##name, always_scaled, out);                            \
  }
COMPARISON(equal, true)
COMPARISON(not_equal, true)
COMPARISON(less, false)
COMPARISON(less_equal, false)
COMPARISON(greater, false)
COMPARISON(greater_equal, false)
#undef COMPARISON

static qn_status plan_squared_difference(qn_planner *p, const qn_op *op, qn_plan *out) {
  if (!qn_type_quant(op->results[0].type)) return plan_whole(p, op, out);
  return plan_pairs(p, op, &qn_pair_squared_difference, false, out);
}
/* Checks the shift count of the quotient's kernel: the multiplier's exponent minus the leading
 * zeros of the dividend and the bits of the divisor. It must be in [-63, 0]: a left shift would
 * have a negative count, and results of larger right shifts differ between CPUs. `bits`: width of
 * either operand. */
static qn_status check_quotient_shift(qn_planner *p, const qn_op *op, double real, int32_t bits) {
  enum { MOST_SHIFT = 63, MOST_HEADROOM = 31 };
  int exponent;
  (void)frexp(real, &exponent);
  const bool is_below = exponent - MOST_HEADROOM - bits < -MOST_SHIFT;
  const bool is_above = exponent - (MOST_HEADROOM - bits) > 0;
  if (!p->needs_opt_in || (!is_below && !is_above)) return QN_OK;
  return qn_plan_refuse(p, op,
                        "its scales have the ratio %g, %s what the kernels of %s can shift by",
                        real, is_below ? "below" : "above", p->profile->name);
}

/* Plans a quotient: for 8 bits as a table of all pairs, for 16 bits in fixed point. */
static qn_status plan_quotient(qn_planner *p, const qn_op *op, uint32_t width, qn_plan *out) {
  qn_plan_tensor a, b, y;
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[0].value, "operand 0", width, &a));
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[1].value, "operand 1", width, &b));
  QN_TRY(qn_plan_tensor_of_width(p, op, &op->results[0], "the result", width, &y));
  const double real = a.affine.scale / (b.affine.scale * y.affine.scale);
  if (width == 16) QN_TRY(qn_plan_check_ratio(p, op, real));
  QN_TRY(check_quotient_shift(p, op, real, (int32_t)width));
  if (width == 8) return plan_pairs(p, op, &qn_pair_div, false, out);
  qn_pair ends = {.a = a.affine, .b = b.affine, .output = y.affine};
  qn_pair_div.prepare(&ends, p->profile);
  qn_plan_output clamp = qn_plan_output_of(op, &y);
  qn_form_numbers *n = QN_NEW(p->arena, qn_form_numbers);
  *n = (qn_form_numbers){.a_zero_point = a.affine.zero_point,
                         .b_zero_point = b.affine.zero_point,
                         .y = ends.result,
                         .zero_point = y.affine.zero_point,
                         .min = clamp.min,
                         .max = clamp.max};
  out->numbers = n;
  return qn_plan_form(out);
}

static qn_status plan_real_div(qn_planner *p, const qn_op *op, qn_plan *out) {
  const qn_quant_uniform *q = qn_type_quant(op->results[0].type);
  if (!q) return plan_whole(p, op, out);
  return plan_quotient(p, op, q->storage->integer.width == 16 ? 16 : 8, out);
}

/* Plans a prelu with 16-bit activations and 8-bit slopes. */
static qn_status plan_wide_prelu(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, slope, y;
  QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[0].value, "operand 0", 16, &x));
  QN_TRY(qn_plan_tensor_of(p, op, op->operands[1].value, "operand 1", &slope));
  QN_TRY(qn_plan_tensor_of_width(p, op, &op->results[0], "the result", 16, &y));
  qn_form_numbers *n = QN_NEW(p->arena, qn_form_numbers);
  *n = (qn_form_numbers){.a_zero_point = x.affine.zero_point,
                         .b_zero_point = slope.affine.zero_point,
                         .zero_point = y.affine.zero_point,
                         .min = y.affine.min,
                         .max = y.affine.max};
  qn_pair ends = {.a = x.affine, .b = slope.affine, .output = y.affine};
  qn_pair_prelu.prepare(&ends, p->profile);
  n->a = ends.first;
  n->b = ends.second;
  QN_TRY(qn_plan_check_ratio(p, op, x.affine.scale / y.affine.scale));
  QN_TRY(qn_plan_check_ratio(p, op, x.affine.scale * slope.affine.scale / y.affine.scale));
  out->numbers = n;
  return qn_plan_form(out);
}
static qn_status plan_prelu(qn_planner *p, const qn_op *op, qn_plan *out) {
  const qn_quant_uniform *q = qn_type_quant(op->results[0].type);
  if (!q) return plan_real(p, op, out);
  if (q->storage->integer.width == 16) return plan_wide_prelu(p, op, out);
  return plan_pairs(p, op, &qn_pair_prelu, false, out);
}

/* Plans 8- or 16-bit tensors with equal quantization of operand and result, or plain values. */
static qn_status plan_raw(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  QN_TRY(refuse_wide_unsigned(p, op));
  if (!qn_type_quant(op->operands[0].value->type)) return qn_plan_form(out);
  QN_TRY(qn_plan_tensor_of_width(p, op, &op->results[0], "the result", 8 | 16, &y));
  for (uint32_t i = 0; i < op->operand_count; i++) {
    char role[24];
    snprintf(role, sizeof role, "operand %u", i);
    QN_TRY(qn_plan_tensor_of_width(p, op, op->operands[i].value, role, 8 | 16, &x));
    QN_TRY(qn_plan_same_type(p, op, &x, &y));
    if (!qn_plan_tensors_equal(&x, &y))
      qn_plan_note_on(p, out, QN_WARNING,
                      "'%.*s' keeps stored values, but %s has another quantization than the result",
                      QN_STR_ARG(op->name), role);
  }
  return qn_plan_form(out);
}

/* Reads operand 0 and the result, 8 or 16 bits, with their zero points. */
static qn_status reduction_numbers(qn_planner *p, const qn_op *op, qn_plan_tensor *x,
                                   qn_plan_tensor *y, qn_form_numbers **out) {
  QN_TRY(qn_plan_pair_of_one_type(p, op, x, y));
  *out = QN_NEW(p->arena, qn_form_numbers);
  **out = (qn_form_numbers){.a_zero_point = x->affine.zero_point,
                            .zero_point = y->affine.zero_point,
                            .min = y->affine.min,
                            .max = y->affine.max};
  return QN_OK;
}

/* Plans sums over axes. For int8, a kernel that reads bytes as uint8 still gives the right low
 * byte. For int16 it reads halves of elements, so such profiles are rejected. */
static qn_status plan_reduce_sum(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  qn_form_numbers *n = NULL;
  if (!qn_type_quant(op->results[0].type)) return plan_whole(p, op, out);
  QN_TRY(reduction_numbers(p, op, &x, &y, &n));
  if (p->profile->sums == QN_SUM_NONE)
    return qn_plan_refuse(p, op, "the profile %s has no rule for sums of %u bits", p->profile->name,
                          x.width);
  bool bytes = p->profile->sums == QN_SUM_OF_BYTES && !x.is_unsigned;
  if (bytes && x.width == 16)
    return qn_plan_refuse(p, op, "the profile %s sums the bytes of 16-bit tensors",
                          p->profile->name);
  if (bytes) n->bytes = true, n->min = 0, n->max = UINT8_MAX;
  double real = qn_real_requantize(x.affine.scale, y.affine.scale);
  QN_TRY(qn_plan_check_ratio(p, op, real));
  n->y = qn_multiplier_of(real);
  out->numbers = n;
  return qn_plan_form(out);
}

static qn_status plan_reduce_prod(qn_planner *p, const qn_op *op, qn_plan *out) {
  qn_plan_tensor x, y;
  qn_form_numbers *n = NULL;
  if (!qn_type_quant(op->results[0].type)) return plan_whole(p, op, out);
  QN_TRY(reduction_numbers(p, op, &x, &y, &n));
  if (x.is_unsigned) return qn_plan_refuse(p, op, "no kernel takes unsigned storage");
  if (p->profile->sums == QN_SUM_NONE)
    return qn_plan_refuse(p, op, "the profile %s has no rule for products of %u bits",
                          p->profile->name, x.width);
  int64_t results = qn_type_elements(op->results[0].type);
  int64_t count = results > 0 ? qn_type_elements(op->operands[0].value->type) / results : 0;
  if (count < 1) return qn_plan_refuse_numbers(p, "the product of no elements is not defined");
  double real = x.affine.scale / pow(y.affine.scale, 1.0 / (double)count);
  n->y = qn_multiplier_of(real);
  if (!qn_multiplier_exists(real) || n->y.shift > QN_REDUCED_MAX_SHIFT)
    return qn_plan_refuse_numbers(p, "'%.*s' has scales whose ratio %g is out of range",
                                  QN_STR_ARG(op->name), real);
  out->numbers = n;
  return qn_plan_form(out);
}

/* Plans bilinear resizing of floats, 8-bit, and 16-bit tensors with unchanged quantization; the
 * kernels support no other integers. */
static qn_status plan_bilinear(qn_planner *p, const qn_op *op, qn_plan *out) {
  const qn_value *x = op->operands[0].value;
  if (!qn_type_quant(x->type) && qn_type_element(x->type)->kind == QN_TYPE_INTEGER)
    return qn_plan_refuse(p, op, "it is not defined on plain integers");
  const qn_type *in = qn_type_element(x->type), *out_element = qn_type_element(op->results[0].type);
  const qn_quant_uniform *q = qn_type_quant(x->type);
  if (q && q->is_signed && q->storage->integer.width == 16 && in == out_element)
    return qn_plan_form(out);
  if (q && !(q->is_signed ? p->profile->bilinear : p->profile->bilinear_u8))
    return qn_plan_refuse(p, op, "the profile %s has no rule for it on quantized tensors",
                          p->profile->name);
  return plan_raw(p, op, out);
}

#define FORM(stem, plan_fn) const qn_plan_record qn_plan_ml_##stem = {.plan = plan_fn};
/* Plans of the families of ops in the tables. */
#define PLAN_REAL(stem) FORM(stem, plan_real)
#define PLAN_WHOLE(stem) FORM(stem, plan_whole)
#define PLAN_OWN(stem)
#define UNARY(stem, kind, attributes, verify, plan, ...) PLAN_##plan(stem)
#define BINARY UNARY
#include "ir/ops/ml_elements.def"
#undef UNARY
#undef BINARY
FORM(stack, plan_arranged)
FORM(tile, plan_arranged)
FORM(reverse, plan_arranged)
FORM(mirror_pad, plan_arranged)
FORM(space_to_depth, plan_arranged)
FORM(depth_to_space, plan_arranged)
FORM(space_to_batch, plan_arranged)
FORM(batch_to_space, plan_arranged)
FORM(gather_nd, plan_arranged)
FORM(resize_nearest_neighbor, plan_arranged)
FORM(resize_bilinear, plan_bilinear)
FORM(reduce_argmax, plan_stored)
FORM(reduce_argmin, plan_stored)
FORM(select, plan_stored)
FORM(cast, plan_cast)
FORM(bitcast, plan_arranged)
FORM(shift, plan_arranged)
FORM(bitwise_and, plan_arranged)
FORM(logical_and, plan_arranged)
FORM(logical_or, plan_arranged)
FORM(logical_xor, plan_arranged)
FORM(logical_not, plan_arranged)
FORM(bitwise_xor, plan_bits)
FORM(right_shift, plan_bits)
FORM(maximum, plan_raw)
FORM(minimum, plan_raw)
FORM(reduce_max, plan_raw)
FORM(reduce_min, plan_raw)
FORM(reduce_sum, plan_reduce_sum)
FORM(reduce_prod, plan_reduce_prod)
FORM(neg, plan_as_numbers)
FORM(floor_div, plan_quotient_of_numbers)
FORM(floor_mod, plan_as_numbers)
FORM(real_div, plan_real_div)
FORM(cumsum, plan_whole)
FORM(top_indices, plan_stored)
FORM(non_maximum_suppression, plan_stored)
FORM(one_hot, plan_stored)
FORM(scatter_nd, plan_summed)
FORM(local_response_norm, plan_real)
FORM(batch_norm, plan_real)
FORM(layer_norm, plan_real)
FORM(rnn, plan_real)
FORM(instance_norm, plan_real)
FORM(pow, plan_narrow)
FORM(squared_difference, plan_squared_difference)
FORM(prelu, plan_prelu)
FORM(equal, plan_equal)
FORM(not_equal, plan_not_equal)
FORM(less, plan_less)
FORM(less_equal, plan_less_equal)
FORM(greater, plan_greater)
FORM(greater_equal, plan_greater_equal)
#undef FORM
