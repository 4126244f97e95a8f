/* The boundary that a call comes back to when memory or time runs out in the middle of it. Between
 * open and close every allocation of the thread belongs to the guard; what can't go on unwinds to
 * the innermost guard, which gives back all that was made since. Nobody in between sees a failed
 * allocation, so a resource other than memory of base/heap.h needs an owner there
 * (qn_heap_own), and a structure that outlives the call is changed only when the memory for the
 * change is there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_GUARD_H
#define QN_BASE_GUARD_H

#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>

#include "base/heap.h"

/* Why a call was aborted. */
typedef enum qn_exceeded {
  QN_EXCEEDED_NOTHING,
  QN_EXCEEDED_SYSTEM, /* the system has no more memory */
  QN_EXCEEDED_MEMORY, /* the limit of the account */
  QN_EXCEEDED_TIME,
} qn_exceeded;

/* What is counted and how much of it there may be; outlives all blocks that were made on it. */
struct qn_account {
  atomic_size_t used;    /* bytes in blocks now */
  size_t max_memory;     /* SIZE_MAX: no limit */
  bool timed;            /* whether there is a deadline */
  double deadline;       /* by the clock below */
  double (*clock)(void); /* seconds; tests put their own here */
};

void qn_account_init(qn_account *account); /* no limits */

typedef struct qn_guard {
  jmp_buf jump;
  struct qn_guard *outer; /* of this thread */
  qn_account *account;
  qn_ring ring; /* what was made since it was opened, the newest first */
  qn_exceeded exceeded;
  int64_t worked; /* units since the time was looked at */
} qn_guard;

/* Opens a guard: `if (setjmp(guard.jump) == 0) { ...; qn_guard_close } else qn_guard_discard`. */
void qn_guard_open(qn_guard *guard, qn_account *account);
/* Ends it; what is left of the memory made since belongs to `home` from here on. */
void qn_guard_close(qn_guard *guard, qn_ring *home);
/* After the jump: gives back all that was made. The guard is closed already. */
static inline void qn_guard_discard(qn_guard *guard) { qn_ring_free(&guard->ring); }
/* The innermost guard of this thread, or NULL. */
qn_guard *qn_guard_current(void);

/* Jumps to the innermost guard. Without one, as in tests of single layers, it ends the process. */
noreturn void qn_guard_unwind(qn_exceeded why);
/* For the reason of the last qn_heap_try that failed; else for want of the system's memory. */
noreturn void qn_guard_unwind_tried(void);
/* Unwinds when the time is over: for loops whose length a file decides. */
void qn_guard_check_time(void);
/* The same for who has to close something first: true, and noted for qn_guard_unwind_tried. */
bool qn_guard_is_late(void);
/* The same after many units of work, each of some nanoseconds: for the inside of long loops. */
void qn_guard_work(int64_t units);
/* Unwinds unless `bytes` may be had from the account and, as far as it tells, from the system: for
 * what other libraries are about to allocate, which can't be unwound. */
void qn_guard_foresee(size_t bytes);

#endif
