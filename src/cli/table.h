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
  const char *title; /* NULL: the table lacks the column */
  char align;        /* 'l': left, 'r': right, 's': left, and can be shortened */
} cli_column;

typedef struct cli_table {
  char align[CLI_TABLE_COLUMNS]; /* alignment of the columns that the table has */
  char **cells;
  size_t columns, count, capacity;
  size_t shown; /* number of columns that fit */
} cli_table;

void cli_table_begin(cli_table *table, const cli_column *columns, size_t count);
/* Starts a table with the columns of an array. */
#define CLI_TABLE_BEGIN(table, columns)                                                            \
  do {                                                                                             \
    _Static_assert(sizeof(columns) / sizeof *(columns) <= CLI_TABLE_COLUMNS, "too many columns");  \
    cli_table_begin((table), (columns), sizeof(columns) / sizeof *(columns));                      \
  } while (0)
/* Appends a cell. Cells fill the table row by row. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void cli_table_cell(cli_table *table, const char *format, ...);
/* Appends a cell; an empty one unless `shown`. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void cli_table_cell_if(cli_table *table, bool shown, const char *format, ...);
/* Append cells for the location of an operator (location.h): the operator's index, and the tensor's
 * name or, if the location names none, the whole location. */
void cli_table_label(cli_table *table, const char *location);
void cli_table_tensor(cli_table *table, const char *location);
/* Prints and frees the table. On a terminal that is too narrow, columns with alignment 's' are
 * shortened in the middle; if that is not enough, the last columns are dropped, with a note. Output
 * to a file or pipe is complete. */
void cli_table_end(cli_table *table, FILE *to);
void cli_table_end_markdown(cli_table *table, FILE *to);

#endif
