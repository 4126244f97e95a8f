/* Matches the rows of a rule, and applies rules as patterns of the rewriter.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/match.h"

#include "ir/verify/check.h"

bool qn_is_unary_elementwise(const qn_op *op) {
  if (!qn_op_has(op, QN_ELEMENTWISE) || op->operand_count != 1 || op->result_count != 1)
    return false;
  const qn_type *x = qn_op_operand(op, 0)->type, *y = op->results[0].type;
  return x->kind == QN_TYPE_TENSOR && y->kind == QN_TYPE_TENSOR && qn_type_is_static(x) &&
         qn_same_shape(x, y);
}

static bool is_kind(const qn_match_row *row, const qn_op *op) {
  if (row->kinds[0] == QN_OP_UNREGISTERED) return true;
  for (uint32_t i = 0; i < QN_MATCH_KINDS && row->kinds[i]; i++)
    if (row->kinds[i] == op->kind) return true;
  return false;
}

/* Records a failure if it came after more matched rows than the recorded one. Always returns false.
 */
static bool miss(qn_matched *m, qn_match_miss what) {
  if (!m->miss) return false;
  for (uint32_t i = 0; i < QN_MATCH_ROWS; i++) what.matched += m->value[i] != NULL;
  if (what.matched >= m->miss->matched) *m->miss = what;
  return false;
}

/* Whether a value meets the flags of its row. `op` is the producer of the value, NULL if it has
 * none. */
static bool holds(const qn_graph_rule *rule, uint8_t at, const qn_value *value, const qn_op *op,
                  qn_matched *m) {
  const qn_match_row *row = &rule->rows[at];
  bool any = row->flags & QN_ANY_VALUE;
  bool several = row->flags & QN_ONE_OF_SEVERAL;
  if (!any && !(op && (several || op->result_count == 1) && is_kind(row, op)))
    return miss(m, (qn_match_miss){.row = at, .value = value});
  if ((row->flags & QN_ONLY_USE) && !qn_value_has_one_use(value))
    return miss(m, (qn_match_miss){.row = at, .value = value, .flag = QN_ONLY_USE});
  if ((row->flags & QN_LITERAL) && !qn_value_literal(value))
    return miss(m, (qn_match_miss){.row = at, .value = value, .flag = QN_LITERAL});
  if (!any && (row->flags & QN_PLAIN) && !qn_op_is_plain(op))
    return miss(m, (qn_match_miss){.row = at, .value = value, .flag = QN_PLAIN});
  return true;
}

static bool match_value(const qn_graph_rule *rule, uint8_t row, qn_value *value, qn_matched *m);

/* The value below elementwise ops, each of which is its operand's only use. */
static qn_value *through_unary(qn_value *value) {
  while (value->op && qn_value_has_one_use(value) && qn_is_unary_elementwise(value->op))
    value = qn_op_operand(value->op, 0);
  return value;
}

static bool match_operands(const qn_graph_rule *rule, uint8_t row, const qn_op *op, bool swapped,
                           qn_matched *m) {
  const qn_match_row *r = &rule->rows[row];
  for (uint32_t i = 0; i < QN_MATCH_OPERANDS; i++) {
    if (r->operands[i] == 0) continue;
    uint32_t at = swapped && i < 2 ? 1 - i : i;
    if (at >= op->operand_count) return miss(m, (qn_match_miss){.row = r->operands[i]});
    qn_value *operand = qn_op_operand(op, at);
    if (i == 0 && (r->flags & QN_THROUGH_UNARY)) operand = through_unary(operand);
    if (!match_value(rule, r->operands[i], operand, m)) return false;
  }
  return true;
}

static bool match_op(const qn_graph_rule *rule, uint8_t row, qn_op *op, qn_matched *m) {
  qn_matched before = *m;
  if (match_operands(rule, row, op, false, m)) return true;
  *m = before;
  if (!(rule->rows[row].flags & QN_EITHER_SIDE) || op->operand_count < 2) return false;
  m->swapped = true;
  if (match_operands(rule, row, op, true, m)) return true;
  *m = before;
  return false;
}

/* Matches a row recursively. The depth is that of the pattern. */
static bool match_value(const qn_graph_rule *rule, uint8_t row, qn_value *value, qn_matched *m) {
  if (m->value[row] == value) return true;
  if (m->value[row]) return miss(m, (qn_match_miss){.row = row, .value = value, .other = true});
  if (!holds(rule, row, value, value->op, m)) return false;
  m->value[row] = value;
  m->op[row] = value->op;
  return !value->op || (rule->rows[row].flags & QN_ANY_VALUE) || match_op(rule, row, value->op, m);
}

bool qn_match(const qn_graph_rule *rule, qn_op *root, qn_matched *out_matched) {
  *out_matched = (qn_matched){.miss = out_matched->miss};
  if (root->result_count != 1) return false;
  return match_value(rule, 0, &root->results[0], out_matched);
}

static void tell_kinds(const qn_match_row *row, qn_text *out) {
  for (uint32_t i = 0; i < QN_MATCH_KINDS && row->kinds[i]; i++)
    qn_text_format(out, "%s'%s'", i ? " or " : "", qn_op_infos[row->kinds[i]].name);
  if (!row->kinds[0]) qn_text_puts(out, "an op");
}

static void tell_value(const qn_value *value, qn_text *out) {
  const qn_loc *at = value->op ? value->op->loc : NULL;
  if (value->op)
    qn_text_format(out, "'%.*s'", QN_STR_ARG(value->op->name));
  else
    qn_text_puts(out, "an argument of a block");
  if (at && at->kind == QN_LOC_FILE && at->line)
    qn_text_format(out, " at %u:%u", at->line, at->column);
}

void qn_match_tell(const qn_graph_rule *rule, const qn_match_miss *miss, qn_text *out) {
  const qn_match_row *row = &rule->rows[miss->row];
  if (!miss->value) {
    qn_text_puts(out, "an operand is not there");
    return;
  }
  tell_value(miss->value, out);
  if (miss->flag == QN_ONLY_USE) {
    qn_text_format(out, " has %u uses, which may have no other than this",
                   qn_value_use_count(miss->value));
  } else if (miss->flag == QN_LITERAL) {
    qn_text_puts(out, " is not a constant whose elements are known");
  } else if (miss->flag == QN_PLAIN) {
    qn_text_puts(out, " has a fused activation");
  } else if (miss->other) {
    qn_text_puts(out, " is another value where the rule has one value twice");
  } else {
    qn_text_puts(out, " stands where the rule has ");
    tell_kinds(row, out);
  }
}

/* Whether the op of a row is erased together with the root if it has no other use. */
static bool is_own(const qn_graph_rule *rule, uint32_t row, const qn_op *op) {
  return op && (!(rule->rows[row].flags & QN_ANY_VALUE) || (rule->rows[row].flags & QN_LITERAL));
}

/* Erases matched ops, and their constants, that only the root used. */
static void erase_unused(qn_rewriter *rw, qn_matched *m, const qn_graph_rule *rule) {
  for (uint32_t i = 1; i < QN_MATCH_ROWS; i++) {
    qn_op *op = m->op[i];
    if (!is_own(rule, i, op) || !qn_op_is_dead(op) || qn_pass_keeps(rw->pc, op)) continue;
    for (uint32_t k = i; k < QN_MATCH_ROWS; k++)
      if (m->op[k] == op) m->op[k] = NULL; /* two rows may be one op */
    qn_rewriter_erase(rw, op);
  }
}

/* Whether erasing the match would remove a model tensor that keep_tensors protects. */
static bool takes_tensors(const qn_rewriter *rw, const qn_graph_rule *rule, const qn_matched *m) {
  for (uint32_t i = 1; i < QN_MATCH_ROWS; i++)
    if (is_own(rule, i, m->op[i]) && qn_pass_keeps(rw->pc, m->op[i]) &&
        qn_value_has_one_use(m->value[i]))
      return true;
  return false;
}

static bool tell_why(const qn_rewriter *rw, const qn_graph_rule *rule, qn_op *op) {
  qn_match_miss missed = {0};
  qn_matched m = {.miss = &missed};
  if (!qn_match(rule, op, &m))
    qn_match_tell(rule, &missed, rw->why);
  else if (takes_tensors(rw, rule, &m) || qn_pass_keeps(rw->pc, op))
    qn_text_puts(rw->why, "a tensor of the model that has to stay would go");
  else
    qn_text_puts(rw->why, "the ops are there, and a condition on their types, shapes or "
                          "attributes does not hold");
  return false;
}

bool qn_graph_rule_apply(qn_rewriter *rw, qn_op *op) {
  const qn_graph_rule *rule = rw->pattern->rule;
  if (rw->why) return tell_why(rw, rule, op);
  qn_matched m = {0};
  if (!qn_match(rule, op, &m) || takes_tensors(rw, rule, &m)) return false;
  qn_value *with = rule->rewrite(rw, &m);
  if (!with || (qn_pass_keeps(rw->pc, op) && with->id < rw->first_new)) return false;
  if (with != &op->results[0]) qn_rewriter_replace(rw, op, &with);
  erase_unused(rw, &m, rule);
  return true;
}
