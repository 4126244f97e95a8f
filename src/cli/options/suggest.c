/* What was probably meant by a word that is none.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/cli.h"

void cli_suggest(char out[CLI_SUGGESTION], const char *prefix, const char *word,
                 const char *const *names) {
  size_t count = 0;
  while (names[count]) count++;
  const char *meant = qn_nearest_name(word, names, count);
  out[0] = '\0';
  if (meant) snprintf(out, CLI_SUGGESTION, "; did you mean '%s%s'?", prefix, meant);
}

const cli_command *cli_find_command(const cli_command *const *commands, const char *name,
                                    char meant[CLI_SUGGESTION]) {
  const char *names[64] = {NULL};
  for (size_t i = 0; commands[i] && i + 1 < CLI_COUNT(names); i++) {
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
    names[i] = commands[i]->name;
  }
  cli_suggest(meant, "", name, names);
  return NULL;
}
