/* Tables with aligned columns. Widths count characters of UTF-8, not bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void add(cli_table *table, char *text) {
  if (table->count == table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    char **cells = realloc(table->cells, capacity * sizeof *cells);
    if (!cells) abort();
    table->cells = cells;
    table->capacity = capacity;
  }
  table->cells[table->count++] = text;
}

void cli_table_begin(cli_table *table, const char *align, const char *const *titles) {
  *table = (cli_table){.align = align, .columns = strlen(align)};
  for (size_t i = 0; i < table->columns; i++) cli_table_cell(table, "%s", titles[i]);
}

void cli_table_cell(cli_table *table, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0) abort();
  va_end(arguments);
  for (char *at = text; *at; at++) { /* names come from files */
    if ((unsigned char)*at < 32 || *at == 127) *at = '?';
  }
  add(table, text);
}

void cli_table_place(cli_table *table, const char *location) {
  enum { WIDTH = 72 };
  const char *place = strstr(location, "operator ");
  if (!place) place = location;
  int size = (int)strlen(place);
  bool fits = size <= WIDTH;
  if (!fits) {
    size = WIDTH - 3;
    while (size > 0 && ((unsigned char)place[size] & 0xC0) == 0x80) size--; /* whole characters */
  }
  cli_table_cell(table, "%.*s%s", size, place, fits ? "" : "...");
}

static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++) width += ((unsigned char)*text & 0xC0) != 0x80;
  return width;
}

void cli_table_end(cli_table *table, FILE *to) {
  int widths[CLI_TABLE_COLUMNS] = {0};
  for (size_t i = 0; i < table->count; i++) {
    int width = width_of(table->cells[i]);
    if (width > widths[i % table->columns]) widths[i % table->columns] = width;
  }
  for (size_t i = 0; i < table->count; i++) {
    size_t column = i % table->columns;
    int padding = widths[column] - width_of(table->cells[i]);
    bool last = column + 1 == table->columns;
    if (table->align[column] == 'r') fprintf(to, "%*s", padding, "");
    fputs(table->cells[i], to);
    if (table->align[column] == 'l' && !last) fprintf(to, "%*s", padding, "");
    fputs(last ? "\n" : "  ", to);
    free(table->cells[i]);
  }
  free(table->cells);
  *table = (cli_table){0};
}

void cli_table_end_markdown(cli_table *table, FILE *to) {
  for (size_t i = 0; i < table->count; i++) {
    size_t column = i % table->columns;
    fputs(column ? " | " : "| ", to);
    for (const char *at = table->cells[i]; *at; at++) {
      if (*at == '|') fputc('\\', to);
      fputc(*at, to);
    }
    free(table->cells[i]);
    if (column + 1 < table->columns) continue;
    fputs(" |\n", to);
    if (i >= table->columns) continue;
    for (size_t c = 0; c < table->columns; c++) fputs("|---", to);
    fputs("|\n", to);
  }
  free(table->cells);
  *table = (cli_table){0};
}
