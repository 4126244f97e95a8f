/* The memory map as text: a line per launch, addresses from left to right.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/inspect/inspect.h"
#include "cli/table.h"

enum { CELLS = 48 };

static long long arena_of(const json_t *report) {
  return inspect_number(json_object_get(report, "totals"), "arena_bytes");
}

/* Marks the cells of a buffer; a buffer smaller than a cell still marks one. */
static void draw(char *map, const json_t *buffer, size_t number, long long arena) {
  long long begin = inspect_number(buffer, "offset");
  long long end = begin + inspect_number(buffer, "bytes");
  if (arena <= 0 || end <= begin) return;
  long long first = begin * CELLS / arena, last = (end * CELLS + arena - 1) / arena;
  for (long long i = first; i < last && i < CELLS; i++) map[i] = (char)('a' + number % 26);
}

void inspect_print_memory(const json_t *report) {
  static const cli_column columns[] = {
      {"#", 'r'}, {"kernel", 'l'}, {"live bytes", 'r'}, {"arena", 'l'}, {"writes", 's'}};
  const json_t *memory = json_object_get(report, "memory");
  const json_t *buffers = json_object_get(memory, "buffers");
  long long arena = arena_of(report);
  cli_table table;
  CLI_TABLE_BEGIN(&table, columns);
  size_t step, i;
  json_t *row, *buffer;
  json_array_foreach(json_object_get(memory, "steps"), step, row) {
    char map[CELLS + 1], written[64] = "";
    memset(map, '.', CELLS);
    map[CELLS] = '\0';
    json_array_foreach(buffers, i, buffer) {
      long long first = inspect_number(buffer, "first"), now = (long long)step;
      if (first > now) break; /* buffers are sorted by their first launch */
      if (inspect_number(buffer, "last") < now) continue;
      draw(map, buffer, i, arena);
      if (first == now && strcmp(inspect_text(buffer, "location"), "") != 0)
        snprintf(written, sizeof written, "%c: %lld at %lld", (int)('a' + i % 26),
                 inspect_number(buffer, "bytes"), inspect_number(buffer, "offset"));
    }
    cli_table_label(&table, inspect_text(row, "location"));
    cli_table_cell(&table, "%s", inspect_text(row, "kernel"));
    cli_table_cell(&table, "%lld", inspect_number(row, "live_bytes"));
    cli_table_cell(&table, "%s", map);
    cli_table_cell(&table, "%s", written);
  }
  printf("\nthe arena of %lld bytes over time, a cell is %.0f bytes\n", arena,
         (double)arena / (double)CELLS);
  cli_table_end(&table, stdout);
}
