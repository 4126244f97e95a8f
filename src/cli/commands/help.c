/* quern help: describes commands and options on the terminal, as a manual page, and as completions
 * for shells.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/cli.h"

static cli_exit help(cli *c) {
  const char *shell = c->options.completion, *name = c->options.argument;
  if (c->options.man + c->options.all_options + (shell != NULL) + (name != NULL) > 1)
    return cli_fail(c, CLI_USAGE, "COMMAND, --man, --options and --completion don't go together");
  if (c->options.man) {
    cli_print_manual(c->commands, stdout);
  } else if (c->options.all_options) {
    cli_print_options(c->commands, stdout);
  } else if (shell) {
    void (*print)(const cli_command *const *, FILE *) =
        strcmp(shell, "zsh") == 0 ? cli_print_zsh : cli_print_bash;
    print(c->commands, stdout);
  } else if (name) {
    char meant[CLI_SUGGESTION];
    cli about = {.command = cli_find_command(c->commands, name, meant), .context = c->context};
    if (!about.command && cli_print_option(c->commands, name, stdout)) return CLI_OK;
    if (!about.command) return cli_fail(c, CLI_USAGE, "there is no command '%s'%s", name, meant);
    cli_help(&about, true, stdout);
  } else {
    cli_print_overview(c->commands, stdout);
  }
  return CLI_OK;
}

static const char *const options[] = {"man", "options", "completion", NULL};

const cli_command cli_help_command = {
    .name = "help",
    .argument = "COMMAND|OPTION",
    .argument_optional = true,
    .takes_names = true,
    .summary = "describe a command or an option (such as top, for --top)",
    .options = options,
    .run = help,
};
