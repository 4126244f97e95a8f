/* Other programs: where they are, and running them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/board/board.h"

char *cli_find_program(const char *name) {
  const char *at = getenv("PATH");
  while (at && *at) {
    size_t size = strcspn(at, ":");
    char *path = cli_text("%.*s/%s", (int)size, at, name);
    if (*at == '/' && access(path, X_OK) == 0) return path;
    free(path);
    at += size + (at[size] == ':');
  }
  return NULL;
}

static _Noreturn void become(const char *const *arguments, const char *folder, const char *log) {
  enum { CANNOT_START = 127 };
  int to = chdir(folder) == 0 ? open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600) : -1;
  int from = open("/dev/null", O_RDONLY);
  if (to >= 0 && from >= 0 && dup2(from, STDIN_FILENO) >= 0 && dup2(to, STDOUT_FILENO) >= 0 &&
      dup2(to, STDERR_FILENO) >= 0)
    execv(arguments[0], (char *const *)arguments);
  _exit(CANNOT_START);
}

cli_exit cli_run_program(cli *c, const char *const *arguments, const char *folder, const char *log,
                         double seconds, int *out_code) {
  static const struct timespec pause = {.tv_nsec = 5000000};
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) become(arguments, folder, log);
  if (child < 0) return cli_fail(c, CLI_LIMIT, "no process can be made: %s", strerror(errno));
  double end = cli_now() + seconds;
  pid_t ended = waitpid(child, &status, WNOHANG);
  while (ended == 0) {
    nanosleep(&pause, NULL);
    if (cli_now() > end) kill(child, SIGKILL);
    ended = waitpid(child, &status, WNOHANG);
  }
  *out_code = ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return CLI_OK;
}
