/* Reading attributes of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op.h"

const qn_attr *qn_op_attr(const qn_op *op, const char *name) {
  for (uint32_t i = 0; i < op->attr_count; i++) {
    if (qn_str_is(op->attrs[i].name, name)) return op->attrs[i].value;
  }
  return NULL;
}

int64_t qn_op_i64(const qn_op *op, const char *name, int64_t fallback) {
  const qn_attr *attr = qn_op_attr(op, name);
  return attr && attr->kind == QN_ATTR_INTEGER ? attr->integer : fallback;
}

double qn_op_float(const qn_op *op, const char *name, double fallback) {
  const qn_attr *attr = qn_op_attr(op, name);
  return attr && attr->kind == QN_ATTR_FLOAT ? attr->number : fallback;
}

bool qn_op_bool(const qn_op *op, const char *name, bool fallback) {
  const qn_attr *attr = qn_op_attr(op, name);
  if (attr && attr->kind == QN_ATTR_UNIT) return true;
  return attr && attr->kind == QN_ATTR_BOOL ? attr->boolean : fallback;
}

qn_str qn_op_string(const qn_op *op, const char *name, const char *fallback) {
  const qn_attr *attr = qn_op_attr(op, name);
  bool is_text = attr && (attr->kind == QN_ATTR_STRING || attr->kind == QN_ATTR_SYMBOL);
  return is_text ? attr->string : qn_str_of(fallback);
}

qn_i64s qn_op_i64s(const qn_op *op, const char *name) {
  const qn_attr *attr = qn_op_attr(op, name);
  if (!attr || attr->kind != QN_ATTR_DENSE_ARRAY) return (qn_i64s){NULL, 0};
  return (qn_i64s){attr->dense_array.ints, attr->dense_array.count};
}

uint32_t qn_op_segment(const qn_op *op, uint32_t i) {
  qn_i64s sizes = qn_op_i64s(op, "operandSegmentSizes");
  bool fits =
      sizes.data && i < sizes.count && sizes.data[i] >= 0 && sizes.data[i] <= op->operand_count;
  return fits ? (uint32_t)sizes.data[i] : 0;
}

const qn_attr *qn_value_constant(const qn_value *value) {
  if (!value->op || !qn_op_has(value->op, QN_CONSTANT)) return NULL;
  const qn_attr *constant = qn_op_attr(value->op, "value");
  return constant && constant->kind != QN_ATTR_ELIDED ? constant : NULL;
}
