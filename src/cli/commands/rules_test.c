/* quern rules test: tests rules on generated graphs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/document.h"
#include "cli/rules.h"
#include "cli/table.h"

static const char *text_of(const json_t *row, const char *key) {
  const char *text = json_string_value(json_object_get(row, key));
  return text ? text : "";
}

static void print_table(const json_t *rows) {
  static const cli_column columns[] = {{"rule", 'l'},   {"exact", 'l'}, {"verdict", 'l'},
                                       {"graphs", 'r'}, {"fired", 'r'}, {"near", 'r'},
                                       {"why", 'l'}};
  cli_table table;
  size_t i;
  json_t *row;
  CLI_TABLE_BEGIN(&table, columns);
  json_array_foreach((json_t *)(uintptr_t)rows, i, row) {
    cli_table_cell(&table, "%s", text_of(row, "name"));
    cli_table_cell(&table, "%s", text_of(row, "exact"));
    cli_table_cell(&table, "%s", text_of(row, "verdict"));
    cli_table_cell(&table, "%lld", (long long)json_integer_value(json_object_get(row, "graphs")));
    cli_table_cell(&table, "%lld", (long long)json_integer_value(json_object_get(row, "fired")));
    cli_table_cell(&table, "%lld", (long long)json_integer_value(json_object_get(row, "near")));
    cli_table_cell(&table, "%s", text_of(row, "why"));
  }
  cli_table_end(&table, stdout);
}

static cli_exit print(const rules_job *job, const char *text, size_t size) {
  json_t *rows = json_loadb(text, size, 0, NULL), *row;
  cli_exit code = CLI_OK;
  size_t i;
  if (!rows) return CLI_LIMIT;
  if (job->c->options.json)
    code = cli_print_rows(job->c, "rules", text, size);
  else
    print_table(rows);
  if (code != CLI_OK) {
    json_decref(rows);
    return code;
  }
  json_array_foreach(rows, i, row) {
    if (strcmp(text_of(row, "verdict"), "PASS") != 0) code = CLI_MISMATCH;
    if (job->c->options.json || strcmp(text_of(row, "verdict"), "FAIL") != 0) continue;
    printf("\n// %s fails on this graph: %s\n%s", text_of(row, "name"), text_of(row, "why"),
           text_of(row, "module"));
  }
  json_decref(rows);
  return code;
}

cli_exit cli_rules_test(rules_job *job) {
  const cli_options *o = &job->c->options;
  cli_exit worst = CLI_OK;
  for (int i = 0; i < o->more_count; i++) {
    cli_exit code = cli_exit_of(qn_rules_add_file(job->rules, o->more[i]));
    if (code > worst) worst = code;
  }
  if (worst == CLI_OK) worst = cli_exit_of(qn_rules_check(job->rules));
  if (worst != CLI_OK) return worst;
  char *text;
  size_t size;
  qn_status status = qn_rules_test(job->rules, NULL, &text, &size);
  if (status != QN_OK) return cli_exit_of(status);
  cli_exit code = print(job, text, size);
  qn_free(text);
  return code;
}
