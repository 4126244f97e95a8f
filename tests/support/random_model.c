/* Random models: numbers, module, types, constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/random_model.h"

#include <math.h>

#include "text/text.h"

int64_t qn_random_between(qn_random_model *m, int64_t lo, int64_t hi) {
  return lo + (int64_t)qn_choose(&m->choices, (uint64_t)(hi - lo + 1));
}

/* A real in [lo, hi]. If a fuzzer decides, one of 2^16 values. */
double qn_random_real(qn_random_model *m, double lo, double hi) {
  double u = m->choices.bytes ? (double)qn_choose(&m->choices, 65536) * 0x1p-16
                              : (double)(qn_choose(&m->choices, 0) >> 11) * 0x1p-53;
  return (double)(float)(lo * pow(hi / lo, u));
}

int64_t qn_random_pick(qn_random_model *m, const int64_t *values, size_t count) {
  return values[qn_choose(&m->choices, count)];
}

bool qn_random_chance(qn_random_model *m, uint32_t one_in) {
  return qn_choose(&m->choices, one_in) == one_in - 1;
}

/* ---- modules ---- */

static void record(void *user, const qn_diag *diag) {
  qn_random_model *m = user;
  size_t used = strlen(m->diagnostics);
  snprintf(m->diagnostics + used, sizeof m->diagnostics - used, "%.*s\n", QN_STR_ARG(diag->text));
  m->errors += diag->severity == QN_ERROR;
  if (diag->severity == QN_ERROR) m->failed_at = diag->loc;
  m->warnings += diag->severity == QN_WARNING;
}

void qn_random_begin(qn_random_model *m, uint64_t seed, const char *profile) {
  qn_random_begin_with(m, qn_choices_of_seed(seed), profile);
}

void qn_random_begin_with(qn_random_model *m, qn_choices choices, const char *profile) {
  *m = (qn_random_model){.choices = choices};
  m->is_unsigned = strcmp(profile, "tflm") != 0 && qn_random_between(m, 0, 2) == 0;
  qn_ir_context_init(&m->cx);
  m->cx.print_type = qn_text_print_type;
  m->cx.diag.handler = record;
  m->cx.diag.user = m;
  m->module = qn_module_create(&m->cx, m->cx.diag.unknown);
  qn_op_set_attr(m->module, m->module->op, "quern.numerics",
                 qn_attr_string(&m->cx, qn_str_of(profile)));
  qn_op_set_attr(m->module, m->module->op, "quern.fall_back", qn_attr_unit(&m->cx));
  m->b = qn_builder_at_end(m->module, qn_op_body(m->module->op), m->cx.diag.unknown);
  m->func =
      qn_build_func(&m->b, qn_str_of("main"), qn_type_function(&m->cx, NULL, 0, NULL, 0), NULL);
  m->b = qn_builder_at_end(m->module, qn_op_body(m->func), m->cx.diag.unknown);
}

void qn_random_use_words(qn_random_model *m) {
  m->words = true;
  m->is_unsigned = false;
}

void qn_random_end(qn_random_model *m, qn_value *const *results, uint32_t count) {
  qn_build_0(&m->b, QN_OP_FUNC_RETURN, results, count, NULL);
  const qn_type *inputs[QN_RANDOM_MAX_ARGS], *outputs[QN_RANDOM_MAX_ARGS];
  qn_block *body = qn_op_body(m->func);
  QN_ASSERT(body->arg_count <= QN_RANDOM_MAX_ARGS && count <= QN_RANDOM_MAX_ARGS);
  for (uint32_t i = 0; i < body->arg_count; i++) inputs[i] = body->args[i]->type;
  for (uint32_t i = 0; i < count; i++) outputs[i] = results[i]->type;
  const qn_type *type = qn_type_function(&m->cx, inputs, body->arg_count, outputs, count);
  qn_op_set_attr(m->module, m->func, "function_type", qn_attr_type(&m->cx, type));
}

void qn_random_free(qn_random_model *m) {
  qn_module_destroy(m->module);
  qn_ir_context_deinit(&m->cx);
}

void qn_random_dump(const qn_random_model *m) {
  qn_text text = {0};
  qn_text_print(m->module, NULL, &text);
  fprintf(stderr, "%s%.*s\n", m->diagnostics, (int)text.size, text.data);
  qn_text_deinit(&text);
}

/* ---- types and constants ---- */

qn_random_affine qn_random_quant(qn_random_model *m) {
  if (m->words)
    return (qn_random_affine){m->extreme && qn_random_chance(m, 3) ? qn_random_real(m, 1e-9, 1e5)
                                                                   : qn_random_real(m, 1e-5, 1e-3),
                              0};
  int64_t low = m->is_unsigned ? 0 : -128;
  int64_t zero = low + qn_random_between(m, 0, 255);
  if (qn_random_between(m, 0, 3) == 0) zero = low + 255 * qn_random_between(m, 0, 1);
  bool extreme = m->extreme && qn_random_chance(m, 3);
  return (qn_random_affine){extreme ? qn_random_real(m, 1e-7, 1e7) : qn_random_real(m, 0.002, 0.2),
                            zero};
}

static const qn_type *element_of_width(qn_random_model *m, uint32_t width, qn_random_affine q) {
  int64_t min, max;
  qn_storage_range(width, !m->is_unsigned, &min, &max);
  return qn_type_uniform(&m->cx, &(qn_quant_uniform){.scheme = QN_PER_LAYER,
                                                     .is_signed = !m->is_unsigned,
                                                     .storage = qn_type_i(&m->cx, width),
                                                     .expressed = qn_type_float(&m->cx, QN_F32),
                                                     .min = min,
                                                     .max = max,
                                                     .count = 1,
                                                     .scales = &q.scale,
                                                     .zero_points = &q.zero_point});
}

static const qn_type *element_of(qn_random_model *m, qn_random_affine q) {
  if (m->plain) return m->plain;
  return element_of_width(m, m->words ? 16 : 8, q);
}

/* int8 weights with a scale per index of `axis`. */
static const qn_type *per_axis_of(qn_random_model *m, int32_t axis, int64_t count) {
  double *scales = QN_NEW_ARRAY(&m->cx.arena, (size_t)count, double);
  int64_t *zeros = QN_NEW_ARRAY(&m->cx.arena, (size_t)count, int64_t);
  for (int64_t i = 0; i < count; i++) scales[i] = qn_random_real(m, 0.001, 0.05);
  return qn_type_uniform(&m->cx, &(qn_quant_uniform){.scheme = QN_PER_AXIS,
                                                     .is_signed = true,
                                                     .storage = qn_type_i(&m->cx, 8),
                                                     .expressed = qn_type_float(&m->cx, QN_F32),
                                                     .min = -128,
                                                     .max = 127,
                                                     .axis = axis,
                                                     .count = (uint32_t)count,
                                                     .scales = scales,
                                                     .zero_points = zeros});
}

const qn_type *qn_random_signed(qn_random_model *m, uint32_t width, double scale,
                                int64_t zero_point, uint32_t rank, const int64_t *dims) {
  int64_t min, max;
  qn_storage_range(width, true, &min, &max);
  const qn_quant_uniform u = {.scheme = QN_PER_LAYER,
                              .is_signed = true,
                              .storage = qn_type_i(&m->cx, width),
                              .expressed = qn_type_float(&m->cx, QN_F32),
                              .min = min,
                              .max = max,
                              .count = 1,
                              .scales = &scale,
                              .zero_points = &zero_point};
  return qn_type_tensor(&m->cx, qn_type_uniform(&m->cx, &u), rank, dims);
}
const qn_type *qn_random_wide(qn_random_model *m, uint32_t width, const qn_type *like) {
  return qn_random_signed(m, width, qn_random_real(m, 1e-5, 1e-3), 0, like->shaped.rank,
                          like->shaped.dims);
}

const qn_type *qn_random_tensor(qn_random_model *m, qn_random_affine q, uint32_t rank,
                                const int64_t *dims) {
  return qn_type_tensor(&m->cx, element_of(m, q), rank, dims);
}
qn_random_affine qn_random_quant_of(const qn_value *value) {
  const qn_quant_uniform *q = qn_type_quant(value->type);
  return q ? (qn_random_affine){q->scales[0], q->zero_points[0]} : (qn_random_affine){1, 0};
}
const int64_t *qn_random_dims(const qn_value *value) { return value->type->shaped.dims; }

qn_value *qn_random_input(qn_random_model *m, const qn_type *type) {
  return qn_block_add_arg(m->module, qn_op_body(m->func), type, m->cx.diag.unknown);
}
qn_value *qn_random_const(qn_random_model *m, const qn_type *type, const void *data, size_t size) {
  const qn_type *stored = qn_type_stored(&m->cx, type);
  const qn_attr *value = qn_attr_dense(&m->cx, stored, (qn_bytes){data, size}, false);
  return qn_build_1(&m->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}
static qn_value *float_constant(qn_random_model *m, const qn_type *type) {
  int64_t count = qn_type_elements(type);
  float *data = QN_NEW_ARRAY(&m->cx.arena, (size_t)count, float);
  for (int64_t i = 0; i < count; i++)
    data[i] = (float)qn_random_real(m, 0.01, 2) * (i % 3 ? 1 : -1);
  qn_bytes bytes = {(const uint8_t *)data, (size_t)count * sizeof *data};
  const qn_attr *value = qn_attr_dense(&m->cx, type, bytes, false);
  return qn_build_1(&m->b, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *qn_random_bytes(qn_random_model *m, const qn_type *type) {
  if (qn_type_element(type)->kind == QN_TYPE_FLOAT) return float_constant(m, type);
  size_t count = (size_t)qn_type_size(type);
  uint8_t *bytes = QN_NEW_ARRAY(&m->cx.arena, count + 1, uint8_t);
  if (m->choices.bytes || m->extreme)
    qn_choices_fill(&m->choices, bytes, count);
  else
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)qn_choose(&m->choices, 0);
  if (qn_type_is_int(qn_type_element(type), 1))
    for (size_t i = 0; i < count; i++) bytes[i] &= 1;
  return qn_random_const(m, type, bytes, count);
}
const qn_attr *qn_random_i64s(qn_random_model *m, const int64_t *values, uint32_t count) {
  return qn_attr_i64s(&m->cx, values, count);
}
bool qn_random_is_variable(qn_random_model *m) {
  return m->variable > 0 && qn_op_body(m->func)->arg_count < QN_RANDOM_MAX_ARGS &&
         qn_random_between(m, 0, 99) < m->variable;
}

bool qn_random_is_argument(qn_random_model *m) {
  if (m->elements != QN_RANDOM_ANY) return qn_random_is_variable(m);
  return !qn_random_between(m, 0, 1) && qn_op_body(m->func)->arg_count < QN_RANDOM_MAX_ARGS;
}

/* A 64-bit bias, usually so small that 32-bit accumulators are proved to suffice. */
static qn_value *wide_bias(qn_random_model *m, int64_t channels) {
  int64_t *bias = QN_NEW_ARRAY(&m->cx.arena, (size_t)channels + 1, int64_t);
  int64_t limit = qn_random_chance(m, 3) ? INT64_C(1) << 40 : 1 << 24;
  for (int64_t i = 0; i < channels; i++) bias[i] = qn_random_between(m, -limit, limit);
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_i(&m->cx, 64), 1, &channels);
  return qn_random_const(m, type, bias, (size_t)channels * sizeof *bias);
}

qn_value *qn_random_bias(qn_random_model *m, int64_t channels) {
  return m->words ? wide_bias(m, channels) : qn_random_bias32(m, channels);
}

qn_value *qn_random_bias32(qn_random_model *m, int64_t channels) {
  int32_t *bias = QN_NEW_ARRAY(&m->cx.arena, (size_t)channels + 1, int32_t);
  for (int64_t i = 0; i < channels; i++) bias[i] = (int32_t)qn_random_between(m, -20000, 20000);
  const qn_type *type = qn_type_tensor(&m->cx, qn_type_i(&m->cx, 32), 1, &channels);
  if (qn_random_is_variable(m)) return qn_random_input(m, type);
  return qn_random_const(m, type, bias, (size_t)channels * 4);
}

qn_value *qn_random_weights(qn_random_model *m, uint32_t rank, const int64_t *dims, int32_t axis) {
  bool per_axis = !m->is_unsigned && qn_random_between(m, 0, 2) > 0;
  qn_random_affine q = qn_random_quant(m);
  if (!m->is_unsigned) q.zero_point = 0;
  if (m->words) q.scale = qn_random_real(m, 0.001, 0.05);
  const qn_type *element = per_axis ? per_axis_of(m, axis, dims[axis]) : element_of_width(m, 8, q);
  const qn_type *type = qn_type_tensor(&m->cx, element, rank, dims);
  return qn_random_is_variable(m) ? qn_random_input(m, type) : qn_random_bytes(m, type);
}

qn_op *qn_random_twin(qn_random_model *m, const qn_op *op, const qn_type *element) {
  qn_value **operands = QN_NEW_ARRAY(&m->cx.arena, op->operand_count + 1, qn_value *);
  const qn_type *was = op->results[0].type;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *old = qn_op_operand(op, i);
    operands[i] = qn_op_operand(op, i);
    if (!qn_type_quant(was) && qn_type_element(old->type) != qn_type_element(was))
      continue; /* indices */
    const qn_type *type = qn_type_with_element(&m->cx, old->type, element);
    bool full = qn_op_body(m->func)->arg_count >= QN_RANDOM_MAX_ARGS;
    bool constant = full || qn_value_constant(old);
    operands[i] = constant ? qn_random_bytes(m, type) : qn_random_input(m, type);
  }
  const qn_type **results = QN_NEW_ARRAY(&m->cx.arena, op->result_count, const qn_type *);
  for (uint32_t i = 0; i < op->result_count; i++)
    results[i] = qn_type_with_element(&m->cx, op->results[i].type, element);
  return qn_build(&m->b, (qn_op_state){.kind = op->kind,
                                       .operands = operands,
                                       .operand_count = op->operand_count,
                                       .result_types = results,
                                       .result_count = op->result_count,
                                       .attrs = op->attrs,
                                       .attr_count = op->attr_count});
}
