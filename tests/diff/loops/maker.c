/* Building random modules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "maker.h"

#include <math.h>

uint32_t maker_random(maker *m) {
  m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(m->seed >> 32);
}

int64_t maker_range(maker *m, int64_t lo, int64_t hi) {
  return lo + (int64_t)(maker_random(m) % (uint64_t)(hi - lo + 1));
}

bool maker_chance(maker *m, int percent) { return maker_random(m) % 100 < (uint32_t)percent; }

int64_t maker_dim(maker *m) {
  static const int64_t dims[] = {1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 64, 65, 70};
  if (maker_chance(m, 4)) return maker_range(m, 100, 400);
  return dims[maker_random(m) % QN_COUNT(dims)];
}

double maker_scale(maker *m, double lo, double hi) {
  double t = maker_random(m) / 4294967295.0;
  return (double)(float)(lo * pow(hi / lo, t));
}

const qn_type *maker_byte(maker *m, bool is_unsigned) {
  return is_unsigned ? qn_type_integer(m->cx, 8, QN_UNSIGNED) : qn_type_i(m->cx, 8);
}

const qn_type *maker_tensor(maker *m, const qn_type *element, uint32_t rank, const int64_t *dims) {
  return qn_type_tensor(m->cx, element, rank, dims);
}

qn_value *maker_input(maker *m, const qn_type *tensor) {
  return qn_block_add_arg(m->module, qn_op_body(m->main), tensor, m->main->loc);
}

static qn_value *build_const(maker *m, const qn_type *tensor, qn_bytes bytes) {
  const qn_attr *value = qn_attr_dense(m->cx, tensor, bytes, false);
  return qn_build_1(&m->b, QN_OP_ML_CONST, tensor, NULL, 0, QN_ATTRS({"value", value}));
}

qn_value *maker_const(maker *m, const qn_type *element, uint32_t rank, const int64_t *dims,
                      const int64_t *values) {
  const qn_type *tensor = maker_tensor(m, element, rank, dims);
  uint32_t width = qn_type_bytes(element);
  int64_t count = qn_type_elements(tensor);
  uint8_t *bytes = qn_arena_array(m->arena, (size_t)count, width);
  for (int64_t i = 0; i < count; i++)
    memcpy(bytes + i * width, &values[i], width); /* little endian */
  return build_const(m, tensor, (qn_bytes){bytes, (size_t)qn_type_size(tensor)});
}

qn_value *maker_const_f64(maker *m, int64_t count, const double *values) {
  const qn_type *tensor = maker_tensor(m, qn_type_float(m->cx, QN_F64), 1, &count);
  return build_const(m, tensor,
                     (qn_bytes){(const uint8_t *)values, (size_t)count * sizeof *values});
}

qn_value *maker_const_random(maker *m, const qn_type *tensor) {
  size_t size = (size_t)qn_type_size(tensor);
  uint8_t *bytes = qn_arena_alloc(m->arena, size);
  for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)maker_random(m);
  return build_const(m, tensor, (qn_bytes){bytes, size});
}

void maker_number(maker *m, qn_op *op) {
  int64_t numbers[MAKER_MAX_RESULTS];
  for (uint32_t i = 0; i < op->result_count; i++) numbers[i] = m->tensors++;
  qn_op_set_attr(m->module, op, "quern.tensors", qn_attr_i64s(m->cx, numbers, op->result_count));
}

qn_value *maker_op(maker *m, qn_op_kind kind, const qn_type *result, qn_value *const *operands,
                   uint32_t operand_count, const qn_attr_arg *attrs) {
  qn_value *value = qn_build_1(&m->b, kind, result, operands, operand_count, attrs);
  maker_number(m, value->op);
  return value;
}

const qn_attr *maker_i64(maker *m, int64_t value) { return qn_attr_i64(m->cx, value); }

const qn_attr *maker_i64s(maker *m, const int64_t *values, uint32_t count) {
  return qn_attr_i64s(m->cx, values, count);
}

void maker_return(maker *m, qn_value *const *values, uint32_t count) {
  qn_build_0(&m->b, QN_OP_FUNC_RETURN, values, count, NULL);
  const qn_block *body = qn_op_body(m->main);
  const qn_type **inputs = QN_NEW_ARRAY(m->arena, body->arg_count, const qn_type *);
  const qn_type **results = QN_NEW_ARRAY(m->arena, count, const qn_type *);
  for (uint32_t i = 0; i < body->arg_count; i++) inputs[i] = body->args[i]->type;
  for (uint32_t i = 0; i < count; i++) results[i] = values[i]->type;
  const qn_type *type = qn_type_function(m->cx, inputs, body->arg_count, results, count);
  qn_op_set_attr(m->module, m->main, "function_type", qn_attr_type(m->cx, type));
}
