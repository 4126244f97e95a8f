/* Scalars of @main, such as conditions and bounds: computed in @main, loaded from tensor elements
 * and stored to them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op_attrs.h"
#include "lower/loops/control/control.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/schedule.h"

qn_value *qn_loops_scalar(qn_loops *lo, const qn_value *scalar) {
  const qn_op *op = scalar->op;
  if (op && qn_op_has(op, QN_CONSTANT))
    return qn_build_1(&lo->main, op->kind, scalar->type, NULL, 0,
                      QN_ATTRS({"value", qn_op_find(op, QN_A_VALUE)}));
  QN_ASSERT(lo->scalars[scalar->id]);
  return lo->scalars[scalar->id];
}

static qn_value **operands_of(qn_loops *lo, const qn_op *op) {
  qn_value **operands = QN_NEW_ARRAY(lo->scratch, (size_t)op->operand_count + 1, qn_value *);
  for (uint32_t i = 0; i < op->operand_count; i++)
    operands[i] = qn_loops_scalar(lo, qn_op_operand(op, i));
  return operands;
}

static qn_status compute(qn_loops *lo, qn_op *op) {
  qn_value **operands = operands_of(lo, op);
  lo->scalars[op->results[0].id] = qn_elements_lanes_op(&lo->main, op, operands, 1);
  return QN_OK;
}

/* Loads one element. Indices are constants within the shape (check.c). */
static qn_status extract(qn_loops *lo, qn_op *op) {
  const qn_value *tensor = qn_op_operand(op, 0);
  int64_t at = 0;
  for (uint32_t i = 1; i < op->operand_count; i++)
    at = at * tensor->type->shaped.dims[i - 1] + qn_value_constant(qn_op_operand(op, i))->integer;
  qn_value *buffer = qn_loops_buffer(lo, tensor), *index = qn_build_index(&lo->main, at);
  lo->scalars[op->results[0].id] = qn_elements_load(&lo->main, op->results[0].type, buffer, index);
  return QN_OK;
}

static qn_status from_elements(qn_loops *lo, qn_op *op) {
  qn_value **operands = operands_of(lo, op), *buffer = qn_loops_buffer(lo, &op->results[0]);
  for (uint32_t i = 0; i < op->operand_count; i++)
    qn_elements_store(&lo->main, operands[i], buffer, qn_build_index(&lo->main, i));
  return QN_OK;
}

static qn_status splat(qn_loops *lo, qn_op *op) {
  qn_value *scalar = qn_loops_scalar(lo, qn_op_operand(op, 0)),
           *buffer = qn_loops_buffer(lo, &op->results[0]);
  int64_t count = qn_type_elements(op->results[0].type);
  qn_builder *b = &lo->main;
  qn_value *zero = qn_build_index(b, 0), *one = qn_build_index(b, 1);
  qn_op *loop = qn_build_for(b, zero, qn_build_index(b, count), one, NULL, 0);
  qn_elements_store(b, scalar, buffer, qn_op_body(loop)->args[0]);
  qn_build_yield(b, NULL, 0);
  return QN_OK;
}

const qn_schedule qn_schedule_scalar_op = {.lower = compute};
const qn_schedule qn_schedule_tensor_extract = {.lower = extract, .between = true};
const qn_schedule qn_schedule_tensor_from_elements = {.lower = from_elements, .between = true};
const qn_schedule qn_schedule_tensor_splat = {.lower = splat, .between = true};
