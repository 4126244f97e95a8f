/* Applies rules to models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/call.h"
#include "api/rules/rules.h"
#include "ir/walk.h"
#include "rules/rewrite/explain.h"

static qn_rewrite_options options_of(const qn_rewrite_options *options) {
  qn_rewrite_options all = QN_REWRITE_OPTIONS_INIT;
  if (options) memcpy(&all, options, options->size < sizeof all ? options->size : sizeof all);
  return all;
}

/* The data of a run in addition to the module. */
typedef struct job {
  const qn_rules *rules;
  qn_model *model;
  qn_arena arena;
  qn_text log;
  qn_rule_run_options options;
  qn_rule_run run;
} job;

static qn_status begin(job *j, const qn_rules *rules, qn_model *model,
                       const qn_rewrite_options *options) {
  qn_rewrite_options all = options_of(options);
  qn_diag_engine *diag = &model->context->ir.diag;
  QN_TRY(qn_model_check(model));
  QN_TRY(qn_rules_check_there(rules));
  if (model->stage != QN_STAGE_MODEL)
    return qn_error(diag, diag->unknown, QN_INVALID,
                    "rules rewrite models at the model stage only");
  *j = (job){.rules = rules, .model = model};
  qn_arena_init(&j->arena);
  j->options = (qn_rule_run_options){.limit = all.limit,
                                     .first = all.first,
                                     .last = all.last,
                                     .validate = all.validate != 0,
                                     .only_bits = all.only_bits != 0,
                                     .only = qn_str_of(all.only),
                                     .log = all.log ? &j->log : NULL,
                                     .registry = &model->context->registry};
  qn_status status =
      qn_rule_settings_parse(&model->context->ir, rules->set.options.names, qn_str_of(all.settings),
                             &j->arena, &j->options.settings);
  if (status == QN_OK)
    qn_rule_run_init(&j->run, model->module, &rules->set, &j->options);
  else
    qn_arena_deinit(&j->arena);
  return status;
}

static void end(job *j) {
  qn_rule_run_deinit(&j->run);
  qn_text_deinit(&j->log);
  qn_arena_deinit(&j->arena);
}

/* ---- apply ---- */

static json_t *json_of(qn_str text) { return json_stringn(text.data ? text.data : "", text.size); }

static void add_problem(qn_json *pool, json_t *row, const qn_rule_state *s) {
  (void)pool;
  if (s->missing) qn_json_set(row, "missing_op", json_string(s->missing));
  if (s->unevaluated.size > 0) {
    qn_json_set(row, "unevaluated_why", json_of(s->unevaluated));
    qn_json_set(row, "unevaluated_where", json_of(s->unevaluated_at));
  }
  if (!s->code) return;
  qn_json_set(row, "undone_code", json_string(s->code));
  qn_json_set(row, "undone_why", json_of(s->why));
  qn_json_set(row, "undone_where", json_of(s->where));
}

static json_t *row_of(qn_json *pool, const qn_rule_state *s) {
  const qn_rule_counts *c = &s->counts;
  json_t *row = qn_json_keep(
      pool, json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:b, s:f}", "exact",
                      qn_rule_exactness_names[s->rule->exact], "ending",
                      qn_rule_ending_names[s->ending], "tried", (json_int_t)c->tried, "matched",
                      (json_int_t)c->matched, "held", (json_int_t)c->held, "unevaluated",
                      (json_int_t)c->unevaluated, "applied", (json_int_t)c->applied, "undone",
                      (json_int_t)c->undone, "unchanged", (json_int_t)c->unchanged, "dear",
                      (json_int_t)c->dear, "wrong", s->disabled, "seconds", s->seconds));
  qn_json_set(row, "name", json_of(s->rule->name));
  add_problem(pool, row, s);
  return row;
}

static qn_status give_report(const job *j, char **out_json, size_t *out_size) {
  qn_json *pool = qn_json_create();
  json_t *all = qn_json_keep(pool, json_object()), *rows = qn_json_keep(pool, json_array());
  for (size_t i = 0; i < j->run.states.count; i++)
    qn_json_append(rows, json_incref(row_of(pool, &j->run.states.data[i])));
  qn_json_set(all, "rules", json_incref(rows));
  qn_json_set(all, "log", json_of(qn_text_view(&j->log)));
  qn_status status = qn_json_give(all, out_json, out_size);
  qn_json_destroy(pool);
  return status;
}

static qn_status apply(const qn_rules *rules, qn_model *model, const qn_rewrite_options *options,
                       char **out_json, size_t *out_size) {
  job j;
  QN_TRY(begin(&j, rules, model, options));
  qn_model_begin_change(model);
  qn_status status = qn_rule_run_all(&j.run);
  model->changing = false;
  if (status == QN_OK && out_json) status = give_report(&j, out_json, out_size);
  end(&j);
  return status;
}

qn_status qn_rules_apply(const qn_rules *rules, qn_model *model, const qn_rewrite_options *options,
                         char **out_json, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, &model->ring,
          apply(rules, model, options, out_json, out_size));
  if (model->changing) qn_model_lose(model);
  return status;
}

/* ---- replay ---- */

static qn_status replay(const qn_rules *rules, qn_model *model, const qn_rewrite_options *options,
                        const char *log) {
  job j;
  uint32_t line;
  qn_str why;
  qn_diag_engine *diag = &model->context->ir.diag;
  QN_TRY(begin(&j, rules, model, options));
  qn_model_begin_change(model);
  bool good = qn_rule_run_replay(&j.run, qn_str_of(log), &line, &why);
  model->changing = false;
  qn_status status = QN_OK;
  if (!good)
    status = qn_error(diag, qn_loc_file(diag, qn_str_of("log"), line, 1), QN_INVALID, "%.*s",
                      QN_STR_ARG(why));
  end(&j);
  return status;
}

qn_status qn_rules_replay(const qn_rules *rules, qn_model *model, const qn_rewrite_options *options,
                          const char *log) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, &model->ring,
          replay(rules, model, options, log));
  if (model->changing) qn_model_lose(model);
  return status;
}

/* ---- explain ---- */

typedef struct asked {
  job *j;
  qn_rule_state *state;
  const char *node; /* the op to explain, by index or location; NULL: all */
  uint32_t number;  /* index of the next op */
  bool found;
  QN_ARRAY(struct told {
    qn_rule_explanation e;
    qn_str where;
    uint32_t number;
  })
  told;
} asked;

static bool is_node(const asked *a, qn_str where) {
  char number[16];
  snprintf(number, sizeof number, "%u", a->number);
  if (!a->node) return true;
  return strcmp(a->node, number) == 0 ||
         (strspn(a->node, "0123456789") != strlen(a->node) && strstr(where.data, a->node));
}

static bool visit(qn_op *op, void *user) {
  asked *a = user;
  bool counted = op->block && op->result_count > 0 && !qn_op_has(op, QN_CONSTANT) &&
                 op->results[0].type->kind == QN_TYPE_TENSOR;
  if (!counted) return true;
  qn_str where = qn_rule_place(&a->j->run, op);
  bool right = is_node(a, where);
  uint32_t number = a->number++;
  if (!right) return true;
  a->found = true;
  if (!a->node && !qn_rule_has_root(a->state->expanded, op->kind)) return true;
  struct told t = {.where = where, .number = number};
  qn_rule_explain(&a->j->run, a->state, op, &t.e);
  qn_array_push(&a->told, t);
  return true;
}

static void put_told(const struct told *t, qn_text *out) {
  static const char *const words[] = {[QN_RULE_NO_MATCH] = "the pattern does not match",
                                      [QN_RULE_NOT_HELD] = "the constraint is false",
                                      [QN_RULE_OWN_RESULT] = "not again",
                                      [QN_RULE_NOT_ASKED] = "fires",
                                      [QN_RULE_NO_CHANGE] = "no change",
                                      [QN_RULE_TOO_DEAR] = "not cheaper",
                                      [QN_RULE_UNDONE] = "does not fit",
                                      [QN_RULE_APPLIED] = "fires"};
  qn_text_format(out, "node %u, %.*s: %s\n", t->number, QN_STR_ARG(t->where), words[t->e.outcome]);
  for (const char *at = t->e.text.data; at && *at;) {
    size_t size = strcspn(at, "\n");
    qn_text_format(out, "  %.*s\n", (int)size, at);
    at += size + (at[size] == '\n');
  }
}

/* Writes the explanations of the ops at which the rule gets furthest. */
static void put_best(asked *a, qn_text *out) {
  enum { BEST = 5 };
  size_t total = a->told.count;
  qn_text_format(out, "%.*s: %zu nodes have its root op\n", QN_STR_ARG(a->state->rule->name),
                 total);
  for (size_t k = 0; k < BEST && k < total; k++) {
    size_t best = k;
    for (size_t i = k + 1; i < total; i++)
      if (a->told.data[i].e.score > a->told.data[best].e.score) best = i;
    struct told t = a->told.data[best];
    a->told.data[best] = a->told.data[k];
    a->told.data[k] = t;
    put_told(&t, out);
  }
}

static qn_status give_told(asked *a, const char *rule, char **out_text, size_t *out_size) {
  qn_text text = {0};
  qn_diag_engine *diag = &a->j->model->context->ir.diag;
  qn_status status = QN_OK;
  if (!a->node)
    put_best(a, &text);
  else
    for (size_t i = 0; i < a->told.count; i++) put_told(&a->told.data[i], &text);
  if (a->node && a->told.count == 0)
    status = qn_error(diag, diag->unknown, QN_NOT_FOUND,
                      "there is no node '%s' to explain rule '%s' at", a->node, rule);
  if (status == QN_OK) status = qn_give_text(text.data, text.size, out_text, out_size);
  for (size_t i = 0; i < a->told.count; i++) qn_text_deinit(&a->told.data[i].e.text);
  qn_array_free(&a->told);
  qn_text_deinit(&text);
  return status;
}

static qn_status explain(const qn_rules *rules, qn_model *model, const qn_rewrite_options *options,
                         const char *rule, const char *node, char **out_text, size_t *out_size) {
  job j;
  qn_diag_engine *diag = &model->context->ir.diag;
  QN_TRY(begin(&j, rules, model, options));
  asked a = {.j = &j, .node = node};
  for (size_t i = 0; i < j.run.states.count; i++)
    if (qn_str_is(j.run.states.data[i].rule->name, rule)) a.state = &j.run.states.data[i];
  qn_status status;
  if (!a.state) {
    status = qn_error(diag, diag->unknown, QN_NOT_FOUND, "there is no rule '%s'", rule);
  } else if (a.state->missing) {
    qn_text text = {0};
    qn_text_format(&text, "%s: can't fire, this build has no op \"%s\"\n", rule, a.state->missing);
    status = qn_give_text(text.data, text.size, out_text, out_size);
    qn_text_deinit(&text);
  } else {
    (void)qn_walk_pre(model->module->op, visit, &a);
    status = give_told(&a, rule, out_text, out_size);
  }
  end(&j);
  return status;
}

qn_status qn_rules_explain(const qn_rules *rules, qn_model *model,
                           const qn_rewrite_options *options, const char *rule, const char *node,
                           char **out_text, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, &model->ring,
          explain(rules, model, options, rule, node, out_text, out_size));
  return status;
}
