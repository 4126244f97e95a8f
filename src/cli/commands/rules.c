/* quern rules: checks, formats and lists files of rewrite rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/document.h"
#include "cli/rules.h"
#include "cli/table.h"

/* Reads all files, also after an error; returns the worst exit code. */
static cli_exit add_files(rules_job *job) {
  const cli_options *o = &job->c->options;
  cli_exit worst = CLI_OK;
  for (int i = 0; i < o->more_count; i++) {
    cli_exit code = cli_exit_of(qn_rules_add_file(job->rules, o->more[i]));
    if (code > worst) worst = code;
  }
  return worst;
}

/* ---- check ---- */

static void keep_message(void *user, const qn_message *message) {
  static const char *const words[] = {[QN_MESSAGE_ERROR] = "error",
                                      [QN_MESSAGE_WARNING] = "warning",
                                      [QN_MESSAGE_NOTE] = "note",
                                      [QN_MESSAGE_REMARK] = "remark",
                                      [QN_MESSAGE_HELP] = "help"};
  json_array_append_new(user, json_pack("{s:s, s:s, s:s, s:i, s:i, s:s}", "severity",
                                        words[message->severity], "code", message->code, "file",
                                        message->file, "line", (int)message->line, "column",
                                        (int)message->column, "text", message->text));
}

static cli_exit print_messages(const cli *c, json_t *messages) {
  return cli_print_document(c, json_pack("{s:O}", "messages", messages), JSON_INDENT(1));
}

static cli_exit print_expanded(const rules_job *job) {
  char *text;
  size_t size;
  qn_status status = qn_rules_expand(job->rules, &text, &size);
  if (status != QN_OK) return cli_exit_of(status);
  fwrite(text, 1, size, stdout);
  qn_free(text);
  return CLI_OK;
}

static cli_exit check(rules_job *job) {
  const cli_options *o = &job->c->options;
  if (o->json && o->dump_expanded)
    return cli_fail(job->c, CLI_USAGE, "--json and --dump-expanded don't go together");
  if (o->json) qn_context_set_parts_handler(job->c->context, keep_message, job->messages);
  cli_exit code = add_files(job);
  if (code == CLI_OK) code = cli_exit_of(qn_rules_check(job->rules));
  qn_context_set_parts_handler(job->c->context, NULL, NULL);
  if (o->json) {
    cli_exit printed = print_messages(job->c, job->messages);
    return printed > code ? printed : code;
  }
  if (code == CLI_OK && o->dump_expanded) return print_expanded(job);
  uint32_t count = qn_rules_count(job->rules);
  if (code == CLI_OK) printf("%u rule%s, no errors\n", count, count == 1 ? "" : "s");
  return code;
}

/* ---- format ---- */

static cli_exit put_formatted(rules_job *job, const char *path, const char *text, size_t size) {
  const cli_options *o = &job->c->options;
  if (!o->in_place && !o->dry_run) {
    fwrite(text, 1, size, stdout);
    return CLI_OK;
  }
  char *before;
  size_t before_size;
  cli_exit code = cli_read_file(job->c, path, &before, &before_size);
  if (code != CLI_OK) return code;
  bool same = before_size == size && memcmp(before, text, size) == 0;
  qn_free(before);
  if (same) return CLI_OK;
  if (o->in_place) return cli_write_file(job->c, path, text, size);
  printf("%s is not in the canonical layout\n", path);
  return CLI_MISMATCH;
}

static cli_exit format(rules_job *job) {
  const cli_options *o = &job->c->options;
  cli_exit worst = CLI_OK;
  for (int i = 0; i < o->more_count && (o->in_place || o->dry_run); i++)
    if (strcmp(o->more[i], "-") == 0)
      return cli_fail(job->c, CLI_USAGE, "standard input has no place to be compared or written");
  if (o->in_place && o->dry_run)
    return cli_fail(job->c, CLI_USAGE, "--in-place and --dry-run don't go together");
  cli_exit code = add_files(job);
  if (code != CLI_OK) return code; /* what has errors is left as it is, and so is all the rest */
  for (int i = 0; i < o->more_count; i++) {
    char *text;
    size_t size;
    qn_status status = qn_rules_format(job->rules, (uint32_t)i, &text, &size);
    if (status != QN_OK) return cli_exit_of(status);
    code = put_formatted(job, o->more[i], text, size);
    qn_free(text);
    if (code > worst) worst = code;
  }
  return worst;
}

/* ---- list ---- */

static void list_cells(cli_table *table, const json_t *rule) {
  static const char *const keys[] = {"name",         "pass_number",     "root",      "exact",
                                     "sizes_proved", "encoding_proved", "extensions"};
  for (size_t i = 0; i < CLI_COUNT(keys); i++) {
    const json_t *value = json_object_get(rule, keys[i]);
    char text[64] = "";
    size_t used = 0, k;
    json_t *item;
    json_array_foreach((json_t *)(uintptr_t)value, k, item) {
      if (used < sizeof text)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", k ? " " : "",
                                 json_string_value(item));
    }
    if (json_is_integer(value))
      cli_table_cell(table, "%lld", (long long)json_integer_value(value));
    else if (json_is_boolean(value))
      cli_table_cell(table, "%s", json_is_true(value) ? "proved" : "checked");
    else
      cli_table_cell(table, "%s", json_is_string(value) ? json_string_value(value) : text);
  }
}

static cli_exit list(rules_job *job) {
  static const cli_column columns[] = {{"rule", 'l'},      {"pass", 'r'},  {"root", 'l'},
                                       {"exact", 'l'},     {"sizes", 'l'}, {"encoding", 'l'},
                                       {"extensions", 'l'}};
  char *text;
  size_t size, i;
  cli_exit code = add_files(job);
  if (code != CLI_OK) return code;
  qn_status status = qn_rules_describe(job->rules, &text, &size);
  if (status != QN_OK) return cli_exit_of(status);
  if (job->c->options.json) {
    code = cli_print_rows(job->c, "rules", text, size);
  } else {
    cli_table table;
    json_t *rows = json_loadb(text, size, 0, NULL), *row;
    CLI_TABLE_BEGIN(&table, columns);
    json_array_foreach(rows, i, row) list_cells(&table, row);
    if (job->c->options.markdown)
      cli_table_end_markdown(&table, stdout);
    else
      cli_table_end(&table, stdout);
    json_decref(rows);
  }
  qn_free(text);
  return code;
}

/* ---- the command ---- */

static const struct {
  const char *name;
  cli_exit (*run)(rules_job *job);
} actions[] = {{"check", check},
               {"format", format},
               {"list", list},
               {"coverage", cli_rules_coverage},
               {"explain", cli_rules_explain},
               {"why-not", cli_rules_why_not},
               {"replay", cli_rules_replay},
               {"bisect", cli_rules_bisect},
               {"test", cli_rules_test}};

static cli_exit run_action(cli *c, cli_exit (*run)(rules_job *job)) {
  qn_rules_options options = QN_RULES_OPTIONS_INIT;
  rules_job job = {.c = c};
  options.strict_grammar = c->options.strict_grammar;
  options.lint = c->options.lint;
  cli_exit code = cli_exit_of(qn_rules_create(c->context, &options, &job.rules));
  if (code != CLI_OK) return code;
  job.messages = json_array();
  code = run(&job);
  json_decref(job.messages);
  qn_rules_destroy(job.rules);
  return code;
}

static cli_exit rules(cli *c) {
  for (size_t i = 0; i < CLI_COUNT(actions); i++) {
    if (strcmp(c->options.argument, actions[i].name) != 0) continue;
    if (c->options.more_count == 0) return cli_fail(c, CLI_USAGE, "FILE is missing");
    return run_action(c, actions[i].run);
  }
  return cli_fail(c, CLI_USAGE,
                  "there is no 'rules %s': check, format, list, test, coverage, explain, why-not, "
                  "replay or bisect",
                  c->options.argument);
}

static const char *const options[] = {"strict-grammar", "lint",  "dump-expanded", "in-place",
                                      "dry-run",        "json",  "markdown",      "validate",
                                      "bit-rules",      "check", "rule-settings", NULL};
static const char *const frequent[] = {"lint",  "in-place",      "dry-run", "dump-expanded",
                                       "check", "rule-settings", "json",    NULL};

const cli_command cli_rules = {
    .name = "rules",
    .argument = "check|format|list|test|coverage|explain|why-not|replay|bisect",
    .more = "FILE...",
    .summary = "check, format, list, test and trace rewrite rules",
    .groups = CLI_LOADING,
    .options = options,
    .frequent = frequent,
    .details =
        "\n"
        "A file whose name ends in .rr contains only rules, op declarations and comments; - is "
        "such a\n"
        "file on standard input. In any other file, rules are found at the starts of lines.\n"
        "  quern rules check my.rr          report every problem, with a code, a location and "
        "help\n"
        "  quern rules check --dump-expanded my.rr\n"
        "  quern rules format -i my.rr      write the canonical format; comments stay\n"
        "  quern rules list my.rr --json    print the rules as trees\n"
        "  quern rules test my.rr           generate graphs for each rule and evaluate both sides\n"
        "  quern rules coverage my.rr a.tflite b.mlir   report what each rule did to these models\n"
        "  quern rules explain RULE@NODE my.rr a.tflite report why the rule does or does not "
        "apply\n"
        "  quern rules why-not RULE my.rr a.tflite      list the nodes where it matches furthest\n"
        "  quern rules bisect my.rr a.mlir --check 'COMMAND'   find the first bad application\n"
        "  quern rules replay LOG my.rr a.tflite        repeat what apply-rules{log=true} "
        "recorded\n"
        "'quern list' has rule-functions, rule-ops, rule-passes and rule-extensions. Warnings do "
        "not\n"
        "change the exit code; errors make it 3.\n",
    .run = rules,
};
