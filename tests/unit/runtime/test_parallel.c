/* The thread pool: every unit runs exactly once for all counts; chunk boundaries are fixed;
 * sleeping workers wake up; the other threads don't wait for a late worker; after a stall the
 * caller works alone for a while; invalid thread counts are rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/parallel.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 300 };

static void count_units(void *const *args, int64_t lo, int64_t hi) {
  uint8_t *seen = args[0];
  for (int64_t i = lo; i < hi; i++) seen[i]++;
}

static void add_calls(void *const *args, int64_t lo, int64_t hi) {
  (void)lo;
  (void)hi;
  atomic_fetch_add((atomic_int *)args[0], 1);
}

static void add_units(void *const *args, int64_t lo, int64_t hi) {
  atomic_fetch_add((atomic_int *)args[0], (int)(hi - lo));
}

static void every_unit_once(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads <= 4; threads++) {
    qn_pool *pool;
    assert_int_equal(qn_pool_create(threads, &pool), QN_OK);
    for (int64_t count = 0; count <= MOST; count += 1 + count / 7) {
      uint8_t seen[MOST + 1] = {0};
      void *args[] = {seen};
      qn_pool_for(pool, count_units, args, count);
      for (int64_t i = 0; i <= MOST; i++) assert_int_equal(seen[i], i < count);
    }
    qn_pool_destroy(pool);
  }
}

static void many_jobs_in_a_row(void **state) {
  (void)state;
  enum { JOBS = 20000, UNITS = 8 };
  qn_pool *pool;
  assert_int_equal(qn_pool_create(2, &pool), QN_OK);
  atomic_int units = 0;
  void *args[] = {&units};
  for (int i = 0; i < JOBS; i++) {
    qn_pool_for(pool, add_units, args, UNITS);
    assert_int_equal(atomic_load(&units), (i + 1) * UNITS);
  }
  qn_pool_destroy(pool);
}

static void sleeping_workers_wake_up(void **state) {
  (void)state;
  qn_pool *pool;
  assert_int_equal(qn_pool_create(2, &pool), QN_OK);
  for (int i = 0; i < 5; i++) {
    uint8_t seen[MOST] = {0};
    void *args[] = {seen};
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    qn_pool_for(pool, count_units, args, MOST);
    for (int k = 0; k < MOST; k++) assert_int_equal(seen[k], 1);
  }
  qn_pool_destroy(pool);
}

static void slow_worker(void *const *args, int64_t lo, int64_t hi) {
  if (lo > 0) nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
  count_units(args, lo, hi);
}

static void caller_waits_for_slow_workers(void **state) {
  (void)state;
  for (int i = 0; i < 5; i++) {
    qn_pool *pool; /* a new one, because after a stall the caller works alone */
    assert_int_equal(qn_pool_create(2, &pool), QN_OK);
    uint8_t seen[MOST] = {0};
    void *args[] = {seen};
    qn_pool_for(pool, slow_worker, args, MOST);
    for (int k = 0; k < MOST; k++) assert_int_equal(seen[k], 1);
    qn_pool_destroy(pool);
  }
}

/* ---- a worker that is not scheduled ---- */

static int held[2], go_on[2]; /* pipes, because a signal handler may use nothing else */

static void hold(int signal) {
  (void)signal;
  char byte = 0;
  if (write(held[1], &byte, 1) != 1 || read(go_on[0], &byte, 1) != 1) _exit(1);
}

typedef struct meeting {
  pthread_t worker;
  atomic_bool is_met;
} meeting;

/* The caller's chunk ends after the worker's. */
static void meet(void *const *args, int64_t lo, int64_t hi) {
  (void)hi;
  meeting *m = args[0];
  if (lo > 0) {
    m->worker = pthread_self();
    atomic_store(&m->is_met, true);
  }
  while (!atomic_load(&m->is_met)) {
  }
}

/* A new pool of two threads, which shares its first job; skips the test where only one may run. */
static qn_pool *pool_of_two(void) {
  qn_pool *pool;
  assert_int_equal(qn_pool_create(2, &pool), QN_OK);
  if (qn_pool_threads(pool) == 1) {
    qn_pool_destroy(pool);
    skip();
  }
  return pool;
}

/* Like meet, and the worker is interrupted. */
static void stall(void *const *args, int64_t lo, int64_t hi) {
  meet(args, lo, hi);
  if (lo > 0) nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* A job of 2 units has one call per chunk if it is shared, else one call. */
static int calls_of_a_job(qn_pool *pool) {
  atomic_int calls = 0;
  qn_pool_for(pool, add_calls, (void *[]){&calls}, 2);
  return atomic_load(&calls);
}

/* The threads meet only in the first job of a pool: a later one is not shared if the test itself is
 * interrupted, and the caller would wait for ever. */
static void the_caller_works_alone_after_a_stall(void **state) {
  (void)state;
  int calls = 2;
  for (int i = 0; i < 100 && calls > 1;
       i++) { /* the period may end while the test waits for a CPU */
    qn_pool *pool = pool_of_two();
    meeting m = {0};
    qn_pool_for(pool, stall, (void *[]){&m}, 2);
    calls = calls_of_a_job(pool);
    nanosleep(&(struct timespec){.tv_nsec = 150000000}, NULL);
    assert_int_equal(calls_of_a_job(pool), 2);
    qn_pool_destroy(pool);
  }
  assert_int_equal(calls, 1);
}

static void late_workers_are_not_waited_for(void **state) {
  (void)state;
  qn_pool *pool = pool_of_two();
  meeting m = {0};
  qn_pool_for(pool, meet, (void *[]){&m}, 2);
  assert_int_equal(pipe(held), 0);
  assert_int_equal(pipe(go_on), 0);
  struct sigaction action = {.sa_handler = hold}, before;
  assert_int_equal(sigaction(SIGUSR1, &action, &before), 0);
  for (int i = 0; i < 5; i++) {
    char byte = 0;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* the worker sleeps, without locks */
    assert_int_equal(pthread_kill(m.worker, SIGUSR1), 0);
    assert_int_equal(read(held[0], &byte, 1), 1);
    uint8_t seen[MOST] = {0};
    void *args[] = {seen};
    for (int job = 0; job < 3; job++) qn_pool_for(pool, count_units, args, MOST);
    assert_int_equal(write(go_on[1], &byte, 1), 1);
    for (int job = 0; job < 3; job++) qn_pool_for(pool, count_units, args, MOST);
    for (int k = 0; k < MOST; k++) assert_int_equal(seen[k], 6);
  }
  qn_pool_destroy(pool); /* the worker has left the handler */
  sigaction(SIGUSR1, &before, NULL);
  for (int i = 0; i < 2; i++) {
    close(held[i]);
    close(go_on[i]);
  }
}

/* A forked child has no workers: it must not wait for them, and runs all units itself. */
static void forked_children_go_on_alone(void **state) {
  (void)state;
  /* QEMU's user mode says that it wipes pages of children, and does not. */
  if (getenv("QUERN_EMULATED")) skip();
  qn_pool *pool;
  assert_int_equal(qn_pool_create(2, &pool), QN_OK);
  uint8_t seen[MOST] = {0};
  void *args[] = {seen};
  qn_pool_for(pool, count_units, args, MOST);
  pid_t child = fork();
  if (child == 0) {
    alarm(10);
    qn_pool_for(pool, count_units, args, MOST);
    int missing = 0;
    for (int k = 0; k < MOST; k++) missing += seen[k] != 2;
    qn_pool_destroy(pool);
    _exit(missing != 0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  qn_pool_for(pool, count_units, args, MOST);
  for (int k = 0; k < MOST; k++) assert_int_equal(seen[k], 2);
  qn_pool_destroy(pool);
}

/* A worker that wakes up when the pool ends finds no job. It must not repeat the last one, because
 * its kernel may not exist any more. The pauses vary the moment at which it wakes up. */
static void nothing_is_done_twice_at_the_end(void **state) {
  (void)state;
  enum { POOLS = 1000, JOBS = 3, UNITS = 8, PAUSES = 97 };
  for (int i = 0; i < POOLS; i++) {
    qn_pool *pool;
    atomic_int calls = 0;
    void *args[] = {&calls};
    assert_int_equal(qn_pool_create(2, &pool), QN_OK);
    for (int k = 0; k < JOBS; k++) qn_pool_for(pool, add_calls, args, UNITS);
    const int expected = atomic_load(&calls);
    for (volatile int pause = 0; pause < i % PAUSES * 8; pause = pause + 1) continue;
    qn_pool_destroy(pool);
    assert_int_equal(atomic_load(&calls), expected);
  }
}

static void thread_counts(void **state) {
  (void)state;
  qn_pool *pool;
  assert_int_equal(qn_pool_create(0, &pool), QN_INVALID);
  assert_null(pool);
  assert_int_equal(qn_pool_create(100000, &pool), QN_OK);
  assert_true(qn_pool_threads(pool) >= 1 && qn_pool_threads(pool) < 100000);
  qn_pool_destroy(pool);
  qn_pool_destroy(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_unit_once),
      cmocka_unit_test(many_jobs_in_a_row),
      cmocka_unit_test(sleeping_workers_wake_up),
      cmocka_unit_test(caller_waits_for_slow_workers),
      cmocka_unit_test(the_caller_works_alone_after_a_stall),
      cmocka_unit_test(late_workers_are_not_waited_for),
      cmocka_unit_test(nothing_is_done_twice_at_the_end),
      cmocka_unit_test(thread_counts),
      cmocka_unit_test(forked_children_go_on_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
