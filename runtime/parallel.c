/* The thread pool. Operators of a model follow each other within microseconds, so workers spin for
 * a short time after each job before they sleep, and so does the caller while it waits.
 *
 * Protocol: the caller writes the job, sets `pending` to the number of parts, and increments
 * `epoch`. A thread that sees the new epoch claims parts of chunks, first those of its own chunk,
 * executes them, and subtracts them from `pending`. The caller returns when `pending` is 0. So no
 * thread waits for a worker that the system has not scheduled yet, or that is on a slower CPU:
 * another thread executes the unclaimed parts of its chunk, and a late worker finds nothing to
 * claim.
 *
 * A thread claims a part by advancing the mark of the chunk, from the end of the previous job or
 * from the previous part of this job; a worker that is one job late cannot do that. Only a thread
 * that has claimed a part reads the job, and the job cannot end before that part is done. The
 * counters are the only data shared without the lock. They are sequentially consistent, so that
 * these two sequences cannot miss each other: "announce sleep, then check for a job" and "publish a
 * job, then check for sleepers".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "runtime/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "runtime/backoff.h"
#include "runtime/clock.h"

/* About 250 us of pause instructions: longer than operators that run in one thread, and than waking
 * a CPU; shorter than a time slice. */
enum { SPINS = 5000, CACHE_LINE = 64, FORK_MARK = 4096 };

/* A chunk of at least UNITS_OF_PARTS work items is claimed in parts of a half, a quarter and two
 * eighths; a smaller chunk in one part. The number of parts is small, because a kernel reads all of
 * its weights for every part. */
enum { PARTS = 4, UNITS_OF_PARTS = 16 };

typedef struct worker {
  qn_pool *pool;
  pthread_t thread;
  uint32_t number; /* 1..threads - 1; the caller is 0 */
} worker;

typedef struct mark {
  _Alignas(CACHE_LINE) atomic_uint_least64_t last; /* epoch << 32 | claimed parts of the chunk */
} mark;

struct qn_pool {
  uint32_t threads, started;
  worker *workers;
  mark *marks; /* [threads] the mark of each chunk */

  /* The job; written by the caller while no part is pending. */
  qn_abi_kernel *kernel;
  void *const *args;
  int64_t count;
  /* The caller's: whether it shares jobs, when the last one began that it shared, 0 if it worked
   * alone since, and how often the system had interrupted it by then. */
  qn_backoff backoff;
  int64_t start;
  long interruptions;
  atomic_bool stop;
  const uint8_t
      *threads_live; /* a page of 1 that reads 0 in a forked child, which has no workers */

  _Alignas(CACHE_LINE) atomic_uint epoch;   /* jobs so far */
  _Alignas(CACHE_LINE) atomic_uint pending; /* parts that are not done */
  atomic_uint sleeping;                     /* workers that wait for `work` */
  atomic_bool waiting;                      /* the caller waits for `done` */
  pthread_mutex_t lock;
  pthread_cond_t work, done;
};

static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

static bool reached(atomic_uint *counter, unsigned old, bool until_different) {
  return (atomic_load(counter) != old) == until_different;
}

/* Spins until the counter differs from `value` (or equals it). Returns false if that takes too
 * long. */
static bool spin(atomic_uint *counter, unsigned value, bool until_different) {
  for (int i = 0; i < SPINS; i++) {
    if (reached(counter, value, until_different)) return true;
    relax();
  }
  return reached(counter, value, until_different);
}

/* floor(count * i / n) without overflow: the start of chunk i of n. */
static int64_t boundary(int64_t count, uint32_t i, uint32_t n) {
  return count / n * i + count % n * i / n;
}

/* The end of part `part`, which starts at `lo`, in a chunk of `units` work items that ends at `hi`.
 */
static int64_t part_end(int64_t lo, int64_t hi, int64_t units, uint32_t part) {
  return part + 1 == PARTS || units < UNITS_OF_PARTS ? hi : lo + (hi - lo) / 2;
}

static void do_part(const qn_pool *pool, uint32_t i, uint32_t part) {
  int64_t lo = boundary(pool->count, i, pool->threads);
  int64_t end = boundary(pool->count, i + 1, pool->threads), units = end - lo;
  int64_t hi = part_end(lo, end, units, 0);
  for (uint32_t k = 1; k <= part; k++) {
    lo = hi;
    hi = part_end(lo, end, units, k);
  }
  if (lo < hi) pool->kernel(pool->args, lo, hi);
}

/* Claims the next part of a chunk. Returns PARTS if all are claimed. */
static uint32_t claim(mark *m, unsigned epoch) {
  uint64_t none = (uint64_t)epoch << 32, before = (uint64_t)(epoch - 1) << 32 | PARTS;
  uint64_t last = atomic_load(&m->last);
  while (last == before || (last >= none && last < none + PARTS)) {
    uint64_t first = last == before ? none : last;
    if (atomic_compare_exchange_weak(&m->last, &last, first + 1)) return (uint32_t)(first - none);
  }
  return PARTS;
}

/* Executes unclaimed parts of the job, beginning with the thread's own chunk, because its caches
 * hold the same rows of each layer. */
static void do_parts(qn_pool *pool, unsigned epoch, uint32_t own) {
  unsigned done = 0;
  for (uint32_t k = 0; k < pool->threads; k++) {
    uint32_t i = (own + k) % pool->threads, part;
    for (; (part = claim(&pool->marks[i], epoch)) < PARTS; done++) do_part(pool, i, part);
  }
  if (done && atomic_fetch_sub(&pool->pending, done) == done && atomic_load(&pool->waiting)) {
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->done);
    pthread_mutex_unlock(&pool->lock);
  }
}

static void sleep_until_job(qn_pool *pool, unsigned seen) {
  pthread_mutex_lock(&pool->lock);
  atomic_fetch_add(&pool->sleeping, 1);
  while (atomic_load(&pool->epoch) == seen) pthread_cond_wait(&pool->work, &pool->lock);
  atomic_fetch_sub(&pool->sleeping, 1);
  pthread_mutex_unlock(&pool->lock);
}

static void *run_worker(void *argument) {
  worker *self = argument;
  qn_pool *pool = self->pool;
  for (unsigned seen = 0;;) {
    if (!spin(&pool->epoch, seen, true)) sleep_until_job(pool, seen);
    seen = atomic_load(&pool->epoch); /* several jobs may have passed */
    /* `stop` is read after the epoch: the last epoch has no job, so no part of it may be claimed.
     */
    if (atomic_load(&pool->stop)) return NULL;
    do_parts(pool, seen, self->number);
  }
}

/* Publishes the job and wakes sleeping workers. Returns the epoch of the job. */
static unsigned announce(qn_pool *pool) {
  unsigned epoch = atomic_fetch_add(&pool->epoch, 1) + 1;
  if (atomic_load(&pool->sleeping) == 0) return epoch;
  pthread_mutex_lock(&pool->lock);
  pthread_cond_broadcast(&pool->work);
  pthread_mutex_unlock(&pool->lock);
  return epoch;
}

static void wait_for_parts(qn_pool *pool) {
  if (spin(&pool->pending, 0, false)) return;
  const int64_t slept = qn_nanoseconds();
  pthread_mutex_lock(&pool->lock);
  atomic_store(&pool->waiting, true);
  while (atomic_load(&pool->pending) != 0) pthread_cond_wait(&pool->done, &pool->lock);
  atomic_store(&pool->waiting, false);
  pthread_mutex_unlock(&pool->lock);
  const int64_t end = qn_nanoseconds();
  if (qn_backoff_is_stall(slept - pool->start, end - slept))
    qn_backoff_stalled(&pool->backoff, end);
}

/* Whether the system has interrupted the caller's thread since the last call. */
static bool was_interrupted(qn_pool *pool) {
  struct rusage usage;
  const long before = pool->interruptions;
  if (getrusage(RUSAGE_THREAD, &usage) == 0) pool->interruptions = usage.ru_nivcsw;
  return pool->interruptions != before;
}

/* Judges the time since the last job that was shared. A worker that is woken on the caller's CPU
 * interrupts it, and spins when it has no more parts. The caller then sees a long time from one job
 * to the next. A longer one has other reasons. LONG is less than SPINS take where pauses are short
 * (90 us on Zen 4), and far more than the system call. */
static void judge_sharing(qn_pool *pool, int64_t now) {
  enum { LONG = 80000, LONGEST = 10000000 };
  const int64_t gap = now - pool->start;
  const bool counts = pool->start != 0 && gap < LONGEST;
  const bool stalled = (!counts || gap >= LONG) && was_interrupted(pool);
  if (counts && stalled) qn_backoff_stalled(&pool->backoff, now);
  if (counts && !stalled) qn_backoff_shared(&pool->backoff, gap);
}

static bool works_alone(qn_pool *pool) {
  if (pool->threads == 1 || !*pool->threads_live) return true;
  const int64_t now = qn_nanoseconds();
  if (!qn_backoff_alone(&pool->backoff, now)) judge_sharing(pool, now);
  const bool alone = qn_backoff_alone(&pool->backoff, now);
  pool->start = alone ? 0 : now;
  return alone;
}

void qn_pool_for(void *user, qn_abi_kernel *kernel, void *const *args, qn_abi_index count) {
  qn_pool *pool = user;
  if (count <= 1 || works_alone(pool)) {
    kernel(args, 0, count);
    return;
  }
  pool->kernel = kernel;
  pool->args = args;
  pool->count = count;
  atomic_store(&pool->pending, pool->threads * PARTS);
  do_parts(pool, announce(pool), 0);
  wait_for_parts(pool);
}

static uint32_t usable_cpus(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? (uint32_t)count : 1;
}

/* A page that the system wipes in forked children. So no fork is counted, and no handler is
 * installed for the whole process. */
static const uint8_t *make_fork_mark(void) {
  uint8_t *page = mmap(NULL, FORK_MARK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  if (madvise(page, FORK_MARK, MADV_WIPEONFORK) != 0) {
    munmap(page, FORK_MARK);
    return NULL;
  }
  *page = 1;
  return page;
}

static bool start_workers(qn_pool *pool) {
  for (uint32_t i = 1; i < pool->threads; i++) {
    worker *w = &pool->workers[i];
    *w = (worker){.pool = pool, .number = i};
    if (pthread_create(&w->thread, NULL, run_worker, w) != 0) return false;
    pool->started++;
  }
  return true;
}

qn_status qn_pool_create(uint32_t threads, qn_pool **out_pool) {
  *out_pool = NULL;
  if (threads == 0) return QN_INVALID;
  qn_pool *pool = aligned_alloc(CACHE_LINE, sizeof *pool);
  if (!pool) return QN_LIMIT;
  *pool = (qn_pool){.threads = threads};
  uint32_t cpus = usable_cpus();
  if (pool->threads > cpus) pool->threads = cpus;
  pthread_mutex_init(&pool->lock, NULL);
  pthread_cond_init(&pool->work, NULL);
  pthread_cond_init(&pool->done, NULL);
  pool->workers = calloc(pool->threads, sizeof *pool->workers);
  pool->marks = aligned_alloc(CACHE_LINE, pool->threads * sizeof *pool->marks);
  pool->threads_live = make_fork_mark();
  for (uint32_t i = 0; pool->marks && i < pool->threads; i++)
    atomic_init(&pool->marks[i].last, (uint64_t)PARTS); /* the end of job 0, which does not exist */
  if (!pool->workers || !pool->marks || !pool->threads_live || !start_workers(pool)) {
    qn_pool_destroy(pool);
    return QN_LIMIT;
  }
  *out_pool = pool;
  return QN_OK;
}

static void stop_workers(qn_pool *pool) {
  atomic_store(&pool->stop, true);
  announce(pool);
  for (uint32_t i = 1; i <= pool->started; i++) pthread_join(pool->workers[i].thread, NULL);
  pthread_cond_destroy(&pool->done);
  pthread_cond_destroy(&pool->work);
  pthread_mutex_destroy(&pool->lock);
}

/* In a forked child there are no threads to join, and locks are in the state in which the parent's
 * threads left them. So only the memory is freed. */
void qn_pool_destroy(qn_pool *pool) {
  if (!pool) return;
  if (!pool->threads_live || *pool->threads_live) stop_workers(pool);
  if (pool->threads_live) munmap((void *)(uintptr_t)pool->threads_live, FORK_MARK);
  free(pool->workers);
  free(pool->marks);
  free(pool);
}

uint32_t qn_pool_threads(const qn_pool *pool) { return pool->threads; }
