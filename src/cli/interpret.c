/* Arguments of an interpreted function, from the command line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/interpret.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tensors/literal.h"

/* Storage of the argument values. */
typedef struct sources {
  literal literals[CLI_MAX_BINDINGS];
  char *files[CLI_MAX_BINDINGS], *names[CLI_MAX_BINDINGS];
  npy arrays[CLI_MAX_BINDINGS];
  qn_argument arguments[CLI_MAX_BINDINGS];
  uint32_t count;
} sources;

static void destroy(sources *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    literal_free(&s->literals[i]);
    qn_free(s->files[i]);
    free(s->names[i]);
  }
  free(s);
}

static cli_exit read_array(cli *c, sources *s, uint32_t i, const char *path) {
  size_t size;
  cli_exit code = cli_read_file(c, path, &s->files[i], &size);
  if (code != CLI_OK) return code;
  const char *problem = npy_decode(s->files[i], size, &s->arrays[i]);
  if (problem) return cli_fail(c, CLI_INVALID, "%s: %s", path, problem);
  const npy *array = &s->arrays[i];
  s->arguments[i] = (qn_argument){
      .dtype = array->dtype, .rank = array->rank, .dims = array->dims, .data = array->data};
  return CLI_OK;
}

/* Splits off the name in "%x=" or "x=". A literal's type before '=' is not a name, and attributes
 * of MLIR contain other characters before '='. */
static cli_exit split_name(cli *c, sources *s, uint32_t i, const char **text) {
  static const char word[] = "%$.-_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  size_t size = strspn(*text, word);
  if (size == 0 || (*text)[size] != '=' || literal_is_one(*text)) return CLI_OK;
  s->names[i] = strndup(*text, size);
  *text += size + 1;
  return s->names[i] ? CLI_OK : cli_fail(c, CLI_LIMIT, "out of memory");
}

static cli_exit read_value(cli *c, sources *s, uint32_t i, const char *text) {
  if (text[0] == '@') return read_array(c, s, i, text + 1);
  if (strncmp(text, "random:", 7) == 0)
    return cli_fail(c, CLI_USAGE,
                    "--input %s: a function's arguments are @x.npy, 2xf32=1,2 or MLIR constants",
                    text);
  if (!literal_is_one(text)) {
    s->arguments[i] = (qn_argument){.constant = text};
    return CLI_OK;
  }
  literal *value = &s->literals[i];
  const char *problem = literal_parse(text, value);
  if (problem) return cli_fail(c, CLI_USAGE, "--input %s: %s", text, problem);
  s->arguments[i] = (qn_argument){
      .dtype = value->dtype, .rank = value->rank, .dims = value->dims, .data = value->data};
  return CLI_OK;
}

static cli_exit read_one(cli *c, sources *s, uint32_t i, const char *text) {
  cli_exit code = split_name(c, s, i, &text);
  if (code == CLI_OK) code = read_value(c, s, i, text);
  s->arguments[i].name = s->names[i];
  return code;
}

static cli_exit read_all(cli *c, sources *s) {
  cli_exit code = CLI_OK;
  for (size_t i = 0; i < c->options.binding_count && code == CLI_OK; i++) {
    const cli_binding *binding = &c->options.bindings[i];
    code = read_one(c, s, s->count++, binding->text);
  }
  return code;
}

cli_exit cli_interpret(cli *c, const qn_model *model, qn_engine engine, FILE *out) {
  sources *s = calloc(1, sizeof *s);
  if (!s) return cli_fail(c, CLI_LIMIT, "out of memory");
  qn_interpret_options options = QN_INTERPRET_OPTIONS_INIT;
  options.function = c->options.function;
  options.engine = engine;
  options.cpu = c->options.cpu;
  options.features = c->options.features;
  cli_exit code = read_all(c, s);
  char *text = NULL;
  size_t size = 0;
  if (code == CLI_OK)
    code = cli_exit_of(qn_model_interpret(model, &options, s->arguments, s->count, &text, &size));
  if (code == CLI_OK) fwrite(text, 1, size, out);
  qn_free(text);
  destroy(s);
  return code;
}
