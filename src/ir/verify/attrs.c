/* Checks attributes against their declarations and the op table.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/attrs.h"

#include "base/spelling.h"
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
    [QN_SPEC_WORD] = {is_string, "string attribute"},
    [QN_SPEC_I64S] = {is_i64s, "i64 dense array attribute"},
    [QN_SPEC_TYPE] = {is_type, "type attribute"},
    [QN_SPEC_SYMBOL] = {is_symbol, "symbol reference attribute"},
    [QN_SPEC_ELEMENTS] = {qn_attr_is_elements, "constant vector/tensor attribute"},
    [QN_SPEC_ARRAY] = {is_array, "array attribute"},
    [QN_SPEC_DICT] = {is_dict, "dictionary of named attribute values"},
};

static bool check_integer(qn_ir_context *cx, const qn_op *op, const qn_attr_decl *decl,
                          int64_t value) {
  if (value >= decl->low && value <= decl->high) return true;
  return qn_op_complain(cx, op, "attribute '%s' is %lld, out of [%lld, %lld]", decl->name,
                        (long long)value, (long long)decl->low, (long long)decl->high);
}

static bool check_integers(qn_ir_context *cx, const qn_op *op, const qn_attr_decl *decl,
                           const qn_attr *list) {
  for (uint32_t i = 0; i < list->dense_array.count; i++) {
    int64_t value = list->dense_array.ints[i];
    if (value >= decl->low && value <= decl->high) continue;
    return qn_op_complain(cx, op, "attribute '%s' has the value %lld, out of [%lld, %lld]",
                          decl->name, (long long)value, (long long)decl->low,
                          (long long)decl->high);
  }
  return true;
}

static bool check_word(qn_ir_context *cx, const qn_op *op, const qn_attr_decl *decl, qn_str word) {
  uint32_t unused;
  if (qn_str_index(qn_str_of(decl->words), word, &unused)) return true;
  return qn_op_complain(cx, op, "unknown %s '%.*s'; it is one of %s", decl->name, QN_STR_ARG(word),
                        decl->words);
}

/* Checks kind and value of an attribute. */
static bool check_value(qn_ir_context *cx, const qn_op *op, const qn_attr_decl *decl,
                        const qn_attr *attr) {
  if (!constraints[decl->kind].holds(attr))
    return qn_op_complain(cx, op, "attribute '%s' failed to satisfy constraint: %s", decl->name,
                          constraints[decl->kind].what);
  if (decl->kind == QN_SPEC_I64) return check_integer(cx, op, decl, attr->integer);
  if (decl->kind == QN_SPEC_I64S) return check_integers(cx, op, decl, attr);
  return decl->kind != QN_SPEC_WORD || check_word(cx, op, decl, attr->string);
}

/* ---- names ---- */

static bool has_spec(const qn_op *op, qn_str name) {
  for (const qn_attr_spec *spec = qn_op_info_of(op)->attrs; spec->id; spec++)
    if (qn_str_is(name, qn_attr_decls[spec->id].name)) return true;
  return false;
}

static bool complain_unknown(qn_ir_context *cx, const qn_op *op, qn_str name) {
  const char *nearest = NULL;
  size_t least = SIZE_MAX;
  for (const qn_attr_spec *spec = qn_op_info_of(op)->attrs; spec->id; spec++) {
    size_t distance = qn_name_distance(name, qn_str_of(qn_attr_decls[spec->id].name));
    if (distance >= least) continue;
    least = distance;
    nearest = qn_attr_decls[spec->id].name;
  }
  return qn_op_complain(cx, op, "has no attribute '%.*s'%s%s%s", QN_STR_ARG(name),
                        nearest ? "; did you mean '" : "", nearest ? nearest : "",
                        nearest ? "'?" : "");
}

/* Reports unknown attribute names without dialect prefix on our ops, so that a misspelt name is not
 * ignored. Ops of upstream dialects may have any attribute. */
static bool check_known(qn_ir_context *cx, const qn_op *op) {
  bool ok = true;
  if (!qn_str_starts(op->name, "ml.") && !qn_str_starts(op->name, "quern.")) return true;
  for (uint32_t i = 0; i < op->attr_count; i++) {
    qn_str name = op->attrs[i].name;
    if (!memchr(name.data, '.', name.size) && !has_spec(op, name))
      ok = complain_unknown(cx, op, name);
  }
  return ok;
}

bool qn_verify_attrs(qn_ir_context *cx, const qn_op *op) {
  bool ok = true;
  for (uint32_t i = 0; i < op->attr_count; i++) {
    qn_str name = op->attrs[i].name;
    if (!op->attrs[i].value) return qn_op_complain(cx, op, "has an attribute without a value");
    if (i > 0 && qn_str_equal(op->attrs[i - 1].name, name)) {
      ok = qn_op_complain(cx, op, "attribute '%.*s' occurs more than once", QN_STR_ARG(name));
    }
  }
  for (const qn_attr_spec *spec = qn_op_info_of(op)->attrs; spec->id; spec++) {
    const char *name = qn_attr_decls[spec->id].name;
    const qn_attr *attr = qn_op_find(op, spec->id);
    if (!attr && spec->need == QN_REQUIRED)
      ok = qn_op_complain(cx, op, "requires attribute '%s'", name);
    if (attr) ok &= check_value(cx, op, &qn_attr_decls[spec->id], attr);
  }
  return ok && check_known(cx, op);
}
