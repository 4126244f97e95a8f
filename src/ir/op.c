/* Attributes by name, constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op_attrs.h"

const qn_attr *qn_op_attr(const qn_op *op, const char *name) {
  qn_str wanted = qn_str_of(name);
  for (uint32_t i = 0; i < op->attr_count; i++) {
    if (qn_str_equal(op->attrs[i].name, wanted)) return op->attrs[i].value;
  }
  return NULL;
}

const qn_attr *qn_value_constant(const qn_value *value) {
  if (!value->op || !qn_op_has(value->op, QN_CONSTANT)) return NULL;
  const qn_attr *constant = qn_op_find(value->op, QN_A_VALUE);
  return constant && constant->kind != QN_ATTR_ELIDED ? constant : NULL;
}

const qn_attr *qn_value_literal(const qn_value *value) {
  const qn_attr *constant = qn_value_constant(value);
  return constant && qn_attr_is_elements(constant) ? constant : NULL;
}

uint32_t qn_value_use_count(const qn_value *value) {
  uint32_t count = 0;
  for (const qn_use *use = value->first_use; use; use = use->next) count++;
  return count;
}
