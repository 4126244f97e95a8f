/* quern rules coverage, explain, why-not and replay: apply rules to models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/document.h"
#include "cli/formats.h"
#include "cli/rules.h"
#include "cli/table.h"

/* ---- files ---- */

static cli_exit fail_without_model(cli *c) {
  char files[128];
  cli_model_files(files, sizeof files);
  return cli_fail(c, CLI_USAGE, "a model is missing: %s", files);
}

cli_exit cli_rules_add(rules_job *job, int first) {
  const cli_options *o = &job->c->options;
  cli_exit worst = CLI_OK;
  for (int i = first; i < o->more_count; i++) {
    if (cli_is_model(o->more[i])) continue;
    cli_exit code = cli_exit_of(qn_rules_add_file(job->rules, o->more[i]));
    if (code > worst) worst = code;
  }
  return worst == CLI_OK ? cli_exit_of(qn_rules_check(job->rules)) : worst;
}

static cli_exit load(rules_job *job, const char *path, qn_model **out_model) {
  qn_load_options options = cli_load_options(job->c);
  return cli_exit_of(qn_model_load(job->c->context, path, &options, out_model));
}

/* The only model among the arguments. */
cli_exit cli_rules_load_one(rules_job *job, int first, qn_model **out_model) {
  const cli_options *o = &job->c->options;
  const char *found = NULL;
  for (int i = first; i < o->more_count; i++) {
    if (!cli_is_model(o->more[i])) continue;
    if (found)
      return cli_fail(job->c, CLI_USAGE, "one model at a time: %s or %s", found, o->more[i]);
    found = o->more[i];
  }
  if (!found) return fail_without_model(job->c);
  return load(job, found, out_model);
}

qn_rewrite_options cli_rules_options(const rules_job *job) {
  qn_rewrite_options options = QN_REWRITE_OPTIONS_INIT;
  options.settings = job->c->options.rule_settings;
  options.validate = job->c->options.validate;
  options.only_bits = job->c->options.bit_rules;
  return options;
}

/* ---- coverage ---- */

static const char *const counted[] = {"tried",   "matched", "held",      "unevaluated",
                                      "applied", "undone",  "unchanged", "dear"};

/* Adds the counts of a model to those of the models before. */
static void merge(json_t *total, const json_t *row) {
  for (size_t i = 0; i < CLI_COUNT(counted); i++) {
    json_int_t sum = json_integer_value(json_object_get(total, counted[i]));
    sum += json_integer_value(json_object_get(row, counted[i]));
    json_object_set_new(total, counted[i], json_integer(sum));
  }
  double seconds = json_real_value(json_object_get(total, "seconds"));
  json_object_set_new(total, "seconds",
                      json_real(seconds + json_real_value(json_object_get(row, "seconds"))));
  if (json_is_true(json_object_get(row, "wrong"))) json_object_set_new(total, "wrong", json_true());
}

static cli_exit cover(rules_job *job, const char *path, json_t *totals) {
  qn_rewrite_options options = cli_rules_options(job);
  qn_model *model;
  char *text;
  size_t size, i;
  cli_exit code = load(job, path, &model);
  if (code != CLI_OK) return code;
  code = cli_exit_of(qn_rules_apply(job->rules, model, &options, &text, &size));
  qn_model_destroy(model);
  if (code != CLI_OK) return code;
  json_t *report = json_loadb(text, size, 0, NULL), *rows = json_object_get(report, "rules"), *row;
  json_array_foreach(rows, i, row) {
    json_t *total = json_array_get(totals, i);
    if (total)
      merge(total, row);
    else
      json_array_append(totals, row);
  }
  json_decref(report);
  qn_free(text);
  return CLI_OK;
}

static const char *verdict(const json_t *row) {
  static char text[160];
  const char *missing = json_string_value(json_object_get(row, "missing_op"));
  if (missing) {
    snprintf(text, sizeof text, "can't fire: no op \"%s\" in this build", missing);
    return text;
  }
  if (json_is_true(json_object_get(row, "wrong"))) return "wrong, see the warning";
  if (json_integer_value(json_object_get(row, "applied")) > 0) return "";
  if (json_integer_value(json_object_get(row, "undone")) > 0) return "never: does not fit";
  if (json_integer_value(json_object_get(row, "dear")) > 0) return "never: not cheaper";
  if (json_integer_value(json_object_get(row, "held")) > 0) return "never: nothing to change";
  if (json_integer_value(json_object_get(row, "matched")) > 0) return "never: constraint false";
  return json_integer_value(json_object_get(row, "tried")) > 0 ? "never: pattern does not match"
                                                               : "never: no such node";
}

static void print_table(const rules_job *job, const json_t *totals) {
  static const cli_column columns[] = {{"rule", 'l'},    {"exact", 'l'},   {"ending", 'l'},
                                       {"nodes", 'r'},   {"matched", 'r'}, {"held", 'r'},
                                       {"applied", 'r'}, {"undone", 'r'},  {"fires", 'l'}};
  static const char *const keys[] = {"tried", "matched", "held", "applied", "undone"};
  cli_table table;
  size_t i;
  json_t *row;
  CLI_TABLE_BEGIN(&table, columns);
  json_array_foreach((json_t *)(uintptr_t)totals, i, row) {
    cli_table_cell(&table, "%s", json_string_value(json_object_get(row, "name")));
    cli_table_cell(&table, "%s", json_string_value(json_object_get(row, "exact")));
    cli_table_cell(&table, "%s", json_string_value(json_object_get(row, "ending")));
    for (size_t k = 0; k < CLI_COUNT(keys); k++)
      cli_table_cell(&table, "%lld", (long long)json_integer_value(json_object_get(row, keys[k])));
    cli_table_cell(&table, "%s", verdict(row));
  }
  if (job->c->options.markdown)
    cli_table_end_markdown(&table, stdout);
  else
    cli_table_end(&table, stdout);
}

/* Covers the models that can be read; the others have reported why not, and decide the exit code.
 */
cli_exit cli_rules_coverage(rules_job *job) {
  const cli_options *o = &job->c->options;
  json_t *totals = json_array();
  cli_exit rules = cli_rules_add(job, 0), worst = CLI_OK;
  int models = 0, covered = 0;
  for (int i = 0; i < o->more_count && rules == CLI_OK; i++) {
    if (!cli_is_model(o->more[i])) continue;
    cli_exit code = cover(job, o->more[i], totals);
    if (code > worst) worst = code;
    covered += code == CLI_OK;
    models++;
  }
  if (rules == CLI_OK && models == 0) rules = fail_without_model(job->c);
  if (covered > 0 && o->json) {
    cli_exit printed =
        cli_print_document(job->c, json_pack("{s:O}", "rules", totals), JSON_INDENT(1));
    if (printed > worst) worst = printed;
  } else if (covered > 0) {
    print_table(job, totals);
  }
  json_decref(totals);
  return rules > worst ? rules : worst;
}

/* ---- one rule at one node ---- */

static cli_exit explain(rules_job *job, const char *rule, const char *node) {
  qn_rewrite_options options = cli_rules_options(job);
  qn_model *model;
  char *text;
  size_t size;
  cli_exit code = cli_rules_add(job, 1);
  if (code == CLI_OK) code = cli_rules_load_one(job, 1, &model);
  if (code != CLI_OK) return code;
  code = cli_exit_of(qn_rules_explain(job->rules, model, &options, rule, node, &text, &size));
  qn_model_destroy(model);
  if (code != CLI_OK) return code;
  fwrite(text, 1, size, stdout);
  qn_free(text);
  return CLI_OK;
}

cli_exit cli_rules_explain(rules_job *job) {
  char rule[256];
  const char *what = job->c->options.more[0], *at = strchr(what, '@');
  if (!at || !at[1] || (size_t)(at - what) >= sizeof rule)
    return cli_fail(job->c, CLI_USAGE, "what to explain is RULE@NODE, not '%s'", what);
  snprintf(rule, sizeof rule, "%.*s", (int)(at - what), what);
  return explain(job, rule, at + 1);
}

cli_exit cli_rules_why_not(rules_job *job) { return explain(job, job->c->options.more[0], NULL); }

/* ---- replay ---- */

cli_exit cli_rules_replay(rules_job *job) {
  qn_rewrite_options options = cli_rules_options(job);
  qn_model *model;
  char *log;
  size_t size;
  cli_exit code = cli_rules_add(job, 1);
  if (code == CLI_OK) code = cli_rules_load_one(job, 1, &model);
  if (code != CLI_OK) return code;
  code = cli_read_file(job->c, job->c->options.more[0], &log, &size);
  if (code == CLI_OK) {
    code = cli_exit_of(qn_rules_replay(job->rules, model, &options, log));
    if (code == CLI_OK) puts("every entry of the log holds");
    qn_free(log);
  }
  qn_model_destroy(model);
  return code;
}
