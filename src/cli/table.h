/* Tables with aligned columns.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_TABLE_H
#define QN_CLI_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_TABLE_COLUMNS = 16 };

typedef struct cli_table {
  const char *align; /* one letter per column: 'l' or 'r' */
  char **cells;
  size_t columns, count, capacity;
} cli_table;

/* `align` is kept; `titles` has a string per column. */
void cli_table_begin(cli_table *table, const char *align, const char *const *titles);
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
/* Cells from the location of an operator, "FILE: operator 5 (CONV_2D), tensor 'NAME'": "5 CONV_2D"
 * (empty when it names none), and NAME, shortened in the middle (the whole location when it names
 * no tensor). */
void cli_table_operator(cli_table *table, const char *location);
void cli_table_tensor(cli_table *table, const char *location);
/* The tensor's name in a location, NULL when it names none. */
const char *cli_location_tensor(const char *location, size_t *out_size);
/* Prints and frees. */
void cli_table_end(cli_table *table, FILE *to);
void cli_table_end_markdown(cli_table *table, FILE *to);

#endif
