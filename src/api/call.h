/* The boundary of the library. Every public function that may allocate does its work between
 * qn_call_begin and qn_call_end. If memory or time runs out in between, it returns QN_LIMIT
 * (base/guard.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_CALL_H
#define QN_API_CALL_H

#include "api/api.h"

typedef struct qn_call {
  qn_guard guard;
  qn_context *context;
  const char *about; /* file or model that messages about the call name; NULL if none */
  qn_ring *home;     /* owner of the blocks that outlive the call */
  qn_diag_state diag;
  qn_arena_mark scratch;
} qn_call;

/* Begins a call. `about` may be NULL. If `home` is NULL, the context owns the blocks that outlive
 * the call. */
void qn_call_begin(qn_call *call, qn_context *context, const char *about, qn_ring *home);
/* Ends a call; returns `status`. */
QN_NODISCARD qn_status qn_call_end(qn_call *call, qn_status status);
/* To be called after the jump. Restores the context, except that interned data stays, reports the
 * reason and returns QN_LIMIT. */
QN_NODISCARD qn_status qn_call_give_up(qn_call *call);

/* Evaluates `expression`, which is the whole work of a public function, and stores its status. The
 * expression may be aborted at any allocation, so it must not leak memory from outside base/heap.h,
 * and must not leave objects half changed. It must not change local variables of the function,
 * because of setjmp. */
#define QN_CALL(out_status, context, about, home, expression)                                      \
  do {                                                                                             \
    qn_call call_;                                                                                 \
    qn_call_begin(&call_, (context), (about), (home));                                             \
    if (setjmp(call_.guard.jump) == 0)                                                             \
      *(out_status) = qn_call_end(&call_, (expression));                                           \
    else                                                                                           \
      *(out_status) = qn_call_give_up(&call_);                                                     \
  } while (0)

/* Reports that memory does not suffice, without allocating; returns QN_LIMIT. */
QN_NODISCARD qn_status qn_call_refuse(qn_context *context, const char *about, qn_exceeded why);

#endif
