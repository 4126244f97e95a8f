/* Explanations why a rule does not fire at an op: each step of matching the pattern, the first
 * conjunct of the constraint that is false with the values of its operands, and the failure to
 * build the replacement.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rewrite/explain.h"

#include "rules/rewrite/external.h"

typedef struct narrator {
  qn_rule_run *run;
  const qn_rule *rule; /* as written in the file, for quotations */
  qn_rule_binding binding;
  uint32_t score;
  qn_text *out;
} narrator;

/* The source text of a part of the rule. */
static qn_str source_of(const narrator *n, const qn_rule_node *node) {
  qn_str source = n->rule->file->source;
  bool inside = node->pos.offset <= node->end && node->end <= source.size;
  return inside ? (qn_str){source.data + node->pos.offset, node->end - node->pos.offset}
                : (qn_str){"", 0};
}

static void put_source(const narrator *n, const qn_rule_node *node) {
  enum { LONGEST = 90 };
  qn_str text = source_of(n, node);
  bool space = false;
  for (size_t i = 0; i < text.size && i < LONGEST; i++) {
    bool blank = text.data[i] == ' ' || text.data[i] == '\n' || text.data[i] == '\t';
    if (!blank || !space) qn_text_putc(n->out, blank ? ' ' : text.data[i]);
    space = blank;
  }
  if (text.size > LONGEST) qn_text_puts(n->out, "...");
}

/* ---- operands as text ---- */

static void put_operand(const narrator *n, qn_rule_operand operand) {
  const qn_rule_gnode *node = qn_rule_gnode_of(operand);
  const qn_rule_view *v = &n->run->view;
  const qn_rule_definition *d = v->definition(v->graph, operand);
  static const char *const words[] = {
      [QN_RULE_OF_SHAPE] = "a shape", [QN_RULE_OF_NUMBERS] = "a constant"};
  if (node->of != QN_RULE_OF_VALUE)
    qn_text_puts(n->out, words[node->of]);
  else if (!node->value->op)
    qn_text_format(n->out, "argument %u of the function", node->value->index);
  else if (node->form)
    qn_text_format(n->out, "a %s", node->form->name);
  else
    qn_text_format(n->out, "%.*s", QN_STR_ARG(node->value->op->name));
  qn_text_puts(n->out, ", ");
  for (uint32_t i = 0; i < d->rank; i++)
    qn_text_format(n->out, "%s%lld", i ? "x" : "", (long long)d->sizes[i]);
  if (node->of == QN_RULE_OF_VALUE) qn_text_format(n->out, " %s", qn_rule_dtypes[d->dtype]);
  if (d->quantized && d->channels > 1) qn_text_format(n->out, ", %u steps", d->channels);
  if (d->quantized && d->channels == 1)
    qn_text_format(n->out, ", step %.9g, zero offset %d", (double)d->steps[0], d->zero_offsets[0]);
}

static void put_names(const narrator *n, const qn_op *op) {
  bool any = false;
  const qn_rule_form *named = qn_map_get(&n->run->graph.names, op);
  if (named) qn_text_format(n->out, " \"%s\", which a rule called it", named->name);
  for (const qn_rule_form *form = qn_rule_forms; form->name && !named; form++) {
    if (form->kind != op->kind || !qn_rule_form_fits(&n->run->graph, form, op)) continue;
    qn_text_format(n->out, "%s\"%s\"", any ? ", " : " ", form->name);
    any = true;
  }
  if (!any && !named) qn_text_format(n->out, " %.*s, which has no name here", QN_STR_ARG(op->name));
}

/* ---- patterns ---- */

static bool walk(narrator *n, const qn_rule_node *pattern, qn_rule_operand operand);

static bool stop(const narrator *n, const qn_rule_node *pattern) {
  qn_text_format(n->out, " (line %u, column %u)\n", pattern->pos.line, pattern->pos.column);
  return false;
}

static bool walk_tag(narrator *n, const qn_rule_node *pattern, qn_rule_operand operand) {
  qn_rule_binding *b = &n->binding;
  if (b->bound[pattern->tag] && !qn_rule_same_operand(b->tags[pattern->tag], operand)) {
    qn_text_format(n->out,
                   "\"%.*s\" would have to be two different operands: ", QN_STR_ARG(pattern->text));
    put_operand(n, b->tags[pattern->tag]);
    qn_text_puts(n->out, "; and ");
    put_operand(n, operand);
    return stop(n, pattern);
  }
  b->bound[pattern->tag] = true;
  b->tags[pattern->tag] = operand;
  return true;
}

static bool walk_op(narrator *n, const qn_rule_node *pattern, qn_rule_operand operand) {
  const qn_rule_view *v = &n->run->view;
  qn_str name = qn_rule_op_name(pattern);
  void *node = qn_rule_as(v, operand, name);
  const qn_value *value = qn_rule_value_of(operand);
  if (!node) {
    qn_text_format(n->out, "it needs \"%.*s\" and finds", QN_STR_ARG(name));
    if (value && value->op)
      put_names(n, value->op);
    else {
      qn_text_putc(n->out, ' ');
      put_operand(n, operand);
    }
    return stop(n, pattern);
  }
  uint32_t wanted = pattern->arg_count - 1, count = v->input_count(v->graph, node);
  bool more = qn_rule_is(pattern, QN_RULE_FN_OpVarIn);
  if (more ? count < wanted : count != wanted) {
    qn_text_format(n->out, "it needs %u operands of \"%.*s\" and finds %u", wanted,
                   QN_STR_ARG(name), count);
    return stop(n, pattern);
  }
  n->score += 4;
  for (uint32_t i = 0; i < wanted; i++)
    if (!walk(n, pattern->args[i + 1], v->input(v->graph, node, i))) return false;
  return true;
}

static bool walk(narrator *n, const qn_rule_node *pattern, qn_rule_operand operand) {
  if (pattern->kind == QN_RULE_STRING) return walk_tag(n, pattern, operand);
  if (qn_rule_is(pattern, QN_RULE_FN_EITHER)) return walk(n, pattern->args[0], operand);
  if (qn_rule_is(pattern, QN_RULE_FN_LET))
    return walk(n, pattern->args[1], operand) && walk_tag(n, pattern->args[0], operand);
  return walk_op(n, pattern, operand);
}

/* ---- constraints ---- */

static void put_value(narrator *n, const qn_rule_node *node) {
  qn_rule_value value;
  if (qn_rule_evaluate(&n->run->staging.evaluation, node, &value))
    qn_rule_value_print(value, n->out);
  else
    qn_text_format(n->out, "nothing: %s", n->run->staging.evaluation.failure);
}

/* Describes each operand that a part of the rule mentions, once. */
static void put_operands(narrator *n, const qn_rule_node *node, uint64_t *seen) {
  bool tag =
      node->kind == QN_RULE_STRING && (node->tag == QN_RULE_ROOT || node->tag < n->rule->tag_count);
  uint64_t bit = tag ? (uint64_t)1 << (node->tag == QN_RULE_ROOT ? 63 : node->tag % 63) : 0;
  if (tag && !(*seen & bit)) {
    qn_text_format(n->out, "    \"%.*s\" is ", QN_STR_ARG(node->text));
    put_operand(n, node->tag == QN_RULE_ROOT ? n->binding.root : n->binding.tags[node->tag]);
    qn_text_putc(n->out, '\n');
  }
  *seen |= bit;
  for (uint32_t i = 0; i < node->arg_count; i++) put_operands(n, node->args[i], seen);
}

static bool is_comparison(const qn_rule_node *node) {
  static const qn_rule_function_id ids[] = {QN_RULE_FN_EQ, QN_RULE_FN_NE, QN_RULE_FN_LT,
                                            QN_RULE_FN_GT, QN_RULE_FN_LE, QN_RULE_FN_GE};
  for (size_t i = 0; node->function && i < QN_COUNT(ids); i++)
    if (qn_rule_is(node, ids[i])) return true;
  return false;
}

/* Writes the first conjunct that does not hold, with its values. `written` is the node as in the
 * file, `node` the same with macros expanded. */
static void blame(narrator *n, const qn_rule_node *written, const qn_rule_node *node) {
  uint64_t seen = 0;
  qn_rule_value value;
  bool both = written->arg_count == node->arg_count && written->function == node->function;
  for (uint32_t i = 0; both && qn_rule_is(node, QN_RULE_FN_AND) && i < node->arg_count; i++) {
    bool good =
        qn_rule_evaluate(&n->run->staging.evaluation, node->args[i], &value) && value.integer;
    n->score += good;
    if (good) continue;
    blame(n, written->args[i], node->args[i]);
    return;
  }
  qn_text_puts(n->out, "  ");
  put_source(n, written);
  bool evaluated = qn_rule_evaluate(&n->run->staging.evaluation, node, &value);
  if (evaluated)
    qn_text_puts(n->out, " is false");
  else
    qn_text_format(n->out, " can't be evaluated: %s", n->run->staging.evaluation.failure);
  if (evaluated && both && is_comparison(node)) {
    qn_text_puts(n->out, ": ");
    put_value(n, node->args[0]);
    qn_text_puts(n->out, " and ");
    put_value(n, node->args[1]);
  }
  qn_text_putc(n->out, '\n');
  put_operands(n, written, &seen);
}

/* ---- the whole explanation ---- */

static void tell(narrator *n, const qn_rule_explanation *e, const qn_rule_state *state) {
  static const char *const words[] = {[QN_RULE_NO_CHANGE] = "it would build what is there",
                                      [QN_RULE_OWN_RESULT] = "it has built this op itself",
                                      [QN_RULE_NOT_ASKED] = "it fires here",
                                      [QN_RULE_TOO_DEAR] = "it would not be cheaper"};
  if (e->outcome == QN_RULE_UNDONE)
    qn_text_format(n->out, "the replacement does not fit, %s: %.*s\n", state->code,
                   QN_STR_ARG(state->why));
  else if (words[e->outcome])
    qn_text_format(n->out, "%s\n", words[e->outcome]);
  if (e->outcome > QN_RULE_NOT_HELD) qn_text_put(n->out, qn_text_view(&n->run->prices));
}

void qn_rule_explain(qn_rule_run *run, qn_rule_state *state, qn_op *op,
                     qn_rule_explanation *out_explanation) {
  narrator n = {.run = run, .rule = state->rule, .out = &out_explanation->text};
  qn_rule_run_options none = *run->options;
  const qn_rule_run_options *before = run->options;
  qn_value *ignored;
  *out_explanation = (qn_rule_explanation){.outcome = QN_RULE_NO_MATCH};
  none.limit = 0; /* build the replacement, but don't apply it */
  none.log = NULL;
  none.tell = true;
  run->options = &none;
  state->counts.undone = 0;
  qn_text_clear(&run->prices);
  out_explanation->outcome = qn_rule_try(run, state, op, 0, &ignored);
  run->options = before;
  n.binding.root = qn_rule_operand_of(&run->graph, &op->results[0], QN_RULE_NATURAL);
  run->staging.evaluation.binding = &n.binding;
  bool matched = walk(&n, state->expanded->match, n.binding.root);
  if (matched && out_explanation->outcome == QN_RULE_NOT_HELD) {
    n.score += 64;
    qn_text_puts(n.out, "the pattern matches; of the constraint\n");
    blame(&n, state->rule->constraint, state->expanded->constraint);
  }
  if (out_explanation->outcome > QN_RULE_NOT_HELD) n.score += 128;
  tell(&n, out_explanation, state);
  out_explanation->score = n.score;
}
