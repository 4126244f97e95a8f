/* Tables with aligned columns. Widths count UTF-8 characters, not bytes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/table.h"

#include <quern/quern.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/location.h"
#include "cli/memory.h"

static void add(cli_table *table, char *text) {
  if (table->count == table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 64;
    table->cells = cli_need(realloc(table->cells, capacity * sizeof *table->cells));
    table->capacity = capacity;
  }
  table->cells[table->count++] = text;
}

void cli_table_begin(cli_table *table, const cli_column *columns, size_t count) {
  *table = (cli_table){.columns = 0};
  for (size_t i = 0; i < count; i++) {
    if (!columns[i].title) continue;
    table->align[table->columns++] = columns[i].align;
    cli_table_cell(table, "%s", columns[i].title);
  }
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

/* Whether a byte continues a UTF-8 character. */
static bool continues(char byte) { return ((unsigned char)byte & 0xC0) == 0x80; }

void cli_table_label(cli_table *table, const char *location) {
  char label[CLI_LABEL];
  cli_location_label(location, label);
  cli_table_cell(table, "%s", label);
}

void cli_table_tensor(cli_table *table, const char *location) {
  size_t size;
  const char *name = cli_location_tensor(location, &size);
  cli_table_cell(table, "%.*s", (int)(name ? size : strlen(location)), name ? name : location);
}

static int width_of(const char *text) {
  int width = 0;
  for (; *text; text++) width += !continues(*text);
  return width;
}

/* ---- fitting the width of a terminal ---- */

/* Width of the terminal; 0 if `to` is not a terminal, so that the width is unlimited. */
static int width_to_fit(FILE *to) {
  struct winsize window = {0};
  int file = fileno(to);
  return isatty(file) && ioctl(file, TIOCGWINSZ, &window) == 0 ? window.ws_col : 0;
}

/* Shortens a text in the middle, because tensor names differ at both ends. */
static void shorten(char *text, int width) {
  int size = (int)strlen(text), head = (width - 3) / 2, tail = width - 3 - head;
  int begin = 0, end = size;
  for (int left = head; begin < size && (left > 0 || continues(text[begin])); begin++)
    left -= !continues(text[begin + 1]);
  for (; end > begin && tail > 0; tail -= !continues(text[end])) end--;
  if (end - begin <= 3) return;
  memmove(text + begin + 3, text + end, (size_t)(size - end) + 1);
  memset(text + begin, '.', 3);
}

/* Reduces the width of the table: the widest shortenable column loses a character at a time; if
 * that is not enough, columns are dropped from the right. */
static void fit(cli_table *table, int *widths, int available) {
  enum { LEAST = 12, KEPT = 2 };
  int total = -2;
  for (size_t c = 0; c < table->columns; c++) total += widths[c] + 2;
  for (; available > 0 && total > available; total--) {
    size_t widest = table->columns;
    for (size_t c = 0; c < table->columns; c++) {
      bool may = table->align[c] == 's' && widths[c] > LEAST;
      if (may && (widest == table->columns || widths[c] > widths[widest])) widest = c;
    }
    if (widest == table->columns) break;
    widths[widest]--;
  }
  for (; available > 0 && total > available && table->shown > KEPT; table->shown--)
    total -= widths[table->shown - 1] + 2;
}

void cli_table_end(cli_table *table, FILE *to) {
  int widths[CLI_TABLE_COLUMNS] = {0};
  for (size_t i = 0; i < table->count; i++) {
    qn_make_printable(table->cells[i]); /* names of files and tensors */
    int width = width_of(table->cells[i]);
    if (width > widths[i % table->columns]) widths[i % table->columns] = width;
  }
  table->shown = table->columns;
  fit(table, widths, width_to_fit(to));
  for (size_t i = 0; i < table->count; i++) {
    size_t column = i % table->columns;
    if (column >= table->shown) {
      free(table->cells[i]);
      continue;
    }
    if (width_of(table->cells[i]) > widths[column]) shorten(table->cells[i], widths[column]);
    int padding = widths[column] - width_of(table->cells[i]);
    bool last = column + 1 == table->shown;
    if (table->align[column] == 'r') fprintf(to, "%*s", padding, "");
    fputs(table->cells[i], to);
    if (table->align[column] != 'r' && !last) fprintf(to, "%*s", padding, "");
    fputs(last ? "\n" : "  ", to);
    free(table->cells[i]);
  }
  if (table->shown < table->columns)
    fprintf(to, "(%zu columns more in a wider terminal, a file or a pipe)\n",
            table->columns - table->shown);
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
