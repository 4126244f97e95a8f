/* Prints the part of a report that is about an object.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/inspect/inspect.h"
#include "cli/table.h"

static void print_sections(const json_t *object) {
  static const cli_column columns[] = {{"section", 'l'}, {"content", 'l'}, {"bytes", 'r'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *row;
  json_array_foreach(json_object_get(object, "sections"), i, row) {
    cli_table_cell(&table, "%s", inspect_text(row, "name"));
    cli_table_cell(&table, "%s", inspect_text(row, "kind"));
    cli_table_cell(&table, "%lld", inspect_number(row, "bytes"));
  }
  cli_table_end(&table, stdout);
}

static void print_functions(const json_t *object) {
  static const cli_column columns[] = {
      {"function", 'l'}, {"code", 'r'}, {"frame", 'r'}, {"stack with calls", 'r'}};
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t i;
  json_t *row;
  json_array_foreach(json_object_get(object, "functions"), i, row) {
    cli_table_cell(&table, "%s", inspect_text(row, "name"));
    cli_table_cell(&table, "%lld", inspect_number(row, "code_bytes"));
    cli_table_cell(&table, "%lld", inspect_number(row, "frame_bytes"));
    cli_table_cell(&table, "%lld", inspect_number(row, "stack_bytes"));
  }
  cli_table_end(&table, stdout);
}

void inspect_print_object(const json_t *report) {
  const json_t *object = json_object_get(report, "object");
  const json_t *routines = json_object_get(object, "routines");
  size_t i;
  json_t *name;
  printf("\n");
  print_sections(object);
  printf("\n");
  print_functions(object);
  printf(
      "\nflash: %lld bytes, of them code %lld, constants %lld; stack of a call: at most %lld bytes",
      inspect_number(object, "flash_bytes"), inspect_number(object, "code_bytes"),
      inspect_number(object, "constant_bytes"), inspect_number(object, "stack_bytes"));
  json_array_foreach(routines, i, name)
      printf("%s %s", i ? "," : ", and that of", json_string_value(name));
  printf("\n");
}
