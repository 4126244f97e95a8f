/* quern: dispatch to the subcommands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const cli_command *const commands[] = {
    &cli_inspect,         &cli_run,  &cli_verify, &cli_compare_command,
    &cli_compile_command, &cli_opt,  &cli_bench,  &cli_list,
    &cli_reduce,          &cli_rules,
};

static void print_overview(FILE *to) {
  fputs(
      "usage: quern COMMAND [options]\n\nQuern compiles quantized models, exactly.\n\ncommands:\n",
      to);
  for (size_t i = 0; i < CLI_COUNT(commands); i++) {
    fprintf(to, "  %-9s %s\n", commands[i]->name, commands[i]->summary);
  }
  fputs(
      "\n'quern COMMAND --help' describes a command; 'quern --version' prints the version.\n\n"
      "exit codes: 0 ok, 1 results differ, 2 usage, 3 invalid input or a file that can't be read\n"
      "or written, 4 unsupported, 5 limit reached, 6 internal error\n",
      to);
}

/* Where "error:" or "error[CODE]:" stands in a message; NULL when it does not. */
static const char *find_word(const char *message, const char *word, size_t *out_size) {
  size_t size = strlen(word);
  for (const char *at = strstr(message, word); at; at = strstr(at + 1, word)) {
    const char *end = at[size] == '[' ? strchr(at, ']') : at + size - 1;
    if (!end || end[1] != ':') continue;
    *out_size = (size_t)(end + 2 - at);
    return at;
  }
  return NULL;
}

/* Colours the word behind the location. Remarks are for those who ask, or who run passes. */
static void print_message(void *user, int severity, const char *message) {
  static const struct {
    const char *word, *colour;
  } kinds[] = {[QN_MESSAGE_ERROR] = {"error", "\033[1;31m"},
               [QN_MESSAGE_WARNING] = {"warning", "\033[1;35m"},
               [QN_MESSAGE_NOTE] = {"note", "\033[1;36m"},
               [QN_MESSAGE_REMARK] = {"remark", "\033[1;34m"}};
  const cli *c = user;
  bool wanted = c->options.verbose || c->command->takes_passes;
  if (severity == QN_MESSAGE_REMARK && !wanted) return;
  cli_progress_clear(c->progress);
  size_t word_size = 0;
  const char *word =
      c->colour ? find_word(message, kinds[severity & 3].word, &word_size) : NULL;
  if (!word) {
    fprintf(stderr, "%s\n", message);
    return;
  }
  int size = (int)word_size;
  fprintf(stderr, "%.*s%s%.*s\033[0m%s\n", (int)(word - message), message,
          kinds[severity & 3].colour, size, word, word + size);
}

static cli_exit run_command(const cli_command *command, int argc, char **argv) {
  cli c = {.command = command};
  c.context = qn_context_create();
  if (!c.context) return cli_fail(&c, CLI_LIMIT, "out of memory");
  const char *plain = getenv("NO_COLOR");
  c.colour = isatty(STDERR_FILENO) && !(plain && plain[0]);
  qn_context_set_handler(c.context, print_message, &c);
  cli_exit code = cli_options_parse(&c, argc, argv);
  if (code == CLI_OK) code = cli_set_limits(&c);
  if (code == CLI_OK && c.options.help)
    cli_help(&c, stdout);
  else if (code == CLI_OK)
    code = command->run(&c);
  free(c.options.passes);
  qn_context_destroy(c.context);
  return code;
}

static cli_exit dispatch(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  for (size_t i = 0; i < CLI_COUNT(commands); i++) {
    if (strcmp(name, commands[i]->name) == 0) {
      return run_command(commands[i], argc - 1, argv + 1);
    }
  }
  if (strcmp(name, "--version") == 0) {
    printf("quern %s\n", qn_version());
    return CLI_OK;
  }
  bool asked = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
  if (!asked && name[0]) fprintf(stderr, "quern: error: unknown command '%s'\n\n", name);
  print_overview(asked ? stdout : stderr);
  return asked ? CLI_OK : CLI_USAGE;
}

/* Whatever was printed, and by whom: what did not arrive was not done. A file that may not grow is
 * an error like others, not the end of the process. */
int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN);
  cli_exit code = dispatch(argc, argv);
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return (int)code;
  fprintf(stderr, "quern: error: standard output can't be written: %s\n",
          errno ? strerror(errno) : "a write failed");
  return CLI_INVALID;
}
