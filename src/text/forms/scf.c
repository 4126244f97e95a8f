/* The forms of scf.for and scf.if.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/form.h"

/* Whether the block ends in a scf.yield without operands and attributes, which the form omits. */
static bool yield_is_implied(const qn_block *block) {
  const qn_op *last = block->last;
  return last && last->kind == QN_OP_SCF_YIELD && last->operand_count == 0 && last->attr_count == 0;
}

static bool ends_in_yield(const qn_region *region) {
  return region->first && region->first == region->last && region->first->last &&
         region->first->last->kind == QN_OP_SCF_YIELD;
}

static void print_body(qn_printer *out, const qn_region *region) {
  qn_print_region(out, region,
                  (qn_region_style){.hide_terminator = yield_is_implied(region->first)});
}

/* Parses -> (t, t); pushes the types on p->types. */
static bool parse_results(qn_parser *p) {
  return !qn_accept(p, QN_TOK_ARROW) || qn_parse_result_types(p);
}

static void print_results(qn_printer *out, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_puts(out, i ? ", " : " -> (");
    qn_print_type(out, op->results[i].type);
  }
  if (op->result_count) qn_puts(out, ")");
}

/* ---- scf.for ---- */

typedef QN_ARRAY(qn_entry_arg) entry_args;

/* %x = %initial */
static bool parse_iter_arg(qn_parser *p, void *user) {
  entry_args *args = user;
  qn_entry_arg arg = {.type = NULL};
  qn_operand_ref initial;
  if (!qn_parse_operand(p, &arg.name) || !qn_expect(p, QN_TOK_EQUAL) ||
      !qn_parse_operand(p, &initial))
    return false;
  qn_array_push(args, arg);
  qn_array_push(&p->refs, initial);
  return true;
}

static bool push_operand(qn_parser *p) {
  qn_operand_ref ref;
  if (!qn_parse_operand(p, &ref)) return false;
  qn_array_push(&p->refs, ref);
  return true;
}

/* Parses %i = %lower to %upper step %step [iter_args(...) -> (types)] [: type] */
static bool parse_for_header(qn_parser *p, qn_op_draft *draft, entry_args *args) {
  qn_entry_arg induction = {.type = qn_type_index(p->cx)};
  if (!qn_parse_operand(p, &induction.name) || !qn_expect(p, QN_TOK_EQUAL)) return false;
  qn_array_push(args, induction);
  if (!push_operand(p) || !qn_expect_word(p, "to") || !push_operand(p) ||
      !qn_expect_word(p, "step") || !push_operand(p))
    return false;
  qn_pos pos = p->token.pos;
  if (qn_accept_word(p, "iter_args") &&
      (!qn_parse_list(p, QN_TOK_LPAREN, QN_TOK_RPAREN, parse_iter_arg, args) || !parse_results(p)))
    return false;
  if (qn_accept(p, QN_TOK_COLON) && !qn_parse_type(p, &args->data[0].type)) return false;
  size_t results = p->types.count - draft->types;
  if (results != args->count - 1)
    return qn_fail_at(p, pos, "mismatch in number of loop-carried values and defined values");
  for (size_t i = 0; i < results; i++) args->data[1 + i].type = p->types.data[draft->types + i];
  const qn_type *bounds[] = {args->data[0].type, args->data[0].type, args->data[0].type};
  return qn_draft_resolve(p, draft, 0, bounds, 3) &&
         qn_draft_resolve(p, draft, 3, p->types.data + draft->types, results);
}

bool qn_parse_for_form(qn_parser *p, qn_op_draft *draft) {
  entry_args args = {0};
  bool ok = parse_for_header(p, draft, &args);
  if (ok) {
    qn_region_options options = {
        .args = args.data, .arg_count = args.count, .implied_terminator = QN_OP_UNREGISTERED};
    if (args.count == 1) options.implied_terminator = QN_OP_SCF_YIELD;
    ok = qn_parse_region(p, &options);
  }
  qn_array_free(&args);
  return ok && (!qn_at(p, QN_TOK_LBRACE) || qn_parse_named_attrs(p, draft->named));
}

bool qn_for_form_fits(const qn_op *op) {
  if (op->region_count != 1 || op->successor_count || op->operand_count != 3 + op->result_count ||
      !ends_in_yield(&op->regions[0]))
    return false;
  const qn_block *body = op->regions[0].first;
  if (body->arg_count != 1 + op->result_count) return false;
  for (uint32_t i = 0; i < 3; i++)
    if (qn_op_operand(op, i)->type != body->args[0]->type) return false;
  for (uint32_t i = 0; i < op->result_count; i++) {
    const qn_type *type = op->results[i].type;
    if (qn_op_operand(op, 3 + i)->type != type || body->args[1 + i]->type != type) return false;
  }
  return op->result_count == 0 || body->last->operand_count || body->last->attr_count;
}

void qn_print_for_form(qn_printer *out, const qn_op *op) {
  const qn_block *body = op->regions[0].first;
  qn_name_level before = qn_names_enter(out, &op->regions[0]);
  qn_puts(out, "scf.for ");
  qn_print_value(out, body->args[0]);
  static const char *const words[] = {" = ", " to ", " step "};
  for (uint32_t i = 0; i < 3; i++) {
    qn_puts(out, words[i]);
    qn_print_value(out, qn_op_operand(op, i));
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_puts(out, i ? ", " : " iter_args(");
    qn_print_value(out, body->args[1 + i]);
    qn_puts(out, " = ");
    qn_print_value(out, qn_op_operand(op, 3 + i));
  }
  if (op->result_count) qn_puts(out, ")");
  qn_names_leave(out, before);
  print_results(out, op);
  if (body->args[0]->type->kind != QN_TYPE_INDEX) {
    qn_puts(out, " : ");
    qn_print_type(out, body->args[0]->type);
  }
  qn_puts(out, " ");
  print_body(out, &op->regions[0]);
  qn_print_attr_dict(out, op, " {", NULL, 0);
}

/* ---- scf.if ---- */

bool qn_parse_if_form(qn_parser *p, qn_op_draft *draft) {
  const qn_type *i1 = qn_type_i(p->cx, 1);
  if (!push_operand(p) || !qn_draft_resolve(p, draft, 0, &i1, 1) || !parse_results(p)) return false;
  bool results = p->types.count > draft->types;
  qn_region_options options = {.entry_block = true, .implied_terminator = QN_OP_SCF_YIELD};
  if (results) options.implied_terminator = QN_OP_UNREGISTERED;
  if (!qn_parse_region(p, &options)) return false;
  if (qn_accept_word(p, "else")) {
    if (!qn_parse_region(p, &options)) return false;
  } else {
    qn_region_draft none = {p->blocks.count, 0};
    qn_array_push(&p->regions, none);
  }
  return !qn_at(p, QN_TOK_LBRACE) || qn_parse_named_attrs(p, draft->named);
}

bool qn_if_form_fits(const qn_op *op) {
  if (op->region_count != 2 || op->successor_count || op->operand_count != 1) return false;
  const qn_type *condition = qn_op_operand(op, 0)->type;
  if (!qn_type_is_int(condition, 1) || condition->integer.sign != QN_SIGNLESS) return false;
  for (uint32_t i = 0; i < 2; i++) {
    const qn_region *region = &op->regions[i];
    if (i == 1 && !region->first) continue;
    if (!ends_in_yield(region) || region->first->arg_count) return false;
    if (op->result_count && yield_is_implied(region->first)) return false;
  }
  return true;
}

void qn_print_if_form(qn_printer *out, const qn_op *op) {
  qn_puts(out, "scf.if ");
  qn_print_value(out, qn_op_operand(op, 0));
  print_results(out, op);
  qn_puts(out, " ");
  print_body(out, &op->regions[0]);
  if (op->regions[1].first) {
    qn_puts(out, " else ");
    print_body(out, &op->regions[1]);
  }
  qn_print_attr_dict(out, op, " {", NULL, 0);
}
