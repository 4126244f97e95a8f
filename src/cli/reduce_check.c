/* Runs the check of quern reduce on a module.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/reduce.h"

void reduce_drop_message(void *user, const qn_message *message) {
  (void)user;
  (void)message;
}

/* Runs the command with the file as last argument. *out_good: whether its exit code is 0. */
static cli_exit run_check(reduction *r, bool *out_good) {
  char *command;
  if (asprintf(&command, "%s '%s'", r->c->options.check, r->file) < 0)
    return cli_fail(r->c, CLI_LIMIT, "out of memory");
  fflush(NULL);
  int status = system(command);
  free(command);
  if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) == 127 ||
      WEXITSTATUS(status) == 126)
    return cli_fail(r->c, CLI_USAGE, "the check can't be run: %s", r->c->options.check);
  *out_good = WEXITSTATUS(status) == 0;
  return CLI_OK;
}

cli_exit reduce_check(reduction *r, const qn_model *model, bool *out_good) {
  char *text = NULL;
  size_t size;
  qn_status status = qn_model_print(model, NULL, &text, &size);
  cli_exit code = status == QN_OK ? cli_write_file(r->c, r->file, text, size) : cli_exit_of(status);
  qn_free(text);
  return code == CLI_OK ? run_check(r, out_good) : code;
}
