/* ml.concat. An operand with other parameters than the result is rescaled by a table if it is
 * uint8; for int8 the kernels do not rescale (docs/arithmetic.md 10).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/inside.h"

static qn_status plan_input(qn_planner *p, const qn_op *op, uint32_t index, const qn_plan_tensor *y,
                            const uint8_t **out_table) {
  char role[24];
  snprintf(role, sizeof role, "operand %u", index);
  qn_plan_tensor x;
  QN_TRY(qn_plan_tensor_of(p, op, op->operands[index].value, role, &x));
  QN_TRY(qn_plan_same_sign(p, op, &x, y));
  if (qn_plan_tensors_equal(&x, y)) return QN_OK;
  if (!x.is_unsigned)
    return qn_plan_refuse(p, op, "%s has another quantization than the result", role);
  QN_TRY(qn_plan_check_ratio(p, op, qn_real_requantize(x.affine.scale, y->affine.scale)));
  uint8_t *table = qn_arena_alloc(p->arena, 256);
  const qn_unary ends = {.input = x.affine, .output = y->affine};
  qn_unary_table(qn_unary_concat_rescale, p->profile, &ends, true, table);
  *out_table = table;
  return QN_OK;
}

/* Whether all element types are equal, so that only stored values are moved. */
static bool same_elements(const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_type_element(op->operands[i].value->type) != qn_type_element(op->results[0].type))
      return false;
  return true;
}

static qn_status plan_concat(qn_planner *p, const qn_op *op, qn_plan *out) {
  const uint8_t **tables = QN_NEW_ARRAY(p->arena, op->operand_count + 1, const uint8_t *);
  out->kind = QN_PLAN_CONCAT;
  out->concat = tables;
  if (same_elements(op)) return QN_OK;
  qn_plan_tensor y;
  QN_TRY(qn_plan_tensor_of(p, op, &op->results[0], "the result", &y));
  for (uint32_t i = 0; i < op->operand_count; i++) QN_TRY(plan_input(p, op, i, &y, &tables[i]));
  return QN_OK;
}

/* Keeps the op and replaces its operands by the rescaled ones. */
static qn_value *write_concat(qn_planner *p, qn_builder *b, qn_op *op, const qn_plan *plan) {
  const qn_type *element = qn_type_element(op->results[0].type);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_value *x = op->operands[i].value;
    const qn_type *type = qn_type_with_element(p->cx, x->type, element);
    if (plan->concat[i]) qn_op_set_operand(op, i, qn_plan_lut(b, x, plan->concat[i], type));
  }
  return &op->results[0];
}

const qn_plan_record qn_plan_ml_concat = {.plan = plan_concat,
                                          .write = write_concat,
                                          .integer = QN_OP_ML_CONCAT,
                                          .needs = "inputs quantized as the result, or uint8"};
