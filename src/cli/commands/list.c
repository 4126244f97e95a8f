/* quern list: catalogues of passes, ops, targets, profiles and formats of this build.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/document.h"
#include "cli/formats.h"
#include "cli/list_ops.h"
#include "cli/list_cpus.h"
#include "cli/list_passes.h"
#include "cli/table.h"

typedef struct column {
  const char *key, *title;
} column;

static const struct {
  const char *what;
  column columns[6];                                     /* ended by a NULL key */
  void (*print)(const json_t *rows, bool markdown);      /* instead of a table */
  void (*print_page)(const json_t *rows);                /* instead of a table in markdown */
  void (*print_more)(const json_t *rows, bool markdown); /* after the table */
} lists[] = {
    {.what = "passes", .print = list_print_passes},
    {.what = "pipelines",
     .columns = {{"name", "pipeline"},
                 {"numerics", "numerics"},
                 {"summary", "what it does"},
                 {"pipeline", "stands for"}}},
    {.what = "ops",
     .columns = {{"name", "op"}, {"stages", "stages"}, {"summary", "what it does"}},
     .print_page = list_print_ops},
    {.what = "dialects", .columns = {{"name", "dialect"}, {"ops", "ops"}}},
    {.what = "integer-forms",
     .columns = {{"op", "op"},
                 {"default", "takes"},
                 {"integer", "integer form"},
                 {"needs", "of 8-bit tensors with one scale and"},
                 {"fall_back", "fall-back"}}},
    {.what = "formats",
     .columns = {{"name", "format"},
                 {"extension", "files"},
                 {"numerics", "profile without --numerics"},
                 {"signatures", "--signature"}}},
    {.what = "FORMAT",
     .columns = {{"name", "operator"},
                 {"newest_version", "up to version"},
                 {"op", "becomes"},
                 {"summary", "which is"}}},
    {.what = "FORMAT-refused",
     .columns = {{"reason", "reason"}, {"operators", "unsupported operators"}}},
    {.what = "targets",
     .columns = {{"name", "level"},
                 {"vector_bits", "bits"},
                 {"runs_here", "here"},
                 {"architectures", "architectures"},
                 {"summary", "instruction set"}},
     .print_more = list_print_cpus},
    {.what = "profiles",
     .columns = {{"name", "profile"}, {"summary", "reproduces the rounding of"}}},
    {.what = "rule-passes",
     .columns = {{"name", "pass of rules"},
                 {"number", "number"},
                 {"summary", "what its rules do"}}},
    {.what = "rule-functions",
     .columns = {{"name", "function"},
                 {"operands", "operands"},
                 {"type", "is"},
                 {"extension", "extension"}}},
    {.what = "rule-ops",
     .columns = {{"name", "op in rules"}, {"summary", "operands, meaning"}, {"ops", "which is"}}},
    {.what = "rule-extensions", .columns = {{"name", "extension"}, {"summary", "what it adds"}}},
    {.what = "stages", .columns = {{"name", "stage"}, {"summary", "what holds"}}},
};

static void add_cell(cli_table *table, const json_t *value) {
  if (json_is_array(value)) {
    char text[128] = "";
    size_t i, used = 0;
    json_t *item;
    json_array_foreach((json_t *)(uintptr_t)value, i, item) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? " " : "",
                               json_string_value(item));
      if (used >= sizeof text) break;
    }
    cli_table_cell(table, "%s", text);
  } else if (json_is_integer(value)) {
    cli_table_cell(table, "%lld", (long long)json_integer_value(value));
  } else if (json_is_boolean(value)) {
    cli_table_cell(table, "%s", json_is_true(value) ? "yes" : "no");
  } else {
    cli_table_cell(table, "%s", json_is_string(value) ? json_string_value(value) : "");
  }
}

static void add_cells(cli_table *table, size_t list, const json_t *rows) {
  size_t i;
  json_t *row;
  json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
    for (const column *c = lists[list].columns; c->key; c++)
      add_cell(table, json_object_get(row, c->key));
  }
}

static void print_rows(size_t list, const json_t *rows, bool markdown) {
  cli_column columns[CLI_COUNT(lists[0].columns)] = {{NULL, 'l'}};
  for (size_t i = 0; lists[list].columns[i].key; i++)
    columns[i] = (cli_column){lists[list].columns[i].title, 'l'};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  add_cells(&table, list, rows);
  if (markdown)
    cli_table_end_markdown(&table, stdout);
  else
    cli_table_end(&table, stdout);
}

static cli_exit list(cli *c) {
  for (size_t i = 0; i < CLI_COUNT(lists); i++) {
    if (!cli_format_matches(lists[i].what, c->options.argument)) continue;
    char *text;
    size_t size;
    qn_status status = qn_list(c->options.argument, &text, &size);
    if (status != QN_OK) return cli_fail(c, cli_exit_of(status), "%s", qn_status_name(status));
    cli_exit code = CLI_OK;
    if (c->options.json) {
      code = cli_print_rows(c, c->options.argument, text, size);
    } else {
      json_t *rows = json_loadb(text, size, 0, NULL);
      if (lists[i].print)
        lists[i].print(rows, c->options.markdown);
      else if (lists[i].print_page && c->options.markdown)
        lists[i].print_page(rows);
      else
        print_rows(i, rows, c->options.markdown);
      if (lists[i].print_more) lists[i].print_more(rows, c->options.markdown);
      json_decref(rows);
    }
    qn_free(text);
    return code;
  }
  const char *names[CLI_COUNT(lists) + 1] = {NULL};
  for (size_t i = 0; i < CLI_COUNT(lists); i++) names[i] = lists[i].what;
  char meant[CLI_SUGGESTION];
  cli_suggest(meant, "", c->options.argument, names);
  return cli_fail(c, CLI_USAGE,
                  "there is no list of '%s': ops, dialects, passes, pipelines, integer-forms, "
                  "formats, FORMAT, FORMAT-refused, targets, profiles, stages, rule-passes, "
                  "rule-functions, rule-ops or "
                  "rule-extensions%s",
                  c->options.argument, meant);
}

static const char *const options[] = {"json", "markdown", NULL};

const cli_command cli_list = {
    .name = "list",
    .argument = "ops|dialects|passes|pipelines|integer-forms|formats|FORMAT|FORMAT-refused|targets|"
                "profiles|stages|rule-passes|"
                "rule-functions|rule-ops|rule-extensions",
    .summary = "list operators, passes, CPU levels, profiles and more",
    .options = options,
    .run = list,
};
