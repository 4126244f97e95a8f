/* Attributes against the specs of the op table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/attrs.h"

#include "ir/verify/check.h"

static bool is_any(const qn_attr *attr) { return attr != NULL; }
static bool is_unit(const qn_attr *attr) { return attr->kind == QN_ATTR_UNIT; }
static bool is_bool(const qn_attr *attr) { return attr->kind == QN_ATTR_BOOL; }
static bool is_i64(const qn_attr *attr) {
  return attr->kind == QN_ATTR_INTEGER && qn_is_i(attr->type, 64);
}
static bool is_float(const qn_attr *attr) { return attr->kind == QN_ATTR_FLOAT; }
static bool is_string(const qn_attr *attr) { return attr->kind == QN_ATTR_STRING; }
static bool is_i64s(const qn_attr *attr) {
  return attr->kind == QN_ATTR_DENSE_ARRAY && qn_is_i(attr->type, 64);
}
static bool is_type(const qn_attr *attr) { return attr->kind == QN_ATTR_TYPE; }
static bool is_symbol(const qn_attr *attr) { return attr->kind == QN_ATTR_SYMBOL; }
static bool is_array(const qn_attr *attr) { return attr->kind == QN_ATTR_ARRAY; }
static bool is_dict(const qn_attr *attr) { return attr->kind == QN_ATTR_DICT; }

static const struct {
  bool (*holds)(const qn_attr *attr);
  const char *what;
} constraints[] = {
    [QN_SPEC_ANY] = {is_any, "any attribute"},
    [QN_SPEC_UNIT] = {is_unit, "unit attribute"},
    [QN_SPEC_BOOL] = {is_bool, "bool attribute"},
    [QN_SPEC_I64] = {is_i64, "64-bit signless integer attribute"},
    [QN_SPEC_FLOAT] = {is_float, "float attribute"},
    [QN_SPEC_STRING] = {is_string, "string attribute"},
    [QN_SPEC_I64S] = {is_i64s, "i64 dense array attribute"},
    [QN_SPEC_TYPE] = {is_type, "type attribute"},
    [QN_SPEC_SYMBOL] = {is_symbol, "symbol reference attribute"},
    [QN_SPEC_ELEMENTS] = {qn_attr_is_elements, "constant vector/tensor attribute"},
    [QN_SPEC_ARRAY] = {is_array, "array attribute"},
    [QN_SPEC_DICT] = {is_dict, "dictionary of named attribute values"},
};

bool qn_verify_attrs(qn_ir_context *cx, const qn_op *op) {
  bool ok = true;
  for (uint32_t i = 0; i < op->attr_count; i++) {
    qn_str name = op->attrs[i].name;
    if (!op->attrs[i].value) return qn_op_complain(cx, op, "has an attribute without a value");
    if (i > 0 && qn_str_equal(op->attrs[i - 1].name, name)) {
      ok = qn_op_complain(cx, op, "attribute '%.*s' occurs more than once", QN_STR_ARG(name));
    }
  }
  for (const qn_attr_spec *spec = qn_op_info_of(op)->attrs; spec->name; spec++) {
    const qn_attr *attr = qn_op_attr(op, spec->name);
    if (!attr && spec->need == QN_REQUIRED) {
      ok = qn_op_complain(cx, op, "requires attribute '%s'", spec->name);
    }
    if (attr && !constraints[spec->kind].holds(attr)) {
      ok = qn_op_complain(cx, op, "attribute '%s' failed to satisfy constraint: %s", spec->name,
                          constraints[spec->kind].what);
    }
  }
  return ok;
}
