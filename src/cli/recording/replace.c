/* --replace: runs a model as if operators had written other tensors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/recording/replace.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tensors/npy.h"

static cli_exit read_one(cli *c, const char *text, replacement *out) {
  const char *end;
  int64_t index;
  if (!cli_read_integer(text, &end, &index) || index < 0 || strncmp(end, "=@", 2) != 0)
    return cli_fail(c, CLI_USAGE,
                    "--replace takes TENSOR=@FILE.npy with the tensor's number, not '%s'", text);
  const char *path = end + 2;
  size_t size;
  cli_exit code = cli_read_file(c, path, &out->file, &size);
  if (code != CLI_OK) return code;
  npy array;
  const char *problem = npy_decode(out->file, size, &array);
  if (problem) return cli_fail(c, CLI_INVALID, "%s: %s", path, problem);
  out->index = index;
  out->data = array.data;
  out->bytes = array.bytes;
  return CLI_OK;
}

cli_exit replacements_read(cli *c, replacements *out) {
  *out = (replacements){.items = calloc(c->options.binding_count + 1, sizeof *out->items)};
  if (!out->items) return cli_fail(c, CLI_LIMIT, "out of memory");
  cli_exit code = CLI_OK;
  for (size_t i = 0; i < c->options.binding_count && code == CLI_OK; i++) {
    const cli_binding *binding = &c->options.bindings[i];
    if (binding->kind == CLI_REPLACE) code = read_one(c, binding->text, &out->items[out->count++]);
  }
  if (code != CLI_OK) replacements_free(out);
  return code;
}

const void *replacements_find(const replacements *r, int64_t index, size_t bytes) {
  for (size_t i = 0; r && i < r->count; i++)
    if (r->items[i].index == index && r->items[i].bytes == bytes) return r->items[i].data;
  return NULL;
}

static const void *replace(void *user, int64_t index, const void *data, size_t bytes) {
  replacements *r = user;
  (void)data;
  for (size_t i = 0; i < r->count; i++)
    if (r->items[i].index == index && r->items[i].bytes == bytes) r->items[i].met = true;
  return replacements_find(r, index, bytes);
}

cli_exit replacements_use(cli *c, replacements *r, qn_executable *executable) {
  (void)c;
  return r->count ? cli_exit_of(qn_executable_replace_tensors(executable, replace, r)) : CLI_OK;
}

cli_exit replacements_check(cli *c, const replacements *r) {
  for (size_t i = 0; i < r->count; i++) {
    if (r->items[i].met) continue;
    return cli_fail(c, CLI_INVALID, "no operator wrote a tensor %lld of %zu bytes to replace",
                    (long long)r->items[i].index, r->items[i].bytes);
  }
  return CLI_OK;
}

void replacements_free(replacements *r) {
  for (size_t i = 0; i < r->count; i++) qn_free(r->items[i].file);
  free(r->items);
  *r = (replacements){0};
}
