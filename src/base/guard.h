/* Aborts a call in which memory or time runs out. Between qn_guard_open and qn_guard_close, every
 * allocation of the thread belongs to the guard. Code that can't continue unwinds by longjmp to the
 * innermost guard, which frees all allocations made since it was opened. The functions in between
 * never see a failed allocation. Two rules follow from that. A resource other than memory of
 * base/heap.h needs an owner block (qn_heap_own). A structure that outlives the call is changed
 * only after the memory for the change has been allocated.
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

/* Counts allocated memory and holds the limits of memory and time. An account must outlive all
 * blocks that were allocated on it. */
struct qn_account {
  atomic_size_t used;    /* bytes that are allocated now */
  size_t max_memory;     /* SIZE_MAX: no limit */
  bool timed;            /* whether `deadline` applies */
  double deadline;       /* in seconds of `clock` */
  double (*clock)(void); /* the current time in seconds; tests replace it */
};

void qn_account_init(qn_account *account); /* no limits */

typedef struct qn_guard {
  jmp_buf jump;
  struct qn_guard *outer; /* the enclosing guard of this thread, or NULL */
  qn_account *account;
  qn_ring ring; /* blocks allocated since the guard was opened, newest first */
  qn_exceeded exceeded;
  int64_t worked; /* units of work since the clock was last read (qn_guard_work) */
} qn_guard;

/* Opens a guard: `if (setjmp(guard.jump) == 0) { ...; qn_guard_close } else qn_guard_discard`. */
void qn_guard_open(qn_guard *guard, qn_account *account);
/* Closes the guard. Blocks that were allocated since it was opened and not freed are moved to
 * `home`. */
void qn_guard_close(qn_guard *guard, qn_ring *home);
/* To be called after the jump: frees all blocks of the guard, which the jump has closed already. */
static inline void qn_guard_discard(qn_guard *guard) { qn_ring_free(&guard->ring); }
/* The innermost guard of this thread, or NULL. */
qn_guard *qn_guard_current(void);

/* Jumps to the innermost guard. If there is no guard, as in tests of single layers, the process
 * ends. */
noreturn void qn_guard_unwind(qn_exceeded why);
/* Unwinds with the reason that the last failed qn_heap_try or qn_guard_is_late has recorded;
 * QN_EXCEEDED_SYSTEM if none is recorded. */
noreturn void qn_guard_unwind_tried(void);
/* Unwinds if the deadline has passed. For loops whose length depends on a file. */
void qn_guard_check_time(void);
/* Returns true if the deadline has passed, and records that for qn_guard_unwind_tried. For callers
 * that must release something before they unwind. */
bool qn_guard_is_late(void);
/* Like qn_guard_check_time, but reads the clock only once per many units of work. A unit is some
 * nanoseconds. For the bodies of long loops. */
void qn_guard_work(int64_t units);
/* Unwinds unless `bytes` more would fit the limit of the account and, as far as can be known, the
 * memory of the system. For memory that another library is about to allocate, because code of other
 * libraries can't be unwound. */
void qn_guard_foresee(size_t bytes);

#endif
