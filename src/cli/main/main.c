/* quern: calls the subcommands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

static const cli_command *const commands[] = {
    &cli_inspect, &cli_run,   &cli_verify, &cli_compare_command, &cli_eval,  &cli_compile_command,
    &cli_opt,     &cli_bench, &cli_list,   &cli_reduce,          &cli_rules, &cli_help_command,
    NULL,
};

/* Position of "error:" or "error[CODE]:" in a message; NULL if there is none. */
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

/* Prints a message with its severity coloured. Remarks are printed only with -v, with --explain, or
 * by commands that run passes. */
static void print_message(void *user, int severity, const char *message) {
  static const struct {
    const char *word, *colour;
  } kinds[] = {[QN_MESSAGE_ERROR] = {"error", "\033[1;31m"},
               [QN_MESSAGE_WARNING] = {"warning", "\033[1;35m"},
               [QN_MESSAGE_NOTE] = {"note", "\033[1;36m"},
               [QN_MESSAGE_REMARK] = {"remark", "\033[1;34m"}};
  const cli *c = user;
  bool wanted = c->options.verbose || c->options.explain || c->command->takes_passes;
  if (severity == QN_MESSAGE_REMARK && !wanted) return;
  cli_progress_clear(c->progress);
  size_t word_size = 0;
  const char *word = c->colour ? find_word(message, kinds[severity & 3].word, &word_size) : NULL;
  if (!word) {
    fprintf(stderr, "%s\n", message);
    return;
  }
  int size = (int)word_size;
  fprintf(stderr, "%.*s%s%.*s\033[0m%s\n", (int)(word - message), message,
          kinds[severity & 3].colour, size, word, word + size);
}

static cli_exit run_command(const cli_command *command, int argc, char **argv) {
  cli c = {.command = command, .commands = commands};
  c.context = qn_context_create();
  if (!c.context) return cli_fail(&c, CLI_LIMIT, "out of memory");
  const char *plain = getenv("NO_COLOR");
  c.colour = isatty(STDERR_FILENO) && !(plain && plain[0]);
  qn_context_set_handler(c.context, print_message, &c);
  cli_exit code = cli_options_parse(&c, argc, argv);
  if (code == CLI_OK) code = cli_set_limits(&c);
  if (code == CLI_OK) code = cli_set_operators(&c);
  if (code == CLI_OK) code = cli_set_loading(&c);
  if (code == CLI_OK && (c.options.help || c.options.help_all))
    cli_help(&c, c.options.help_all, stdout);
  else if (code == CLI_OK)
    code = command->run(&c);
  free(c.options.passes);
  free(c.operators);
  cli_free_loading(&c);
  qn_context_destroy(c.context);
  return code;
}

static cli_exit dispatch(int argc, char **argv) {
  const char *name = argc > 1 ? argv[1] : "";
  char meant[CLI_SUGGESTION];
  const cli_command *command = cli_find_command(commands, name, meant);
  if (command) return run_command(command, argc - 1, argv + 1);
  if (strcmp(name, "--version") == 0) {
    printf("quern %s\n", qn_version());
    return CLI_OK;
  }
  if (argc > 1) qn_make_printable(argv[1]); /* argv[1] is used only for the error message */
  bool asked = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
  if (name[0] == '-' && !asked) {
    static const char *const words[] = {"--version", "--help", NULL};
    cli_suggest(meant, "", name, words);
    fprintf(stderr, "quern: error: unknown option '%s'%s; options follow the command\n\n", name,
            meant);
  } else if (!asked && name[0]) {
    fprintf(stderr, "quern: error: unknown command '%s'%s\n\n", name, meant);
  }
  cli_print_overview(commands, asked ? stdout : stderr);
  return asked ? CLI_OK : CLI_USAGE;
}

/* Runs the command and checks that all output was written: if not, the command has failed, wherever
 * it printed. SIGXFSZ is ignored, so that a file size limit is reported like other errors. */
int main(int argc, char **argv) {
  signal(SIGXFSZ, SIG_IGN);
  cli_exit code = dispatch(argc, argv);
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return (int)code;
  /* An earlier failed write has left no errno; writing another byte to the broken output sets
   * it. */
  if (errno == 0) (void)!write(STDOUT_FILENO, "\n", 1);
  fprintf(stderr, "quern: error: standard output can't be written: %s\n",
          errno ? strerror(errno) : "a write failed");
  return CLI_INVALID;
}
