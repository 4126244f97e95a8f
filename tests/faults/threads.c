/* The whole API in several threads at once, each with a context of its own: the results are those
 * of one thread alone, and the thread sanitizer, under which this runs too, sees nothing shared.
 *
 *   threads FOLDER    an empty one, for files
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/faults/scenario.h"

enum { THREADS = 4, MOST = 64 };

typedef struct worker {
  char folder[512];
  unsigned first;          /* scenario; each begins at another */
  uint64_t expected[MOST]; /* its folder's name is in some results */
  long wrong;
} worker;

static const scenario *list[MOST];
static unsigned count;

static void collect(void) {
  for (const scenario *const *each = all_scenarios; *each; each++)
    for (const scenario *s = *each; s->name && count < MOST; s++) list[count++] = s;
}

/* The digest; complains about what fails. */
static uint64_t run_one(worker *w, const scenario *what) {
  run r = {.scenario = what, .folder = w->folder, .context = qn_context_create()};
  if (!r.context) return 0;
  execute(&r);
  if (r.status != QN_OK) {
    fprintf(stderr, "%s: '%s': %s\n", what->name, qn_status_name(r.status), r.message);
    w->wrong++;
  }
  qn_context_destroy(r.context);
  return r.digest;
}

static void *work(void *user) {
  worker *w = user;
  for (unsigned i = 0; i < count; i++) {
    unsigned k = (w->first + i) % count;
    if (run_one(w, list[k]) == w->expected[k]) continue;
    fprintf(stderr, "%s: another result than in one thread\n", list[k]->name);
    w->wrong++;
  }
  return NULL;
}

int main(int argc, char **argv) {
  static worker workers[THREADS];
  pthread_t threads[THREADS];
  long wrong = 0;
  if (argc != 2) return 2;
  collect();
  for (unsigned t = 0; t < THREADS; t++) {
    worker *w = &workers[t];
    w->first = t * count / THREADS;
    snprintf(w->folder, sizeof w->folder, "%s/%u", argv[1], t);
    if (mkdir(w->folder, 0700) != 0) return 2;
    write_samples(w->folder);
    use_cpus(1); /* what there is at first is remembered here, before there are threads */
    for (unsigned i = 0; i < count; i++) w->expected[i] = run_one(w, list[i]);
  }
  use_cpus(THREADS);
  for (unsigned t = 0; t < THREADS; t++)
    if (pthread_create(&threads[t], NULL, work, &workers[t]) != 0) return 2;
  for (unsigned t = 0; t < THREADS; t++) {
    pthread_join(threads[t], NULL);
    wrong += workers[t].wrong;
  }
  printf("%u scenarios in %d threads, %ld findings\n", count, THREADS, wrong);
  return wrong == 0 ? 0 : 1;
}
