/* The forms of builtin.module and func.func.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "text/form.h"

static const char *const visibilities[] = {"public", "private", "nested"};

/* [attributes {...}] */
static bool parse_attributes(qn_parser *p, const qn_op_draft *draft) {
  return !qn_accept_word(p, "attributes") || qn_parse_named_attrs(p, draft->named);
}

static bool has_string(const qn_op *op, qn_attr_id id) {
  const qn_attr *attr = qn_op_find(op, id);
  return attr && attr->kind == QN_ATTR_STRING;
}

static bool parse_symbol_name(qn_parser *p) {
  qn_str name;
  if (!qn_parse_symbol(p, &name)) return false;
  qn_draft_attr(p, "sym_name", qn_attr_string(p->cx, name));
  return true;
}

static void parse_visibility(qn_parser *p) {
  for (size_t i = 0; i < QN_COUNT(visibilities); i++)
    if (qn_accept_word(p, visibilities[i]))
      qn_draft_attr(p, "sym_visibility", qn_attr_string(p->cx, qn_str_of(visibilities[i])));
}

static void print_visibility(qn_printer *out, const qn_op *op) {
  if (!qn_op_find(op, QN_A_SYM_VISIBILITY)) return;
  qn_puts(out, " ");
  qn_put(out, qn_op_sym_visibility(op));
}

/* Whether the symbol has a name, and no visibility or one with a keyword. */
static bool symbol_fits(const qn_op *op) {
  bool known = !qn_op_find(op, QN_A_SYM_VISIBILITY);
  for (size_t i = 0; i < QN_COUNT(visibilities); i++)
    known = known || (has_string(op, QN_A_SYM_VISIBILITY) &&
                      qn_str_is(qn_op_sym_visibility(op), visibilities[i]));
  return known && has_string(op, QN_A_SYM_NAME) && qn_op_sym_name(op).size > 0;
}

/* ---- builtin.module ---- */

bool qn_parse_module_form(qn_parser *p, qn_op_draft *draft) {
  if (qn_at(p, QN_TOK_AT_ID) && !parse_symbol_name(p)) return false;
  if (!parse_attributes(p, draft)) return false;
  return qn_parse_region(p, &(qn_region_options){.isolated = true, .entry_block = true});
}

bool qn_module_form_fits(const qn_op *op) {
  const qn_region *body = &op->regions[0];
  return op->region_count == 1 && op->operand_count == 0 && op->result_count == 0 &&
         op->successor_count == 0 && body->first && body->first == body->last &&
         body->first->arg_count == 0 &&
         (!qn_op_find(op, QN_A_SYM_NAME) ||
          (has_string(op, QN_A_SYM_NAME) && qn_op_sym_name(op).size > 0));
}

void qn_print_module_form(qn_printer *out, const qn_op *op) {
  static const char *const skip[] = {"sym_name"};
  const qn_op *parent = qn_op_parent(op);
  qn_puts(out, parent && parent->kind != QN_OP_MODULE ? "builtin.module" : "module");
  if (qn_op_find(op, QN_A_SYM_NAME)) {
    qn_puts(out, " ");
    qn_print_symbol(out, qn_op_sym_name(op));
  }
  qn_print_attr_dict(out, op, " attributes {", skip, QN_COUNT(skip));
  qn_puts(out, " ");
  qn_print_region(out, &op->regions[0], (qn_region_style){.entry_args = false});
}

/* ---- builtin.unrealized_conversion_cast ---- */

/* Parses [%a, %b : t, u] to v, w {attributes} */
bool qn_parse_unrealized_cast_form(qn_parser *p, qn_op_draft *draft) {
  qn_pos pos = p->token.pos;
  if (!qn_parse_operands(p)) return false;
  size_t refs = p->refs.count - draft->refs;
  if (refs && (!qn_expect(p, QN_TOK_COLON) || !qn_parse_types(p))) return false;
  size_t types = p->types.count - draft->types;
  if (types != refs)
    return qn_fail_at(p, pos, "expected %zu operand type%s but had %zu", refs, refs == 1 ? "" : "s",
                      types);
  if (refs && !qn_draft_resolve(p, draft, 0, p->types.data + draft->types, refs)) return false;
  p->types.count = draft->types;
  return qn_expect_word(p, "to") && qn_parse_types(p) &&
         (!qn_at(p, QN_TOK_LBRACE) || qn_parse_named_attrs(p, draft->named));
}

bool qn_unrealized_cast_form_fits(const qn_op *op) {
  return op->region_count == 0 && op->successor_count == 0 && op->result_count > 0;
}

void qn_print_unrealized_cast_form(qn_printer *out, const qn_op *op) {
  qn_put(out, op->name);
  if (op->operand_count) {
    qn_puts(out, " ");
    qn_print_operand_list(out, op, 0, op->operand_count);
    qn_puts(out, " : ");
    qn_print_operand_types(out, op, 0, op->operand_count);
  }
  qn_puts(out, " to ");
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_comma(out, i);
    qn_print_type(out, op->results[i].type);
  }
  qn_print_attr_dict(out, op, " {", NULL, 0);
}

/* ---- func.func ---- */

/* A signature during parsing, with the attributes of arguments and results. */
typedef struct signature {
  QN_ARRAY(qn_entry_arg) args;
  QN_ARRAY(const qn_attr *) arg_attrs, result_attrs; /* dictionaries */
  QN_ARRAY(const qn_type *) results;
  bool named, any_arg_attrs, any_result_attrs;
} signature;

static void signature_free(signature *s) {
  qn_array_free(&s->args);
  qn_array_free(&s->arg_attrs);
  qn_array_free(&s->result_attrs);
  qn_array_free(&s->results);
}

static bool parse_type_attrs(qn_parser *p, const qn_attr **out_attrs, bool *any) {
  size_t first = p->named.count;
  if (qn_at(p, QN_TOK_LBRACE) && !qn_parse_named_attrs(p, first)) return false;
  *out_attrs = qn_attr_dict(p->cx, p->named.data ? p->named.data + first : NULL,
                            (uint32_t)(p->named.count - first));
  *any = *any || p->named.count > first;
  p->named.count = first;
  return true;
}

/* Parses one argument: [%name:] type [{attributes}] [loc(...)] */
static bool parse_arg(qn_parser *p, void *user) {
  signature *s = user;
  qn_entry_arg arg = {.name = {.pos = p->token.pos}};
  const qn_attr *attrs;
  bool named = qn_at(p, QN_TOK_PERCENT_ID);
  if (s->args.count == 0) s->named = named;
  if (named != s->named)
    return qn_fail(p,
                   named ? "expected type instead of SSA identifier" : "expected SSA identifier");
  if (named && (!qn_parse_operand(p, &arg.name) || !qn_expect(p, QN_TOK_COLON))) return false;
  if (!qn_parse_type(p, &arg.type) || !parse_type_attrs(p, &attrs, &s->any_arg_attrs) ||
      !qn_parse_optional_loc(p, &arg.loc))
    return false;
  qn_array_push(&s->args, arg);
  qn_array_push(&s->arg_attrs, attrs);
  return true;
}

static bool parse_result(qn_parser *p, void *user) {
  signature *s = user;
  const qn_type *type;
  const qn_attr *attrs;
  if (!qn_parse_type(p, &type) || !parse_type_attrs(p, &attrs, &s->any_result_attrs)) return false;
  qn_array_push(&s->results, type);
  qn_array_push(&s->result_attrs, attrs);
  return true;
}

/* Parses the results. A single result without parentheses has no attributes, because a brace after
 * it opens the body. */
static bool parse_results(qn_parser *p, signature *s) {
  if (!qn_accept(p, QN_TOK_ARROW)) return true;
  if (qn_at(p, QN_TOK_LPAREN))
    return qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_result, s);
  const qn_type *type;
  if (!qn_parse_type(p, &type)) return false;
  qn_array_push(&s->results, type);
  qn_array_push(&s->result_attrs, qn_attr_dict(p->cx, NULL, 0));
  return true;
}

static void add_signature_attrs(qn_parser *p, const signature *s) {
  size_t first = p->types.count;
  uint32_t inputs = (uint32_t)s->args.count, results = (uint32_t)s->results.count;
  for (uint32_t i = 0; i < inputs; i++) qn_array_push(&p->types, s->args.data[i].type);
  for (uint32_t i = 0; i < results; i++) qn_array_push(&p->types, s->results.data[i]);
  const qn_type *const *types = p->types.data ? p->types.data + first : NULL;
  const qn_type *type =
      qn_type_function(p->cx, types, inputs, types ? types + inputs : NULL, results);
  p->types.count = first;
  qn_draft_attr(p, "function_type", qn_attr_type(p->cx, type));
  if (s->any_arg_attrs)
    qn_draft_attr(p, "arg_attrs", qn_attr_array(p->cx, s->arg_attrs.data, inputs));
  if (s->any_result_attrs)
    qn_draft_attr(p, "res_attrs", qn_attr_array(p->cx, s->result_attrs.data, results));
}

static bool parse_body(qn_parser *p, const signature *s) {
  if (!qn_at(p, QN_TOK_LBRACE)) { /* a declaration */
    qn_region_draft none = {p->blocks.count, 0};
    qn_array_push(&p->regions, none);
    return true;
  }
  qn_pos pos = p->token.pos;
  qn_region_options options = {.args = s->args.data,
                               .arg_count = s->args.count,
                               .isolated = true,
                               .entry_block = true,
                               .unnamed_args = s->args.count && !s->named};
  if (!qn_parse_region(p, &options)) return false;
  const qn_region_draft *region = &p->regions.data[p->regions.count - 1];
  if (region->count == 1 && !p->blocks.data[region->first]->first && p->status == QN_OK)
    return qn_fail_at(p, pos, "expected non-empty function body");
  return true;
}

bool qn_parse_func_form(qn_parser *p, qn_op_draft *draft) {
  signature s = {.named = false};
  parse_visibility(p);
  bool ok = parse_symbol_name(p) && qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_arg, &s) &&
            parse_results(p, &s);
  if (ok) add_signature_attrs(p, &s);
  ok = ok && parse_attributes(p, draft) && parse_body(p, &s);
  signature_free(&s);
  return ok;
}

/* Whether the attribute is a list with one dictionary per argument or result. True for NULL. */
static bool attr_list_fits(const qn_attr *list, uint32_t count) {
  if (!list) return true;
  if (list->kind != QN_ATTR_ARRAY || list->array.count != count) return false;
  bool any = false;
  for (uint32_t i = 0; i < count; i++) {
    const qn_attr *item = list->array.items[i];
    if (item->kind != QN_ATTR_DICT) return false;
    any = any || item->dict.count > 0;
  }
  return any; /* a list of empty dictionaries is not printed, and would be lost */
}

bool qn_func_form_fits(const qn_op *op) {
  const qn_attr *attr = qn_op_find(op, QN_A_FUNCTION_TYPE);
  if (!symbol_fits(op) || !attr || attr->kind != QN_ATTR_TYPE ||
      attr->type->kind != QN_TYPE_FUNCTION || op->region_count != 1 || op->operand_count ||
      op->result_count || op->successor_count)
    return false;
  const qn_type *type = attr->type;
  if (!attr_list_fits(qn_op_arg_attrs(op), type->function.input_count) ||
      !attr_list_fits(qn_op_res_attrs(op), type->function.result_count))
    return false;
  const qn_block *entry = op->regions[0].first;
  if (!entry) return true;
  if (!entry->first || entry->arg_count != type->function.input_count) return false;
  for (uint32_t i = 0; i < entry->arg_count; i++)
    if (entry->args[i]->type != type->function.inputs[i]) return false;
  return true;
}

static void print_type_attrs(qn_printer *out, const qn_attr *list, uint32_t i) {
  if (!list || list->array.items[i]->dict.count == 0) return;
  qn_puts(out, " ");
  qn_print_attr(out, list->array.items[i]);
}

static void print_results(qn_printer *out, const qn_op *op, const qn_type *type) {
  const qn_attr *attrs = qn_op_find(op, QN_A_RES_ATTRS);
  uint32_t count = type->function.result_count;
  bool bare = count == 1 && !attrs && type->function.results[0]->kind != QN_TYPE_FUNCTION;
  if (count == 0) return;
  qn_puts(out, bare ? " -> " : " -> (");
  for (uint32_t i = 0; i < count; i++) {
    qn_comma(out, i);
    qn_print_type(out, type->function.results[i]);
    print_type_attrs(out, attrs, i);
  }
  if (!bare) qn_puts(out, ")");
}

void qn_print_func_form(qn_printer *out, const qn_op *op) {
  static const char *const skip[] = {"sym_name", "sym_visibility", "function_type", "arg_attrs",
                                     "res_attrs"};
  const qn_type *type = qn_op_function_type(op);
  const qn_attr *arg_attrs = qn_op_find(op, QN_A_ARG_ATTRS);
  const qn_block *entry = op->regions[0].first;
  qn_name_level before = qn_names_enter(out, &op->regions[0]);
  qn_puts(out, "func.func");
  print_visibility(out, op);
  qn_puts(out, " ");
  qn_print_symbol(out, qn_op_sym_name(op));
  qn_puts(out, "(");
  for (uint32_t i = 0; i < type->function.input_count; i++) {
    qn_comma(out, i);
    if (entry) {
      qn_print_value(out, entry->args[i]);
      qn_puts(out, ": ");
    }
    qn_print_type(out, type->function.inputs[i]);
    print_type_attrs(out, arg_attrs, i);
    if (entry) qn_print_trailing_loc(out, entry->args[i]->loc);
  }
  qn_puts(out, ")");
  qn_names_leave(out, before); /* the region assigns the same names again */
  print_results(out, op, type);
  qn_print_attr_dict(out, op, " attributes {", skip, QN_COUNT(skip));
  if (!entry) return;
  qn_puts(out, " ");
  qn_print_region(out, &op->regions[0], (qn_region_style){.entry_args = false});
}
