/* --dim and --constant: sizes and values that a model file leaves open.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/memory.h"
#include "cli/tensors/npy.h"

/* Parses "N" or "NAME=N". The name itself can contain '='. */
static cli_exit read_dimension(cli *c, const char *text) {
  const char *last = strrchr(text, '='), *number = last ? last + 1 : text, *end;
  int64_t value;
  if (!cli_read_integer(number, &end, &value) || *end || value < 1 || value > INT32_MAX ||
      last == text)
    return cli_fail(c, CLI_USAGE, "--dim takes a positive number, not '%s'", text);
  if (!last) {
    c->options.batch = value;
    return CLI_OK;
  }
  char *name = cli_text("%.*s", (int)(last - text), text);
  c->dimensions[c->dimension_count++] = (qn_named_dimension){name, value};
  return CLI_OK;
}

static cli_exit read_constant(cli *c, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text)
    return cli_fail(c, CLI_USAGE, "--constant takes INPUT=FILE.npy, not '%s'", text);
  char *file;
  size_t size;
  npy array;
  cli_exit code = cli_read_file(c, equals + 1, &file, &size);
  if (code != CLI_OK) return code;
  const char *problem = npy_decode(file, size, &array);
  if (problem) {
    qn_free(file);
    return cli_fail(c, CLI_INVALID, "%s: %s", equals + 1, problem);
  }
  int64_t *dims = cli_need(calloc((size_t)array.rank + 1, sizeof *dims));
  char *data = cli_need(malloc(array.bytes + 1));
  memcpy(dims, array.dims, array.rank * sizeof *dims);
  memcpy(data, array.data, array.bytes);
  qn_free(file);
  c->constants[c->constant_count++] =
      (qn_constant_input){.name = cli_text("%.*s", (int)(equals - text), text),
                          .dtype = array.dtype,
                          .rank = array.rank,
                          .dims = dims,
                          .data = data,
                          .bytes = array.bytes};
  return CLI_OK;
}

cli_exit cli_set_loading(cli *c) {
  const cli_options *o = &c->options;
  cli_exit code = CLI_OK;
  c->dimensions = cli_need(calloc(o->loading_count + 1, sizeof *c->dimensions));
  c->constants = cli_need(calloc(o->loading_count + 1, sizeof *c->constants));
  for (size_t i = 0; i < o->loading_count && code == CLI_OK; i++)
    code = o->loading[i].kind == CLI_DIMENSION ? read_dimension(c, o->loading[i].text)
                                               : read_constant(c, o->loading[i].text);
  return code;
}

void cli_free_loading(cli *c) {
  for (uint32_t i = 0; i < c->dimension_count; i++) free((void *)(uintptr_t)c->dimensions[i].name);
  for (uint32_t i = 0; i < c->constant_count; i++) {
    free((void *)(uintptr_t)c->constants[i].name);
    free((void *)(uintptr_t)c->constants[i].dims);
    free((void *)(uintptr_t)c->constants[i].data);
  }
  free(c->dimensions);
  free(c->constants);
}
