/* Runs a mistake in a child process, and reads what it prints before it ends.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/aborts.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

bool qn_test_aborts(qn_test_mistake *mistake, void *user, const char *condition) {
  int ends[2], status = 0;
  char said[1024];
  size_t size = 0;
  fflush(NULL);
  if (pipe(ends) != 0) return false;
  pid_t child = fork();
  if (child == 0) {
    if (dup2(ends[1], STDERR_FILENO) < 0) _exit(1);
    signal(SIGABRT, SIG_DFL);
    mistake(user);
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t got = 1; got > 0 && size<sizeof said - 1; size += got> 0 ? (size_t)got : 0)
    got = read(ends[0], said + size, sizeof said - 1 - size);
  said[size] = '\0';
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child) return false;
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(said, "internal error") &&
         strstr(said, condition);
}

int qn_test_unnoticed(const qn_test_promise *promises, int count) {
  int unnoticed = 0;
  for (int i = 0; i < count; i++) {
    if (qn_test_aborts(promises[i].broken, NULL, promises[i].condition)) continue;
    fprintf(stderr, "nothing asserts: %s\n", promises[i].condition);
    unnoticed++;
  }
  return unnoticed;
}
