/* Finds the tensor of B that corresponds to a tensor of A.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/compare/compare.h"

/* Reads a line "A<tab>B"; each is an index or a name. '#' starts a comment. */
static cli_exit add_line(cli *c, const char *path, size_t number, char *line, tensor_map *map) {
  line[strcspn(line, "\r\n")] = '\0';
  if (!line[0] || line[0] == '#') return CLI_OK;
  char *tab = strchr(line, '\t');
  if (!tab || tab == line || !tab[1])
    return cli_fail(c, CLI_INVALID, "%s:%zu: not two numbers or names with a tab between", path,
                    number);
  *tab = '\0';
  if (json_object_set_new(map->names, line, json_string(tab + 1)) == 0) return CLI_OK;
  return cli_fail(c, CLI_INVALID, "%s:%zu: a name is not UTF-8", path, number);
}

cli_exit tensor_map_read(cli *c, const char *path, tensor_map *out_map) {
  tensor_map map = {.names = json_object()};
  char *text = NULL;
  size_t size, number = 1;
  cli_exit code = cli_read_text(c, path, &text, &size);
  for (char *line = text, *next; line && code == CLI_OK; line = next, number++) {
    next = strchr(line, '\n');
    if (next) *next++ = '\0';
    code = add_line(c, path, number, line, &map);
  }
  qn_free(text);
  *out_map = map;
  if (code != CLI_OK) tensor_map_free(out_map);
  return code;
}

void tensor_map_free(tensor_map *map) {
  json_decref(map->names);
  *map = (tensor_map){0};
}

/* The index in the text; -1 if the text is a name. */
static int64_t number_of(const char *text) {
  const char *end;
  int64_t number;
  return !cli_read_integer(text, &end, &number) || *end || number < 0 ? -1 : number;
}

recorded *tensor_map_find(const tensor_map *map, const recorded *a, const recording *b) {
  recorded *found = NULL;
  if (map->names) {
    char number[24];
    snprintf(number, sizeof number, "%lld", (long long)a->info.index);
    const char *name = json_string_value(json_object_get(map->names, number));
    if (!name) name = json_string_value(json_object_get(map->names, a->info.name));
    int64_t index = name ? number_of(name) : -1;
    if (index >= 0) found = recording_by_index(b, index);
    return found || !name ? found : recording_by_name(b, name);
  }
  if (a->info.index >= 0) found = recording_by_index(b, a->info.index);
  return found || !a->info.name[0] ? found : recording_by_name(b, a->info.name);
}
