/* The forms of cf.br, cf.cond_br and func.call_indirect.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "text/form.h"

/* ---- blocks with operands ---- */

/* Parses ^bb1 or ^bb1(%a, %b : t, u); pushes the block and the values. */
static bool parse_target(qn_parser *p, const qn_op_draft *draft, uint32_t *out_count) {
  *out_count = 0;
  if (!qn_parse_successor(p)) return false;
  return !qn_accept(p, QN_TOK_LPAREN) || qn_draft_typed_operands(p, draft, out_count);
}

static void print_target(qn_printer *out, const qn_op *op, uint32_t successor, uint32_t first) {
  uint32_t count = op->successor_operand_counts[successor];
  qn_print_block_name(out, op->successors[successor]);
  if (count == 0) return;
  qn_puts(out, "(");
  qn_print_operand_list(out, op, first, count);
  qn_puts(out, " : ");
  qn_print_operand_types(out, op, first, count);
  qn_puts(out, ")");
}

static bool is_plain_branch(const qn_op *op, uint32_t successors) {
  return op->successor_count == successors && op->region_count == 0 && op->result_count == 0;
}

/* ---- cf.br ---- */

bool qn_parse_br_form(qn_parser *p, qn_op_draft *draft) {
  uint32_t count;
  return parse_target(p, draft, &count) &&
         (!qn_at(p, QN_TOK_LBRACE) || qn_parse_named_attrs(p, draft->named));
}

bool qn_br_form_fits(const qn_op *op) {
  return is_plain_branch(op, 1) && op->successor_operand_counts[0] == op->operand_count;
}

void qn_print_br_form(qn_printer *out, const qn_op *op) {
  qn_puts(out, "cf.br ");
  print_target(out, op, 0, 0);
  qn_print_attr_dict(out, op, " {", NULL, 0);
}

/* ---- cf.cond_br ---- */

static const char branch_weights[] = "branch_weights";

/* weights([90, 10]) */
static bool push_weight(qn_parser *p, void *user) {
  (void)user;
  qn_pos pos = p->token.pos;
  int64_t value;
  if (!qn_parse_int(p, &value)) return false;
  qn_array_push(&p->ints, value);
  return (value >= INT32_MIN && value <= INT32_MAX) ||
         qn_fail_at(p, pos, "integer value too large");
}

static bool parse_weights(qn_parser *p) {
  size_t first = p->ints.count;
  if (!qn_accept_word(p, "weights")) return true;
  if (!qn_expect(p, QN_TOK_LPAREN) ||
      !qn_parse_list(p, QN_TOK_LSQUARE, QN_TOK_RSQUARE, push_weight, NULL) ||
      !qn_expect(p, QN_TOK_RPAREN))
    return false;
  uint32_t count = (uint32_t)(p->ints.count - first);
  qn_draft_attr(p, branch_weights,
                qn_attr_dense_array(p->cx, qn_type_i(p->cx, 32),
                                    count ? p->ints.data + first : NULL, NULL, count));
  p->ints.count = first;
  return true;
}

/* The branch weights if the custom form can express them; otherwise they stay in the dictionary. */
static const qn_attr *weights_of(const qn_op *op) {
  const qn_attr *weights = qn_op_branch_weights(op);
  bool fits = weights && weights->kind == QN_ATTR_DENSE_ARRAY && weights->dense_array.ints &&
              qn_type_is_int(weights->type, 32) && weights->type->integer.sign == QN_SIGNLESS;
  return fits ? weights : NULL;
}

static void print_weights(qn_printer *out, const qn_attr *weights) {
  qn_puts(out, " weights([");
  for (uint32_t i = 0; i < weights->dense_array.count; i++) {
    qn_comma(out, i);
    qn_text_format(out->out, "%lld", (long long)weights->dense_array.ints[i]);
  }
  qn_puts(out, "])");
}

bool qn_parse_cond_br_form(qn_parser *p, qn_op_draft *draft) {
  const qn_type *i1 = qn_type_i(p->cx, 1);
  qn_operand_ref condition;
  uint32_t counts[2];
  if (!qn_parse_operand(p, &condition)) return false;
  qn_array_push(&p->refs, condition);
  if (!qn_draft_resolve(p, draft, 0, &i1, 1) || !parse_weights(p)) return false;
  for (uint32_t i = 0; i < 2; i++)
    if (!qn_expect(p, QN_TOK_COMMA) || !parse_target(p, draft, &counts[i])) return false;
  if (qn_at(p, QN_TOK_LBRACE) && !qn_parse_named_attrs(p, draft->named)) return false;
  qn_draft_segments(p, (const int64_t[]){1, counts[0], counts[1]}, 3);
  return true;
}

bool qn_cond_br_form_fits(const qn_op *op) {
  if (!is_plain_branch(op, 2) || op->operand_count == 0) return false;
  const qn_type *condition = qn_op_operand(op, 0)->type;
  uint64_t forwarded = (uint64_t)op->successor_operand_counts[0] + op->successor_operand_counts[1];
  return qn_type_is_int(condition, 1) && condition->integer.sign == QN_SIGNLESS &&
         forwarded == op->operand_count - 1u && qn_form_implies_segments(op, 3) &&
         qn_op_segment(op, 0) == 1 && qn_op_segment(op, 1) == op->successor_operand_counts[0];
}

void qn_print_cond_br_form(qn_printer *out, const qn_op *op) {
  static const char *const skip[] = {"operandSegmentSizes", branch_weights};
  const qn_attr *weights = weights_of(op);
  qn_puts(out, "cf.cond_br ");
  qn_print_value(out, qn_op_operand(op, 0));
  if (weights) print_weights(out, weights);
  qn_puts(out, ", ");
  print_target(out, op, 0, 1);
  qn_puts(out, ", ");
  print_target(out, op, 1, 1 + op->successor_operand_counts[0]);
  qn_print_attr_dict(out, op, " {", skip, weights ? 2 : 1);
}

/* ---- func.call_indirect ---- */

/* Parses %f(%a, %b) {attributes} : (t, u) -> v */
bool qn_parse_call_indirect_form(qn_parser *p, qn_op_draft *draft) {
  qn_operand_ref callee;
  const qn_type *type;
  if (!qn_parse_operand(p, &callee)) return false;
  qn_array_push(&p->refs, callee);
  if (!qn_expect(p, QN_TOK_LPAREN) || !qn_parse_operands(p) || !qn_expect(p, QN_TOK_RPAREN))
    return false;
  if (qn_at(p, QN_TOK_LBRACE) && !qn_parse_named_attrs(p, draft->named)) return false;
  if (!qn_expect(p, QN_TOK_COLON)) return false;
  qn_pos pos = p->token.pos;
  if (!qn_parse_type(p, &type)) return false;
  if (type->kind != QN_TYPE_FUNCTION) return qn_fail_at(p, pos, "invalid kind of type specified");
  size_t args = p->refs.count - draft->refs - 1;
  if (args != type->function.input_count)
    return qn_fail_at(p, pos, "expected %zu operand type%s but had %u", args, args == 1 ? "" : "s",
                      type->function.input_count);
  for (uint32_t i = 0; i < type->function.result_count; i++)
    qn_array_push(&p->types, type->function.results[i]);
  return qn_draft_resolve(p, draft, 0, &type, 1) &&
         qn_draft_resolve(p, draft, 1, type->function.inputs, args);
}

bool qn_call_indirect_form_fits(const qn_op *op) {
  if (op->operand_count == 0 || op->region_count || op->successor_count) return false;
  const qn_type *type = qn_op_operand(op, 0)->type;
  if (type->kind != QN_TYPE_FUNCTION || type->function.input_count != op->operand_count - 1 ||
      type->function.result_count != op->result_count)
    return false;
  for (uint32_t i = 0; i < type->function.input_count; i++)
    if (qn_op_operand(op, 1 + i)->type != type->function.inputs[i]) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (op->results[i].type != type->function.results[i]) return false;
  return true;
}

void qn_print_call_indirect_form(qn_printer *out, const qn_op *op) {
  qn_print_keyword(out, op);
  qn_puts(out, " ");
  qn_print_value(out, qn_op_operand(op, 0));
  qn_puts(out, "(");
  qn_print_operand_list(out, op, 1, op->operand_count - 1);
  qn_puts(out, ")");
  qn_print_attr_dict(out, op, " {", NULL, 0);
  qn_puts(out, " : ");
  qn_print_type(out, qn_op_operand(op, 0)->type);
}
