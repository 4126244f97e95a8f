/* Tables with aligned columns. Widths count characters of UTF-8, not bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/memory.h"

static void add(cli_table *table, char *text) {
  if (table->count == table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    table->cells = cli_need(realloc(table->cells, capacity * sizeof *table->cells));
    table->capacity = capacity;
  }
  table->cells[table->count++] = text;
}

void cli_table_begin(cli_table *table, const char *align, const char *const *titles) {
  *table = (cli_table){.align = align, .columns = strlen(align)};
  for (size_t i = 0; i < table->columns; i++) cli_table_cell(table, "%s", titles[i]);
}

static void add_formatted(cli_table *table, const char *format, va_list arguments) {
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0) cli_no_memory();
  for (char *at = text; *at; at++) { /* names come from files */
    if ((unsigned char)*at < 32 || *at == 127) *at = '?';
  }
  add(table, text);
}

void cli_table_cell(cli_table *table, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_formatted(table, format, arguments);
  va_end(arguments);
}

void cli_table_cell_if(cli_table *table, bool shown, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  add_formatted(table, shown ? format : "", arguments);
  va_end(arguments);
}

/* Whether a byte goes on with a character of UTF-8. */
static bool continues(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

/* Long text loses its middle: names of tensors differ at both ends. */
static void add_short(cli_table *table, const char *text, int size) {
  enum { WIDTH = 40, HEAD = 18, TAIL = WIDTH - HEAD - 3 };
  if (size <= WIDTH) {
    cli_table_cell(table, "%.*s", size, text);
    return;
  }
  int head = HEAD, tail = size - TAIL;
  while (head > 0 && continues(text[head])) head--;
  while (tail < size && continues(text[tail])) tail++;
  cli_table_cell(table, "%.*s...%.*s", head, text, size - tail, text + tail);
}

void cli_table_operator(cli_table *table, const char *location) {
  const char *place = strstr(location, "operator ");
  int number, end = 0;
  char name[64];
  if (place && sscanf(place, "operator %d (%63[^)])%n", &number, name, &end) == 2 && end > 0) {
    cli_table_cell(table, "%d %s", number, name);
  } else {
    cli_table_cell(table, "%s", "");
  }
}

const char *cli_location_tensor(const char *location, size_t *out_size) {
  static const char before[] = "tensor '";
  const char *name = strstr(location, before);
  const char *last = name ? strrchr(location, '\'') : NULL;
  if (name) name += sizeof before - 1;
  bool quoted = name && last >= name;
  *out_size = quoted ? (size_t)(last - name) : 0;
  return quoted ? name : NULL;
}

void cli_table_tensor(cli_table *table, const char *location) {
  size_t size;
  const char *name = cli_location_tensor(location, &size);
  add_short(table, name ? name : location, (int)(name ? size : strlen(location)));
}

static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++) width += !continues(*text);
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
