/* Which tensor of B stands for one of A.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"

/* A line is "A<tab>B", each a number or a name. '#' begins a comment. */
static cli_exit add_line(cli *c, const char *path, size_t number, char *line, tensor_map *map) {
  line[strcspn(line, "\r\n")] = '\0';
  if (!line[0] || line[0] == '#') return CLI_OK;
  char *tab = strchr(line, '\t');
  if (!tab || tab == line || !tab[1])
    return cli_fail(c, CLI_INVALID, "%s:%zu: not two numbers or names with a tab between", path,
                    number);
  *tab = '\0';
  map->rows[map->count].a = line;
  map->rows[map->count++].b = tab + 1;
  return CLI_OK;
}

cli_exit tensor_map_read(cli *c, const char *path, tensor_map *out_map) {
  tensor_map map = {0};
  size_t size, lines = 1, number = 1;
  cli_exit code = cli_read_text(c, path, &map.text, &size);
  if (code != CLI_OK) return code;
  for (const char *at = map.text; *at; at++) lines += *at == '\n';
  map.rows = calloc(lines, sizeof *map.rows);
  if (!map.rows) code = cli_fail(c, CLI_LIMIT, "out of memory");
  for (char *line = map.text, *next; line && code == CLI_OK; line = next, number++) {
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    code = add_line(c, path, number, line, &map);
  }
  *out_map = map;
  if (code != CLI_OK) tensor_map_free(out_map);
  return code;
}

void tensor_map_free(tensor_map *map) {
  free(map->rows);
  qn_free(map->text);
  *map = (tensor_map){0};
}

/* -1: the text is a name. */
static int64_t number_of(const char *text) {
  char *end;
  errno = 0;
  long long number = strtoll(text, &end, 10);
  return errno || end == text || *end || number < 0 ? -1 : number;
}

static bool is_named(const recorded *t, const char *text) {
  int64_t number = number_of(text);
  return (number >= 0 && t->info.index == number) || strcmp(t->info.name, text) == 0;
}

recorded *tensor_map_find(const tensor_map *map, const recorded *a, const recording *b) {
  for (size_t i = 0; i < map->count; i++) {
    if (!is_named(a, map->rows[i].a)) continue;
    recorded *found = recording_by_index(b, number_of(map->rows[i].b));
    return found ? found : recording_by_name(b, map->rows[i].b);
  }
  if (map->count) return NULL;
  recorded *found = recording_by_index(b, a->info.index);
  return found ? found : recording_by_name(b, a->info.name);
}
