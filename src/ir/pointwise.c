/* Which ops are pointwise: each result element depends on operand elements at the same position.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/pointwise.h"

#include "ir/ops/linalg.h"
#include "ir/verify/check.h"
#include "ir/walk.h"

/* ---- linalg.generic ---- */

static bool is_identity(const qn_op *op, uint32_t operand) {
  const qn_affine_map *map = qn_generic_map(op, operand);
  if (map->result_count != qn_generic_loops(op)) return false;
  for (uint32_t d = 0; d < map->result_count; d++)
    if (map->results[d]->kind != QN_AFFINE_DIM || map->results[d]->value != d) return false;
  return true;
}

static bool is_parallel(const qn_op *op) {
  const qn_attr *types = qn_op_find(op, QN_A_ITERATOR_TYPES);
  for (uint32_t i = 0; i < types->array.count; i++)
    if (!qn_str_is(qn_iterator_kind(types->array.items[i]), "parallel")) return false;
  return true;
}

bool qn_is_pointwise_generic(const qn_op *op) {
  if (op->kind != QN_OP_LINALG_GENERIC || op->result_count != 1 || !is_parallel(op)) return false;
  uint32_t inputs = qn_generic_inputs(op);
  if (!is_identity(op, inputs) || qn_value_has_uses(qn_op_body(op)->args[inputs])) return false;
  for (uint32_t i = 0; i < qn_generic_loops(op); i++)
    if (qn_generic_is_indexed(op, i)) return false;
  return qn_generic_is_closed(op);
}

/* ---- roles ---- */

static bool is_uniform(const qn_value *value) {
  const qn_attr *constant = qn_value_constant(value);
  return constant && qn_attr_is_elements(constant) &&
         (constant->dense.splat || qn_type_elements(value->type) == 1);
}

static qn_pointwise_role role_of_element(const qn_op *op, uint32_t operand) {
  const qn_value *value = qn_op_operand(op, operand);
  if (is_uniform(value)) return QN_POINTWISE_UNIFORM;
  bool same = qn_type_is_shaped(value->type) && qn_same_shape(value->type, op->results[0].type);
  return same && !qn_value_constant(value) ? QN_POINTWISE_ELEMENT : QN_POINTWISE_NOT;
}

static qn_pointwise_role role_in_generic(const qn_op *op, uint32_t operand) {
  if (!qn_value_has_uses(qn_op_body(op)->args[operand])) return QN_POINTWISE_IGNORED;
  if (is_uniform(qn_op_operand(op, operand))) return QN_POINTWISE_UNIFORM;
  return is_identity(op, operand) ? role_of_element(op, operand) : QN_POINTWISE_NOT;
}

static qn_pointwise_role role_of_table(const qn_op *op, uint32_t operand) {
  bool known = qn_value_constant(qn_op_operand(op, operand)) != NULL;
  return known ? QN_POINTWISE_TABLE : QN_POINTWISE_NOT;
}

/* Whether the op gathers elements of a table by index, which is a function of the index. */
static bool is_table_gather(const qn_op *op) {
  return op->kind == QN_OP_ML_GATHER && qn_op_operand(op, 0)->type->shaped.rank == 1;
}

qn_pointwise_role qn_pointwise_role_of(const qn_op *op, uint32_t operand) {
  if (op->region_count > 0)
    return qn_is_pointwise_generic(op) ? role_in_generic(op, operand) : QN_POINTWISE_NOT;
  if (!qn_op_has(op, QN_PURE) || op->result_count != 1 || !qn_type_is_shaped(op->results[0].type))
    return QN_POINTWISE_NOT;
  if (is_table_gather(op))
    return operand == 0 ? role_of_table(op, operand) : role_of_element(op, operand);
  if (qn_op_has(op, QN_BROADCASTS)) return role_of_element(op, operand);
  if (!qn_op_has(op, QN_ELEMENTWISE)) return QN_POINTWISE_NOT;
  bool is_table = qn_op_has(op, QN_BATCHED) && operand > 0;
  return is_table ? role_of_table(op, operand) : role_of_element(op, operand);
}

bool qn_is_pointwise(const qn_op *op) {
  if (op->operand_count == 0) return false;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_pointwise_role_of(op, i) == QN_POINTWISE_NOT) return false;
  return true;
}
