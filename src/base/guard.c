/* Guards and accounts. The innermost guard is the only thread-local variable of the library.
 * Passing it as a parameter would add it to nearly every function.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/guard.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/clock.h"

static _Thread_local qn_guard *current;

void qn_account_init(qn_account *account) {
  *account = (qn_account){.max_memory = SIZE_MAX, .clock = qn_clock_now};
  atomic_init(&account->used, 0);
}

qn_guard *qn_guard_current(void) { return current; }

void qn_guard_open(qn_guard *guard, qn_account *account) {
  guard->outer = current;
  guard->account = account;
  guard->exceeded = QN_EXCEEDED_NOTHING;
  guard->worked = 0;
  qn_ring_init(&guard->ring);
  current = guard;
}

void qn_guard_close(qn_guard *guard, qn_ring *home) {
  QN_ASSERT(current == guard);
  current = guard->outer;
  qn_ring_move(&guard->ring, home);
}

noreturn void qn_guard_unwind(qn_exceeded why) {
  qn_guard *guard = current;
  if (!guard) QN_UNREACHABLE("out of memory");
  guard->exceeded = why;
  current = guard->outer;
  longjmp(guard->jump, 1);
}

noreturn void qn_guard_unwind_tried(void) {
  bool known = current && current->exceeded;
  qn_guard_unwind(known ? current->exceeded : QN_EXCEEDED_SYSTEM);
}

bool qn_guard_is_late(void) {
  const qn_account *account = current ? current->account : NULL;
  bool late = account && account->timed && account->clock() >= account->deadline;
  if (late) current->exceeded = QN_EXCEEDED_TIME;
  return late;
}

void qn_guard_check_time(void) {
  if (qn_guard_is_late()) qn_guard_unwind(QN_EXCEEDED_TIME);
}

void qn_guard_work(int64_t units) {
  enum { MANY = 1 << 20 };
  if (!current || (current->worked += units) < MANY) return;
  current->worked = 0;
  qn_guard_check_time();
}

void qn_guard_foresee(size_t bytes) {
  qn_account *account = current ? current->account : NULL;
  if (!account) return;
  size_t used = atomic_load(&account->used);
  if (used > account->max_memory || bytes > account->max_memory - used)
    qn_guard_unwind(QN_EXCEEDED_MEMORY);
  void *volatile probe = malloc(bytes); /* volatile: else the pair may be optimized away */
  free(probe);
  if (!probe && bytes > 0) qn_guard_unwind(QN_EXCEEDED_SYSTEM);
}
