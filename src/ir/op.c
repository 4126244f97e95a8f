/* Attributes by name, uses of values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op.h"

/* Compares without a call, because interpreters read attributes for each op they run. */
static bool is_named(qn_str name, const char *wanted) {
  size_t i = 0;
  while (i < name.size && wanted[i] != '\0' && wanted[i] == name.data[i]) i++;
  return i == name.size && wanted[i] == '\0';
}

const qn_attr *qn_op_attr(const qn_op *op, const char *name) {
  for (uint32_t i = 0; i < op->attr_count; i++) {
    if (is_named(op->attrs[i].name, name)) return op->attrs[i].value;
  }
  return NULL;
}

uint32_t qn_value_use_count(const qn_value *value) {
  uint32_t count = 0;
  for (const qn_use *use = value->first_use; use; use = use->next) count++;
  return count;
}
