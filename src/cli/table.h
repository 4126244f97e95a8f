/* Tables with aligned columns.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_TABLE_H
#define QN_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_TABLE_COLUMNS = 16 };

typedef struct cli_column {
  const char *title; /* NULL: the column is not there */
  char align;        /* 'l', 'r', or 's': left, and shortened to fit */
} cli_column;

typedef struct cli_table {
  char align[CLI_TABLE_COLUMNS]; /* of those that are there */
  char **cells;
  size_t columns, count, capacity;
  size_t shown; /* columns that fit */
} cli_table;

void cli_table_begin(cli_table *table, const cli_column *columns, size_t count);
/* With all of an array. */
#define CLI_TABLE_BEGIN(table, columns)                                                            \
  do {                                                                                             \
    _Static_assert(sizeof(columns) / sizeof *(columns) <= CLI_TABLE_COLUMNS, "too many columns");  \
    cli_table_begin((table), (columns), sizeof(columns) / sizeof *(columns));                      \
  } while (0)
/* The next cell, row by row. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void cli_table_cell(cli_table *table, const char *format, ...);
/* The same, or an empty cell unless `shown`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void cli_table_cell_if(cli_table *table, bool shown, const char *format, ...);
/* Cells from the location of an operator (location.h): its number, and the tensor's name, the whole
 * location when it names none. */
void cli_table_label(cli_table *table, const char *location);
void cli_table_tensor(cli_table *table, const char *location);
/* Prints and frees. On a terminal columns of 's' lose their middle, as far as the table is wider,
 * and the last columns are left out, with a word about it, when that is not enough; nothing is left
 * out of what goes to a file or a pipe. */
void cli_table_end(cli_table *table, FILE *to);
void cli_table_end_markdown(cli_table *table, FILE *to);

#endif
