/* Sizes and states from the command line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/tensors/persistent.h"

#include <stdlib.h>
#include <string.h>

#include "cli/tensors/tensors.h"

/* ---- sizes ---- */

/* Applies "NAME=N". The name can be omitted if there is one size only. */
static cli_exit set_size(cli *c, qn_executable *executable, const char *text) {
  uint32_t count = qn_executable_size_count(executable), i = 0;
  const char *number = text;
  for (; i < count; i++) {
    const char *name = qn_executable_size(executable, i).name;
    size_t size = strlen(name);
    if (strncmp(text, name, size) != 0 || text[size] != '=') continue;
    number = text + size + 1;
    break;
  }
  if (i == count && (count != 1 || strchr(text, '=')))
    return cli_fail(c, CLI_USAGE, "'%s' names no size: the model has %u", text, count);
  if (i == count) i = 0;
  int64_t value;
  cli_exit code = cli_number(c, "size", number, &value);
  return code == CLI_OK ? cli_exit_of(qn_executable_set_size(executable, i, value)) : code;
}

cli_exit cli_set_sizes(cli *c, qn_executable *executable) {
  cli_exit code = CLI_OK;
  for (size_t i = 0; i < c->options.binding_count && code == CLI_OK; i++)
    if (c->options.bindings[i].kind == CLI_SIZE)
      code = set_size(c, executable, c->options.bindings[i].text);
  return code;
}

/* ---- states ---- */

static cli_exit read_state(cli *c, qn_executable *executable, const char *text,
                           uint32_t *next_unnamed) {
  uint32_t count = qn_executable_state_count(executable), i = 0;
  const char *rest = text;
  for (; i < count; i++) {
    const char *name = qn_executable_state(executable, i).name;
    size_t size = strlen(name);
    if (size == 0 || strncmp(text, name, size) != 0 || text[size] != '=') continue;
    rest = text + size + 1;
    break;
  }
  if (i == count) i = (*next_unnamed)++;
  if (i >= count)
    return cli_fail(c, CLI_USAGE, "'%s' is one state too many: the model has %u", text, count);
  if (rest[0] != '@')
    return cli_fail(c, CLI_USAGE, "--state takes [NAME=]@FILE.npy, not '%s'", rest);
  qn_tensor_info info = qn_executable_state(executable, i);
  char *file;
  npy array;
  cli_exit code = cli_read_npy(c, rest + 1, &info, &file, &array);
  if (code != CLI_OK) return code;
  qn_executable_write_state(executable, i, array.data);
  qn_free(file);
  return CLI_OK;
}

cli_exit cli_read_states(cli *c, qn_executable *executable) {
  cli_exit code = CLI_OK;
  uint32_t next = 0;
  for (size_t i = 0; i < c->options.binding_count && code == CLI_OK; i++)
    if (c->options.bindings[i].kind == CLI_STATE)
      code = read_state(c, executable, c->options.bindings[i].text, &next);
  return code;
}
