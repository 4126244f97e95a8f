/* Threads are created for each call, because parallel work takes milliseconds and starting a thread
 * takes microseconds. Each thread takes the next piece from a shared atomic counter.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/workers.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { MAX_THREADS = 8 };

typedef struct crew {
  atomic_uint next;
  uint32_t count, grain;
  qn_work *work;
  void *user;
} crew;

uint32_t qn_usable_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return (uint32_t)CPU_COUNT(&set);
}

static void *work_on(void *user) {
  crew *c = user;
  uint32_t pieces = (c->count + c->grain - 1) / c->grain, piece;
  while ((piece = atomic_fetch_add(&c->next, 1)) < pieces) {
    uint32_t begin = piece * c->grain, left = c->count - begin;
    c->work(c->user, begin, begin + (left < c->grain ? left : c->grain));
  }
  return NULL;
}

void qn_workers_run(uint32_t count, uint32_t grain, qn_work *work, void *user) {
  if (count == 0) return;
  crew c = {.count = count, .grain = grain, .work = work, .user = user};
  uint32_t pieces = (count + grain - 1) / grain, wanted = qn_usable_cpus(), running = 0;
  if (wanted > MAX_THREADS) wanted = MAX_THREADS;
  if (wanted > pieces) wanted = pieces;
  pthread_t threads[MAX_THREADS];
  while (running + 1 < wanted && pthread_create(&threads[running], NULL, work_on, &c) == 0)
    running++;
  work_on(&c);
  for (uint32_t i = 0; i < running; i++) pthread_join(threads[i], NULL);
}
