/* The declarations of attributes, expanded, the reading of each kind, and constants.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/op_attrs.h"

const qn_attr_decl qn_attr_decls[QN_A_COUNT] = {
    [QN_A_NONE] = {"", 0, QN_SPEC_ANY, 0, 0, 0, NULL, ""},
#define ATTR(ident, id, name, kind, absent, low, high, summary)                                    \
  [QN_A_##id] = {name, sizeof(name) - 1, QN_SPEC_##kind, absent, low, high, NULL, summary},
#define WORD(ident, id, name, type, words, summary)                                                \
  [QN_A_##id] = {name, sizeof(name) - 1, QN_SPEC_WORD, 0, 0, 0, words, summary},
#include "ir/ops/attributes.def"
#undef ATTR
#undef WORD
};

int64_t qn_op_read_i64(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  return attr && attr->kind == QN_ATTR_INTEGER ? attr->integer : (int64_t)qn_attr_decls[id].absent;
}

double qn_op_read_float(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  return attr && attr->kind == QN_ATTR_FLOAT ? attr->number : qn_attr_decls[id].absent;
}

bool qn_op_read_bool(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  if (attr && attr->kind == QN_ATTR_UNIT) return true;
  return attr && attr->kind == QN_ATTR_BOOL && attr->boolean;
}

qn_str qn_op_read_string(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  bool is_text = attr && (attr->kind == QN_ATTR_STRING || attr->kind == QN_ATTR_SYMBOL);
  return is_text ? attr->string : qn_str_of("");
}

qn_i64s qn_op_read_i64s(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  if (!attr || attr->kind != QN_ATTR_DENSE_ARRAY) return (qn_i64s){NULL, 0};
  return (qn_i64s){attr->dense_array.ints, attr->dense_array.count};
}

const qn_type *qn_op_read_type(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  return attr && attr->kind == QN_ATTR_TYPE ? attr->type : NULL;
}

uint32_t qn_op_read_word(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  uint32_t word = 0;
  if (attr && attr->kind == QN_ATTR_STRING)
    (void)qn_str_index(qn_str_of(qn_attr_decls[id].words), attr->string, &word);
  return word;
}

const qn_attr *qn_attr_word(qn_ir_context *cx, qn_attr_id id, uint32_t value) {
  return qn_attr_string(cx, qn_str_nth(qn_str_of(qn_attr_decls[id].words), value));
}

uint32_t qn_op_segment(const qn_op *op, uint32_t i) {
  qn_i64s sizes = qn_op_read_i64s(op, QN_A_SEGMENT_SIZES);
  bool fits =
      sizes.data && i < sizes.count && sizes.data[i] >= 0 && sizes.data[i] <= op->operand_count;
  return fits ? (uint32_t)sizes.data[i] : 0;
}

/* ---- constants ---- */

const qn_attr *qn_value_constant(const qn_value *value) {
  if (!value->op || !qn_op_has(value->op, QN_CONSTANT)) return NULL;
  const qn_attr *constant = qn_op_find(value->op, QN_A_VALUE);
  return constant && constant->kind != QN_ATTR_ELIDED ? constant : NULL;
}

const qn_attr *qn_value_literal(const qn_value *value) {
  const qn_attr *constant = qn_value_constant(value);
  return constant && qn_attr_is_elements(constant) ? constant : NULL;
}
