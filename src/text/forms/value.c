/* The forms of arith.constant, arith.select and memref.global.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/form.h"

/* ---- arith.constant ---- */

/* The type of a constant that follows from its attribute; NULL if the attribute has no type. */
static const qn_type *constant_type(const qn_attr *value) {
  switch (value->kind) {
  case QN_ATTR_BOOL:
  case QN_ATTR_INTEGER:
  case QN_ATTR_FLOAT:
  case QN_ATTR_DENSE:
  case QN_ATTR_RESOURCE:
  case QN_ATTR_ELIDED:
    return value->type;
  default:
    return NULL;
  }
}

bool qn_parse_constant_form(qn_parser *p, qn_op_draft *draft) {
  if (qn_at(p, QN_TOK_LBRACE) && !qn_parse_named_attrs(p, draft->named)) return false;
  qn_pos pos = p->token.pos;
  const qn_attr *value;
  if (!qn_parse_attr(p, &value)) return false;
  const qn_type *type = constant_type(value);
  if (!type) return qn_fail_at(p, pos, "expected a number, a boolean or dense elements");
  for (size_t i = draft->named; i < p->named.count; i++)
    if (qn_str_is(p->named.data[i].name, "value"))
      return qn_fail_at(p, pos, "attribute 'value' is given twice");
  qn_draft_attr(p, "value", value);
  qn_array_push(&p->types, type);
  return true;
}

bool qn_constant_form_fits(const qn_op *op) {
  const qn_attr *value = qn_op_find(op, QN_A_VALUE);
  return value && constant_type(value) && op->result_count == 1 && op->operand_count == 0 &&
         op->region_count == 0 && op->successor_count == 0 &&
         op->results[0].type == constant_type(value);
}

void qn_print_constant_form(qn_printer *out, const qn_op *op) {
  static const char *const skip[] = {"value"};
  qn_puts(out, "arith.constant");
  qn_print_attr_dict(out, op, " {", skip, QN_COUNT(skip));
  qn_puts(out, " ");
  qn_print_attr(out, qn_op_find(op, QN_A_VALUE));
}

/* ---- arith.select ---- */

/* Parses %condition, %a, %b : type; the condition's type precedes the type if it is not i1. */
bool qn_parse_select_form(qn_parser *p, qn_op_draft *draft) {
  if (!qn_parse_operands(p)) return false;
  if (p->refs.count - draft->refs != 3) return qn_fail(p, "expected 3 operands");
  if (qn_at(p, QN_TOK_LBRACE) && !qn_parse_named_attrs(p, draft->named)) return false;
  const qn_type *condition = qn_type_i(p->cx, 1), *type;
  if (!qn_expect(p, QN_TOK_COLON) || !qn_parse_type(p, &type)) return false;
  if (qn_accept(p, QN_TOK_COMMA)) {
    condition = type;
    if (!qn_parse_type(p, &type)) return false;
  }
  const qn_type *types[] = {condition, type, type};
  if (!qn_draft_resolve(p, draft, 0, types, 3)) return false;
  qn_array_push(&p->types, type);
  return true;
}

bool qn_select_form_fits(const qn_op *op) {
  if (op->operand_count != 3 || op->result_count != 1 || op->region_count || op->successor_count)
    return false;
  const qn_type *type = op->results[0].type;
  return qn_op_operand(op, 1)->type == type && qn_op_operand(op, 2)->type == type;
}

void qn_print_select_form(qn_printer *out, const qn_op *op) {
  const qn_type *condition = qn_op_operand(op, 0)->type;
  bool i1 = qn_type_is_int(condition, 1) && condition->integer.sign == QN_SIGNLESS;
  qn_puts(out, "arith.select ");
  qn_print_operand_list(out, op, 0, 3);
  qn_print_attr_dict(out, op, " {", NULL, 0);
  qn_puts(out, " : ");
  qn_print_operand_types(out, op, i1 ? 1 : 0, i1 ? 1 : 2);
}

/* ---- memref.global ---- */

/* Parses ["visibility"] [constant] @name : memref [= value | uninitialized] {attributes} */
bool qn_parse_global_form(qn_parser *p, qn_op_draft *draft) {
  qn_str text;
  if (qn_at(p, QN_TOK_STRING)) {
    if (!qn_parse_string(p, &text)) return false;
    qn_draft_attr(p, "sym_visibility", qn_attr_string(p->cx, text));
  }
  if (qn_accept_word(p, "constant")) qn_draft_attr(p, "constant", qn_attr_unit(p->cx));
  if (!qn_parse_symbol(p, &text) || !qn_expect(p, QN_TOK_COLON)) return false;
  qn_draft_attr(p, "sym_name", qn_attr_string(p->cx, text));
  qn_pos pos = p->token.pos;
  const qn_type *type;
  if (!qn_parse_type(p, &type)) return false;
  qn_draft_attr(p, "type", qn_attr_type(p->cx, type));
  if (qn_accept(p, QN_TOK_EQUAL)) {
    const qn_attr *value = qn_attr_unit(p->cx);
    if (type->kind != QN_TYPE_MEMREF || !qn_type_is_static(type))
      return qn_fail_at(p, pos, "type should be static shaped memref");
    const qn_type *tensor =
        qn_type_tensor(p->cx, type->shaped.element, type->shaped.rank, type->shaped.dims);
    if (!qn_accept_word(p, "uninitialized") && !qn_parse_attr_of_type(p, tensor, &value))
      return false;
    qn_draft_attr(p, "initial_value", value);
  }
  return !qn_at(p, QN_TOK_LBRACE) || qn_parse_named_attrs(p, draft->named);
}

/* Whether the initial value is a tensor with shape and element type of the memref. */
static bool initial_value_fits(const qn_attr *value, const qn_type *type) {
  if (!value || value->kind == QN_ATTR_UNIT) return true;
  if (!qn_attr_is_shaped(value) || value->type->kind != QN_TYPE_TENSOR ||
      type->kind != QN_TYPE_MEMREF || !qn_type_is_static(type) || value->type->shaped.encoding ||
      value->type->shaped.element != type->shaped.element ||
      value->type->shaped.rank != type->shaped.rank)
    return false;
  for (uint32_t i = 0; i < type->shaped.rank; i++)
    if (value->type->shaped.dims[i] != type->shaped.dims[i]) return false;
  return true;
}

bool qn_global_form_fits(const qn_op *op) {
  const qn_attr *name = qn_op_find(op, QN_A_SYM_NAME), *type = qn_op_find(op, QN_A_GLOBAL_TYPE);
  const qn_attr *visibility = qn_op_find(op, QN_A_SYM_VISIBILITY),
                *constant = qn_op_find(op, QN_A_CONSTANT);
  return name && name->kind == QN_ATTR_STRING && name->string.size && type &&
         type->kind == QN_ATTR_TYPE && (!visibility || visibility->kind == QN_ATTR_STRING) &&
         (!constant || constant->kind == QN_ATTR_UNIT) && op->operand_count == 0 &&
         op->result_count == 0 && op->region_count == 0 && op->successor_count == 0 &&
         initial_value_fits(qn_op_find(op, QN_A_INITIAL_VALUE), type->type);
}

void qn_print_global_form(qn_printer *out, const qn_op *op) {
  static const char *const skip[] = {"sym_visibility", "constant", "sym_name", "type",
                                     "initial_value"};
  const qn_attr *value = qn_op_find(op, QN_A_INITIAL_VALUE);
  qn_puts(out, "memref.global ");
  if (qn_op_find(op, QN_A_SYM_VISIBILITY)) {
    qn_print_quoted(out, qn_op_sym_visibility(op));
    qn_puts(out, " ");
  }
  if (qn_op_find(op, QN_A_CONSTANT)) qn_puts(out, "constant ");
  qn_print_symbol(out, qn_op_sym_name(op));
  qn_puts(out, " : ");
  qn_print_type(out, qn_op_global_type(op));
  if (value) qn_puts(out, " = ");
  if (value && value->kind == QN_ATTR_UNIT)
    qn_puts(out, "uninitialized");
  else if (value)
    qn_print_attr_untyped(out, value);
  qn_print_attr_dict(out, op, " {", skip, QN_COUNT(skip));
}
