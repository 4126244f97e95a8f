/* Checks of a whole rule in order: its pass, match, constraint and replacement, then warnings about
 * what is legal but most likely wrong.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/check/check.h"

#include "rules/passes.h"
#include "rules/prove/prove.h"

static void check_pass(qn_rule_checker *c) {
  qn_rule *rule = c->rule;
  const qn_rule_pass *pass = qn_rule_pass_find(rule->pass_name);
  if (!pass) {
    qn_text list = {0};
    qn_rule_guess guess = qn_rule_guess_begin(rule->pass_name);
    for (const qn_rule_pass *p = qn_rule_passes; p->name; p++) {
      if (p->summary[0]) qn_text_format(&list, " %s", p->name);
      qn_rule_guess_offer(&guess, qn_str_of(p->name));
    }
    qn_rule_error(c->reporter, "RR0701", rule->pass_pos, "unknown pass group '%.*s'",
                  QN_STR_ARG(rule->pass_name));
    qn_rule_note_anywhere(c->reporter, "groups:%s", list.data);
    qn_rule_guess_help(c->reporter, &guess, "", "");
    qn_text_deinit(&list);
    return;
  }
  rule->pass = pass->number + (int64_t)rule->pass_offset;
  const qn_rule_pass *next = qn_rule_pass_above(pass->number);
  if (next && rule->pass >= next->number)
    qn_rule_warning(c->reporter, "W0811", rule->offset_pos,
                    "%s + %llu is %lld, which reaches %s (%lld)", pass->name,
                    (unsigned long long)rule->pass_offset, (long long)rule->pass, next->name,
                    (long long)next->number);
}

static void check_constraint(qn_rule_checker *c) {
  qn_rule_node *constraint = c->rule->constraint;
  const qn_rule_function *function =
      constraint->kind == QN_RULE_CALL ? qn_rule_function_find(constraint->text) : NULL;
  if (function && !(function->sorts & QN_RULE_SORT_SCALAR)) {
    qn_rule_error(c->reporter, "RR0401", constraint->pos,
                  "the constraint must be bool, this is no value");
    qn_rule_help(c->reporter, "write OK for \"no constraint\"");
    return;
  }
  qn_rule_type type = qn_rule_check_scalar(c, constraint);
  if (type == QN_RULE_BOOL || type == QN_RULE_POISON) return;
  qn_rule_error(c->reporter, "RR0401", constraint->pos, "the constraint must be bool, this is %s",
                qn_rule_type_names[type]);
  if (qn_rule_is_number(type))
    qn_rule_help(c->reporter, "NE(%s, 0)", qn_rule_source(c, constraint));
}

void qn_rule_check(qn_rule_set *set, qn_rule_reporter *reporter, const qn_rule_file *file,
                   qn_rule *rule) {
  uint32_t before = reporter->errors;
  qn_rule_tag tags[QN_RULE_MAX_TAGS];
  qn_rule_checker checker = {
      .set = set, .reporter = reporter, .file = file, .rule = rule, .tags = tags};
  check_pass(&checker);
  uint32_t before_match = reporter->errors;
  qn_rule_check_match(&checker);
  checker.tags_missing = reporter->errors != before_match;
  check_constraint(&checker);
  qn_rule_check_replacement(&checker);
  QN_ASSERT(checker.tag_count <= QN_RULE_MAX_TAGS && checker.split_count <= QN_RULE_MAX_SPLITS);
  rule->tags = qn_arena_copy(&set->arena, tags, checker.tag_count * sizeof *tags);
  rule->tag_count = checker.tag_count;
  checker.tags = rule->tags;
  if (reporter->errors == before) qn_rule_check_pieces(&checker);
  if (reporter->errors == before) qn_rule_prove(&checker);
  rule->good = reporter->errors == before;
  if (rule->good) qn_rule_lint(&checker);
}
