/* Matching a rule's rows, and rules as patterns of the rewriter.
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

static bool is_plain(const qn_op *op) { return qn_op_activation(op) == QN_ACT_NONE; }

static bool is_literal(const qn_value *value) {
  const qn_attr *attr = qn_value_constant(value);
  return attr && qn_attr_is_elements(attr);
}

/* What the flags say of the value itself; `op` makes it, or is NULL. */
static bool holds(const qn_match_row *row, const qn_value *value, const qn_op *op) {
  if ((row->flags & QN_ONLY_USE) && !qn_value_has_one_use(value)) return false;
  if ((row->flags & QN_LITERAL) && !is_literal(value)) return false;
  if (row->flags & QN_ANY_VALUE) return true;
  return op && op->result_count == 1 && is_kind(row, op) &&
         (!(row->flags & QN_PLAIN) || is_plain(op));
}

static bool match_value(const qn_graph_rule *rule, uint8_t row, qn_value *value, qn_matched *m);

/* The value below elementwise ops, which hand it on to nobody else. */
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
    if (at >= op->operand_count) return false;
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

/* As deep as the pattern is, which its author bounds. */
static bool match_value(const qn_graph_rule *rule, uint8_t row, qn_value *value, qn_matched *m) {
  if (m->value[row]) return m->value[row] == value;
  if (!holds(&rule->rows[row], value, value->op)) return false;
  m->value[row] = value;
  m->op[row] = value->op;
  return !value->op || (rule->rows[row].flags & QN_ANY_VALUE) || match_op(rule, row, value->op, m);
}

bool qn_match(const qn_graph_rule *rule, qn_op *root, qn_matched *out_matched) {
  *out_matched = (qn_matched){0};
  if (root->result_count != 1) return false;
  return match_value(rule, 0, &root->results[0], out_matched);
}

/* The matched ops and their constants that only the root had a use for. */
static void erase_unused(qn_rewriter *rw, qn_matched *m, const qn_graph_rule *rule) {
  for (uint32_t i = 1; i < QN_MATCH_ROWS; i++) {
    qn_op *op = m->op[i];
    bool own = op && (!(rule->rows[i].flags & QN_ANY_VALUE) || (rule->rows[i].flags & QN_LITERAL));
    if (!own || !qn_op_is_dead(op)) continue;
    for (uint32_t k = i; k < QN_MATCH_ROWS; k++)
      if (m->op[k] == op) m->op[k] = NULL; /* two rows may be one op */
    qn_rewriter_erase(rw, op);
  }
}

bool qn_graph_rule_apply(qn_rewriter *rw, qn_op *op) {
  const qn_graph_rule *rule = rw->pattern->data;
  qn_matched m;
  if (!qn_match(rule, op, &m)) return false;
  qn_value *with = rule->rewrite(rw, &m);
  if (!with) return false;
  if (with != &op->results[0]) qn_rewriter_replace(rw, op, &with);
  erase_unused(rw, &m, rule);
  return true;
}

qn_status qn_graph_rules_run(qn_pass_context *pc, const qn_pattern *patterns, uint32_t count) {
  return qn_rewrite_greedily(pc, pc->root, patterns, count, &(qn_rewrite_options){0});
}
