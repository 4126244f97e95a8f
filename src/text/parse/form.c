/* Parses an op by its format.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/form.h"

typedef struct form_reader {
  qn_op_draft *draft;
  const qn_type *operand[3], *rest, *result; /* types; rest: type of each $* operand */
  const qn_attr *ints;                       /* attribute of the # directive */
  bool done;                                 /* the form has ended at ? */
  bool listed;       /* has T* or F: types of $* operands are on p->types, from index `inputs` on */
  bool skipping;     /* the directives between ! and ] are skipped */
  size_t first_rest; /* index in p->refs of the first $* operand */
  uint32_t inputs;
} form_reader;

static bool parse_operand(qn_parser *p, form_reader *r, char index) {
  if (index == '*') {
    r->first_rest = p->refs.count - r->draft->refs;
    return qn_parse_operands(p);
  }
  qn_operand_ref ref;
  if (!qn_parse_operand(p, &ref)) return false;
  qn_array_push(&p->refs, ref);
  return true;
}

static bool parse_flags(qn_parser *p) {
  for (size_t i = 0; i < QN_COUNT(qn_form_flags); i++) {
    if (!qn_accept_word(p, qn_form_flags[i].word)) continue;
    qn_str body;
    if (!qn_parse_balanced(p, &body)) return false;
    if (qn_str_is(body, "<none>")) continue;
    qn_str text = qn_arena_format(&p->scratch, "%s%.*s", qn_form_flags[i].prefix, QN_STR_ARG(body));
    qn_draft_attr(p, qn_form_flags[i].name, qn_attr_opaque(p->cx, text));
  }
  return true;
}

static bool parse_symbol(qn_parser *p, qn_str name) {
  qn_str path;
  if (!qn_parse_symbol(p, &path)) return false;
  qn_named_attr named = {qn_intern(p->cx, name), qn_attr_symbol(p->cx, path)};
  qn_array_push(&p->named, named);
  return true;
}

static bool parse_ints(qn_parser *p, form_reader *r, qn_str name) {
  size_t first = p->ints.count;
  if (qn_at(p, QN_TOK_INTEGER) || qn_at(p, QN_TOK_MINUS)) {
    do {
      int64_t value;
      if (!qn_parse_int(p, &value)) return false;
      qn_array_push(&p->ints, value);
    } while (qn_accept(p, QN_TOK_COMMA));
  }
  size_t count = p->ints.count - first;
  r->ints = qn_attr_i64s(p->cx, count ? p->ints.data + first : NULL, (uint32_t)count);
  p->ints.count = first;
  qn_named_attr named = {qn_intern(p->cx, name), r->ints};
  qn_array_push(&p->named, named);
  return true;
}

static bool parse_int_attr(qn_parser *p, qn_str name) {
  int64_t value;
  if (!qn_parse_int(p, &value)) return false;
  qn_named_attr named = {qn_intern(p->cx, name), qn_attr_i64(p->cx, value)};
  qn_array_push(&p->named, named);
  return true;
}

static bool parse_string_attr(qn_parser *p, qn_str name) {
  qn_str text;
  if (!qn_at(p, QN_TOK_STRING)) return qn_fail(p, "expected string");
  if (!qn_parse_string(p, &text)) return false;
  qn_named_attr named = {qn_intern(p->cx, name), qn_attr_string(p->cx, text)};
  qn_array_push(&p->named, named);
  return true;
}

static bool parse_predicate(qn_parser *p, form_reader *r) {
  uint32_t count;
  const char *const *names = qn_predicate_names(r->draft->kind, &count);
  for (uint32_t i = 0; i < count; i++) {
    if (!qn_accept_word(p, names[i])) continue;
    qn_draft_attr(p, "predicate", qn_attr_i64(p->cx, i));
    return true;
  }
  return qn_fail(p, "expected the name of a comparison predicate");
}

/* Parses the kind of a reduction: <add> */
static bool parse_kind(qn_parser *p) {
  qn_str name;
  if (!qn_expect(p, QN_TOK_LESS)) return false;
  name = p->token.text;
  if (!qn_expect(p, QN_TOK_BARE_ID) || !qn_expect(p, QN_TOK_GREATER)) return false;
  qn_str text = qn_arena_format(&p->scratch, "%s%.*s>", qn_reduction_kind_prefix, QN_STR_ARG(name));
  qn_draft_attr(p, "kind", qn_attr_opaque(p->cx, text));
  return true;
}

static bool parse_written_type(qn_parser *p, form_reader *r, const qn_directive *d) {
  if (d->index == '*') {
    r->listed = true;
    return p->refs.count - r->draft->refs == r->first_rest || qn_parse_types(p);
  }
  return qn_parse_type(p, d->kind == 'R' ? &r->result : &r->operand[d->index - '0']);
}

static bool parse_function_type(qn_parser *p, form_reader *r) {
  uint32_t results;
  r->listed = true;
  return qn_parse_signature(p, &r->inputs, &results);
}

static bool expect_word(qn_parser *p, qn_str word) {
  if (!qn_at(p, QN_TOK_BARE_ID) || !qn_str_equal(p->token.text, word))
    return qn_fail(p, "expected '%.*s'", QN_STR_ARG(word));
  qn_advance(p);
  return true;
}

static bool parse_directive(qn_parser *p, form_reader *r, const qn_directive *d) {
  if (r->skipping) {
    r->skipping = d->kind != ']';
    return true;
  }
  switch (d->kind) {
  case '$':
    return parse_operand(p, r, d->index);
  case 'T':
  case 'R':
    return parse_written_type(p, r, d);
  case 'F':
    return parse_function_type(p, r);
  case '{':
    return parse_flags(p) && (!qn_at(p, QN_TOK_LBRACE) || qn_parse_named_attrs(p, r->draft->named));
  case '?':
    r->done = !qn_at(p, QN_TOK_PERCENT_ID);
    return true;
  case '!':
    r->skipping = !qn_at(p, QN_TOK_LSQUARE);
    r->first_rest = p->refs.count - r->draft->refs;
    return true;
  case '@':
    return parse_symbol(p, d->name);
  case '=':
    return parse_int_attr(p, d->name);
  case '"':
    return parse_string_attr(p, d->name);
  case '#':
    return parse_ints(p, r, d->name);
  case 'P':
    return parse_predicate(p, r);
  case 'K':
    return parse_kind(p);
  case 'w':
    return expect_word(p, d->name);
  case ',':
    return qn_expect(p, QN_TOK_COMMA);
  case ':':
    return qn_expect(p, QN_TOK_COLON);
  case '(':
    return qn_expect(p, QN_TOK_LPAREN);
  case ')':
    return qn_expect(p, QN_TOK_RPAREN);
  case '[':
    return qn_expect(p, QN_TOK_LSQUARE);
  case ']':
    return qn_expect(p, QN_TOK_RSQUARE);
  case '>':
    return qn_expect(p, QN_TOK_ARROW);
  default:
    QN_UNREACHABLE("a format has a character that is no directive");
  }
}

/* Resolves operands in forms that list the types of all operands, and possibly of results after
 * them. */
static bool resolve_listed(qn_parser *p, const qn_form_plan *plan, form_reader *r,
                           qn_pos types_pos) {
  qn_op_draft *draft = r->draft;
  size_t refs = p->refs.count - draft->refs, types = p->types.count - draft->types;
  size_t listed = plan->signature ? r->inputs : types;
  if (listed != refs)
    return qn_fail_at(p, types_pos, "expected %zu operand type%s but had %zu", refs,
                      refs == 1 ? "" : "s", listed);
  const qn_type **first = p->types.data + draft->types;
  if (!qn_draft_resolve(p, draft, 0, first, listed)) return false;
  for (size_t i = listed; i < types; i++) first[i - listed] = first[i];
  p->types.count -= listed;
  return true;
}

static bool derive_types(qn_parser *p, const qn_form_plan *plan, form_reader *r, qn_pos types_pos) {
  for (uint32_t i = 0; i < plan->rule_count; i++) {
    qn_type_rule rule = plan->rules[i];
    const qn_type *from = rule.from == QN_FROM_RESULT ? r->result : r->operand[rule.from];
    if (rule.kind == 'e' && !qn_type_is_shaped(from))
      return qn_fail_at(p, types_pos, "expected a shaped type");
    if (rule.kind == 'l' && r->ints->dense_array.count == 0)
      return qn_fail_at(p, types_pos, "expected at least one lane");
    const qn_type *type = qn_rule_type(p->cx, rule, from, r->ints);
    if (rule.slot == '*')
      r->rest = type;
    else if (rule.slot == 'R')
      r->result = type;
    else
      r->operand[rule.slot - '0'] = type;
  }
  return true;
}

/* Resolves operand names to values of their types, and leaves the result types on p->types. */
static bool resolve(qn_parser *p, const qn_form_plan *plan, form_reader *r, qn_pos types_pos) {
  if (r->listed) return resolve_listed(p, plan, r, types_pos);
  size_t refs = p->refs.count - r->draft->refs, fixed = plan->fixed;
  if (!derive_types(p, plan, r, types_pos) || !qn_draft_resolve(p, r->draft, 0, r->operand, fixed))
    return false;
  for (size_t i = fixed; i < refs; i++)
    if (!qn_draft_resolve(p, r->draft, i, &r->rest, 1)) return false;
  if (r->result) qn_array_push(&p->types, r->result);
  return true;
}

bool qn_form_parse(qn_parser *p, const qn_form_plan *plan, qn_op_draft *draft) {
  if (!plan->form->format) return plan->form->parse(p, draft);
  form_reader r = {.draft = draft};
  qn_pos types_pos = p->token.pos;
  for (uint32_t i = 0; !r.done && i < plan->step_count; i++) {
    const qn_directive *d = &plan->steps[i];
    if (d->kind == 'T' || d->kind == 'F') types_pos = p->token.pos;
    if (!parse_directive(p, &r, d)) return false;
  }
  return r.done || resolve(p, plan, &r, types_pos);
}
