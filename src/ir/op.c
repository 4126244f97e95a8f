/* Attributes by name, uses of values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op.h"

const qn_attr *qn_op_attr(const qn_op *op, const char *name) {
  qn_str wanted = qn_str_of(name);
  for (uint32_t i = 0; i < op->attr_count; i++) {
    if (qn_str_equal(op->attrs[i].name, wanted)) return op->attrs[i].value;
  }
  return NULL;
}

uint32_t qn_value_use_count(const qn_value *value) {
  uint32_t count = 0;
  for (const qn_use *use = value->first_use; use; use = use->next) count++;
  return count;
}
