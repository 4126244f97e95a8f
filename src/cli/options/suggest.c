/* Suggestions for unknown words.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/cli.h"

/* Words of other tools, and the names that this tool has for them. */
static const struct {
  const char *word, *meant;
} commands_elsewhere[] = {
    {"infer", "run"},       {"inference", "run"},     {"predict", "run"},
    {"exec", "run"},        {"execute", "run"},       {"invoke", "run"},
    {"classify", "run"},    {"version", "--version"}, {"convert", "compile"},
    {"build", "compile"},   {"translate", "compile"}, {"emit", "compile"},
    {"benchmark", "bench"}, {"time", "bench"},        {"profile", "bench"},
    {"info", "inspect"},    {"show", "inspect"},      {"summary", "inspect"},
    {"print", "inspect"},   {"diff", "compare"},      {"evaluate", "eval"},
    {"accuracy", "eval"},   {"optimize", "opt"},      {"replay", "verify"},
    {"usage", "help"},      {"man", "help --man"},    {"completion", "help --completion bash"},
};

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
  for (size_t i = 0; i < CLI_COUNT(commands_elsewhere); i++)
    if (strcmp(commands_elsewhere[i].word, name) == 0)
      snprintf(meant, CLI_SUGGESTION, "; did you mean '%s'?", commands_elsewhere[i].meant);
  return NULL;
}

void cli_suggest_place(char out[CLI_SUGGESTION], const cli_command *command, const char *word) {
  static const char *const files[] = {"model", "file", "input-file", "graph", "network"};
  bool is_file = false;
  for (size_t i = 0; i < CLI_COUNT(files); i++) is_file |= strcmp(word, files[i]) == 0;
  out[0] = '\0';
  if (command->takes_names && cli_is_option(word))
    snprintf(out, CLI_SUGGESTION, "; did you mean 'quern help %s'?", word);
  else if (!command->takes_names && command->argument && is_file)
    snprintf(out, CLI_SUGGESTION, "; %s stands without an option: quern %s %s", command->argument,
             command->name, command->argument);
}
