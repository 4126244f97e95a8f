/* The progress line on standard error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { QUIET_SECONDS = 2 };

struct cli_progress {
  const char *what;
  bool terminal;
  bool shown, ended;
  int64_t done, total;
  time_t start;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
};

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

static void show(cli_progress *p) {
  fprintf(stderr, "%s%s", p->terminal ? "\r\033[K" : "", p->what);
  double seconds = (double)(now() - p->start);
  if (p->total > 0) fprintf(stderr, ": %lld of %lld", (long long)p->done, (long long)p->total);
  fprintf(stderr, ", %.0f s", seconds);
  if (p->total > 0 && p->done > 0)
    fprintf(stderr, ", about %.0f s left",
            seconds * (double)(p->total - p->done) / (double)p->done);
  if (!p->terminal) fputc('\n', stderr);
  p->shown = p->terminal;
}

static void clear(cli_progress *p) {
  if (p->shown) fputs("\r\033[K", stderr);
  p->shown = false;
}

static void *watch(void *user) {
  cli_progress *p = user;
  pthread_mutex_lock(&p->mutex);
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  next.tv_sec += QUIET_SECONDS;
  while (!p->ended) {
    if (pthread_cond_timedwait(&p->wake, &p->mutex, &next) == 0) continue;
    show(p);
    next.tv_sec += p->terminal ? 1 : 5;
  }
  clear(p);
  pthread_mutex_unlock(&p->mutex);
  return NULL;
}

cli_progress *cli_progress_begin(const char *what, bool verbose) {
  bool terminal = isatty(STDERR_FILENO);
  cli_progress *p = terminal || verbose ? calloc(1, sizeof *p) : NULL;
  if (!p) return NULL;
  p->what = what;
  p->terminal = terminal;
  p->start = now();
  pthread_condattr_t monotonic;
  pthread_condattr_init(&monotonic);
  pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
  pthread_mutex_init(&p->mutex, NULL);
  pthread_cond_init(&p->wake, &monotonic);
  pthread_condattr_destroy(&monotonic);
  if (pthread_create(&p->thread, NULL, watch, p) == 0) return p;
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->mutex);
  free(p);
  return NULL;
}

void cli_progress_set(cli_progress *p, int64_t done, int64_t total) {
  if (!p) return;
  pthread_mutex_lock(&p->mutex);
  p->done = done;
  p->total = total;
  pthread_mutex_unlock(&p->mutex);
}

void cli_progress_clear(cli_progress *p) {
  if (!p) return;
  pthread_mutex_lock(&p->mutex);
  clear(p);
  pthread_mutex_unlock(&p->mutex);
}

void cli_progress_end(cli_progress *p) {
  if (!p) return;
  pthread_mutex_lock(&p->mutex);
  p->ended = true;
  pthread_cond_signal(&p->wake);
  pthread_mutex_unlock(&p->mutex);
  pthread_join(p->thread, NULL);
  pthread_cond_destroy(&p->wake);
  pthread_mutex_destroy(&p->mutex);
  free(p);
}
