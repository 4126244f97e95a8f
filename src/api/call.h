/* The boundary of the library: every public function that may allocate does its work between begin
 * and end, and comes back with QN_LIMIT when memory or time runs out inside (base/guard.h).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_CALL_H
#define QN_API_CALL_H

#include "api/api.h"

typedef struct qn_call {
  qn_guard guard;
  qn_context *context;
  const char *about; /* the file or model, for the message; or NULL */
  qn_ring *home;     /* who owns what is made and outlives the call */
  qn_diag_state diag;
  qn_arena_mark scratch;
} qn_call;

/* `about` may be NULL; `home` NULL: the context. */
void qn_call_begin(qn_call *call, qn_context *context, const char *about, qn_ring *home);
/* Gives the status back. */
QN_NODISCARD qn_status qn_call_end(qn_call *call, qn_status status);
/* After the jump: the context is as it was, but for what was interned; says why. QN_LIMIT. */
QN_NODISCARD qn_status qn_call_give_up(qn_call *call);

/* The status of an expression that is the whole work of a public function. Nothing that it made
 * outside of base/heap.h, and nothing that it began to change, may be lost when it does not come
 * back. The locals of the function are not changed in it. */
#define QN_CALL(out_status, context, about, home, expression)                                      \
  do {                                                                                             \
    qn_call call_;                                                                                 \
    qn_call_begin(&call_, (context), (about), (home));                                             \
    if (setjmp(call_.guard.jump) == 0)                                                             \
      *(out_status) = qn_call_end(&call_, (expression));                                           \
    else                                                                                           \
      *(out_status) = qn_call_give_up(&call_);                                                     \
  } while (0)

/* Says that there is no memory, without any; QN_LIMIT. */
QN_NODISCARD qn_status qn_call_refuse(qn_context *context, const char *about, qn_exceeded why);

#endif
