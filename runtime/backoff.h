/* When a pool works alone. A worker that the system interrupts in the middle of a part makes its
 * caller wait for a time slice or more, which may be longer than the whole invocation. So after
 * such a stall the caller works alone for a while, and for longer each time that sharing stalls
 * again.
 *
 * Times are nanoseconds of one monotonic clock, which the caller reads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_BACKOFF_H
#define QN_RUNTIME_BACKOFF_H

#include <stdbool.h>
#include <stdint.h>

typedef struct qn_backoff {
  int64_t end;    /* of the last period of working alone; 0: there was none */
  int64_t length; /* of that period */
  int64_t shared; /* time of sharing since then */
} qn_backoff;

/* Whether a wait for another thread's part is a stall: `waited` nanoseconds at the end of a job in
 * which the caller was busy for `worked`. The parts of a large kernel take long too, but the last
 * one is a small fraction of the job. */
bool qn_backoff_is_stall(int64_t worked, int64_t waited);

/* Sharing took `time` without a stall. */
static inline void qn_backoff_shared(qn_backoff *backoff, int64_t time) { backoff->shared += time; }

/* A stall ended at `now`. The period that starts is QN_BACKOFF_FIRST long if sharing worked for
 * QN_BACKOFF_CALM since the last, else eight times as long as that, up to QN_BACKOFF_LONGEST. */
void qn_backoff_stalled(qn_backoff *backoff, int64_t now);

/* Whether to work alone at `now`. */
static inline bool qn_backoff_alone(const qn_backoff *backoff, int64_t now) {
  return now < backoff->end;
}

enum {
  QN_BACKOFF_FIRST = 10000000,     /* 10 ms: one stall on an idle machine costs little */
  QN_BACKOFF_LONGEST = 1280000000, /* 1.28 s: of invocations of 12 ms, fewer than 1 % stall */
  QN_BACKOFF_CALM = 100000000,     /* 100 ms: dozens of time slices */
};

#endif
