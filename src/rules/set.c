/* Sets of rules: files are added one at a time and then checked together.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/rules.h"

#include "base/map.h"
#include "rules/check/arity.h"
#include "rules/check/overlap.h"
#include "rules/syntax/parser.h"

void qn_rule_set_init(qn_rule_set *set, qn_diag_engine *diag, const qn_rule_options *options) {
  *set = (qn_rule_set){.diag = diag, .options = *options};
  qn_arena_init(&set->arena);
  if (!set->options.names) set->options.names = &qn_rule_default_names;
}

void qn_rule_set_deinit(qn_rule_set *set) {
  qn_array_free(&set->files);
  qn_array_free(&set->rules);
  qn_arena_deinit(&set->arena);
}

static bool is_pure(qn_str path) {
  static const char suffix[] = ".rr";
  size_t size = sizeof suffix - 1;
  if (qn_str_is(path, "-")) return true;
  return path.size > size && memcmp(path.data + path.size - size, suffix, size) == 0;
}

typedef struct addition {
  qn_rule_set *set;
  qn_rule_reporter reporter;
} addition;

static void add_rule(void *user, qn_rule *rule) {
  addition *a = user;
  qn_rule_check(a->set, &a->reporter, rule->file, rule);
  if (rule->good) qn_array_push(&a->set->rules, rule);
}

qn_status qn_rule_set_add(qn_rule_set *set, qn_str path, qn_str source,
                          const qn_rule_file **out_file) {
  addition a = {.set = set};
  qn_rule_file *file = QN_NEW(&set->arena, qn_rule_file);
  file->path = qn_arena_str(&set->arena, path);
  file->source = source;
  file->pure = is_pure(path);
  qn_rule_reporter_init(&a.reporter, set->diag, &set->arena, file->path);
  const qn_rule_reading reading = {.strict = set->options.strict, .on_rule = add_rule, .user = &a};
  qn_status status = qn_rule_file_read(&set->arena, &a.reporter, &reading, file);
  qn_rule_finish(&a.reporter);
  file->errors = a.reporter.errors;
  qn_array_push(&set->files, file);
  *out_file = file;
  if (status != QN_OK) return status;
  return file->errors > 0 ? QN_INVALID : QN_OK;
}

/* ---- checks that need all files ---- */

typedef struct op_use {
  bool known;   /* this build has it, or a file declares it */
  bool ours;    /* this build has it, so that its number of operands is known */
  bool built;   /* a rule builds it */
  bool matched; /* a rule matches it */
  bool reported;
  int64_t last_match; /* number of the last pass with a rule that matches it */
} op_use;

typedef struct census {
  qn_rule_set *set;
  qn_str_map ops, names;
  qn_rule_reporter reporter;
  const qn_rule *rule;
} census;

static op_use *use_of(census *s, qn_str name) {
  void **slot = qn_str_map_at(&s->ops, name);
  if (!*slot) *slot = QN_NEW(&s->set->arena, op_use);
  return *slot;
}

/* Calls `visit` for each node that names an op. */
static void each_op(census *s, const qn_rule_node *node,
                    void (*visit)(census *s, const qn_rule_node *node, qn_str name)) {
  qn_str name = node->kind == QN_RULE_CALL ? qn_rule_op_name(node) : (qn_str){NULL, 0};
  if (name.size > 0) visit(s, node, name);
  for (uint32_t i = 0; i < node->arg_count; i++) each_op(s, node->args[i], visit);
}

static void count_match(census *s, const qn_rule_node *node, qn_str name) {
  (void)node;
  op_use *use = use_of(s, name);
  if (!use->matched || use->last_match < s->rule->pass) use->last_match = s->rule->pass;
  use->matched = true;
}

static void count_build(census *s, const qn_rule_node *node, qn_str name) {
  (void)node;
  use_of(s, name)->built = true;
}

static void guess_op(census *s, qn_str name) {
  qn_rule_guess guess = qn_rule_guess_begin(name);
  for (const qn_rule_word *op = s->set->options.names->ops; op && op->name; op++)
    qn_rule_guess_offer(&guess, qn_str_of(op->name));
  qn_rule_guess_help(&s->reporter, &guess, "\"", "\"");
}

/* Reports an op whose number of operands fits no form of its name. */
static void judge_operands(census *s, const qn_rule_node *node, qn_str name) {
  bool op =
      node->function && (qn_rule_is(node, QN_RULE_FN_Op) || qn_rule_is(node, QN_RULE_FN_OpVarIn));
  if (!op || !use_of(s, name)->ours) return;
  uint32_t given = node->arg_count - 1;
  bool more = qn_rule_is(node, QN_RULE_FN_OpVarIn);
  const char *operands = qn_rule_operands_of(name, given, more);
  if (!operands) return;
  qn_rule_error(&s->reporter, "RR0709", node->pos, "no op \"%.*s\" has %u operand%s%s",
                QN_STR_ARG(name), given, given == 1 ? "" : "s", more ? " or more" : "");
  qn_rule_note_anywhere(&s->reporter, "its operands are: %.*s", (int)strcspn(operands, ":"),
                        operands);
}

/* Warns of an op in a pattern that neither this build nor any rule makes. Reported once per
 * name. */
static void judge_match(census *s, const qn_rule_node *node, qn_str name) {
  op_use *use = use_of(s, name);
  if (use->known || use->built || use->reported) return;
  use->reported = true;
  qn_rule_warning(&s->reporter, "W0806", node->pos,
                  "no model and no rule has an op \"%.*s\": this can never match",
                  QN_STR_ARG(name));
  guess_op(s, name);
}

/* Reports an op in a replacement that nothing implements and no rule of a later pass matches. */
static void judge_build(census *s, const qn_rule_node *node, qn_str name) {
  op_use *use = use_of(s, name);
  if (use->known || (use->matched && use->last_match > s->rule->pass) || use->reported) return;
  use->reported = true;
  qn_rule_error(&s->reporter, "RR0705", node->pos,
                "nothing implements op \"%.*s\", and no rule of a later pass matches it",
                QN_STR_ARG(name));
  guess_op(s, name);
}

static void judge_name(census *s) {
  void **slot = qn_str_map_at(&s->names, s->rule->name);
  const qn_rule *other = *slot;
  if (other) {
    qn_rule_error(&s->reporter, "RR0708", s->rule->pos, "a rule is named '%.*s' already",
                  QN_STR_ARG(s->rule->name));
    if (other->file == s->rule->file)
      qn_rule_note(&s->reporter, other->pos, "it is here");
    else
      qn_rule_note_anywhere(&s->reporter, "it is in %.*s", QN_STR_ARG(other->file->path));
  }
  *slot = (void *)(uintptr_t)s->rule;
}

static void count_known(census *s) {
  for (const qn_rule_word *op = s->set->options.names->ops; op && op->name; op++)
    *use_of(s, qn_str_of(op->name)) = (op_use){.known = true, .ours = true};
  for (size_t i = 0; i < s->set->files.count; i++) {
    const qn_rule_file *file = s->set->files.data[i];
    for (uint32_t k = 0; k < file->item_count; k++)
      if (file->items[k].decl) *use_of(s, file->items[k].decl->op) = (op_use){.known = true};
  }
}

static void judge_rule(census *s, const qn_rule *rule) {
  s->rule = rule;
  qn_rule_reporter_init(&s->reporter, s->set->diag, &s->set->arena, rule->file->path);
  judge_name(s);
  each_op(s, rule->match, judge_match);
  each_op(s, rule->match, judge_operands);
  each_op(s, rule->replacement, judge_build);
  qn_rule_flush(&s->reporter);
}

/* Checks all pairs of rules, and cycles. The number of rules is limited because the time is
 * quadratic. */
static void judge_pairs(census *s) {
  enum { MOST_RULES = 4096 };
  qn_rule_set *set = s->set;
  for (size_t i = 1; i < set->rules.count && i < MOST_RULES; i++) {
    const qn_rule *rule = set->rules.data[i];
    qn_rule_reporter_init(&s->reporter, set->diag, &set->arena, rule->file->path);
    for (size_t k = 0; k < i; k++)
      qn_rule_check_pair(&s->reporter, set->rules.data[k], rule, set->options.lint);
    qn_rule_flush(&s->reporter);
  }
  if (set->rules.count <= MOST_RULES) qn_rule_check_circles(set, &s->reporter);
}

qn_status qn_rule_set_check(qn_rule_set *set) {
  census s = {.set = set};
  uint32_t before = set->diag->errors;
  count_known(&s);
  for (size_t i = 0; i < set->rules.count; i++) {
    s.rule = set->rules.data[i];
    each_op(&s, s.rule->match, count_match);
    each_op(&s, s.rule->replacement, count_build);
  }
  for (size_t i = 0; i < set->rules.count; i++) judge_rule(&s, set->rules.data[i]);
  judge_pairs(&s);
  qn_str_map_deinit(&s.ops);
  qn_str_map_deinit(&s.names);
  return set->diag->errors > before ? QN_INVALID : QN_OK;
}
