/* Attributes by name, uses of values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op.h"

const qn_attr *qn_op_named(const qn_op *op, qn_str name) {
  for (uint32_t i = 0; i < op->attr_count; i++) {
    if (qn_str_equal(op->attrs[i].name, name)) return op->attrs[i].value;
  }
  return NULL;
}
const qn_attr *qn_op_attr(const qn_op *op, const char *name) {
  return qn_op_named(op, qn_str_of(name));
}

uint32_t qn_value_use_count(const qn_value *value) {
  uint32_t count = 0;
  for (const qn_use *use = value->first_use; use; use = use->next) count++;
  return count;
}
