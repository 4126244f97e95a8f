/* Inside the lowering of a function on tensors: which blocks a call with given shapes comes to, and
 * what is known of values there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_TENSORS_TRACE_H
#define QN_LOWER_TENSORS_TRACE_H

#include "lower/loops/elements/elements.h"

/* A way into a block that a call with these shapes may take. */
typedef struct qn_edge {
  const qn_op *branch;
  uint32_t successor;
  struct qn_flow *from;
  struct qn_edge *next;
} qn_edge;

/* A block, in an order in which all its predecessors come before it. */
typedef struct qn_flow {
  const qn_block *block;
  qn_edge *edges;       /* what may lead here; nothing to the entry */
  uint32_t unseen;      /* ways in, possible or not, from blocks that are not in the order yet */
  struct qn_flow *next; /* of the order, possible ones only */
  qn_value *active;     /* in @main, an i1: whether the call comes here. NULL: it always does */
} qn_flow;

typedef struct qn_trace {
  qn_elements elements;
  const qn_module *source;
  const qn_op *func;
  qn_flow *flow;       /* from the entry on */
  const qn_op *result; /* the first func.return of the order */
} qn_trace;

static inline qn_place_of *qn_trace_place(const qn_trace *t, const qn_value *value) {
  return qn_elements_place(&t->elements, value);
}

/* Finds what is fixed and which blocks a call may come to, rejects what can't be lowered, and runs
 * each of these blocks in the interpreter on zeros for types and contents: neither depends on
 * numbers once nothing is rejected. As a side effect of the run every access of a linalg.generic
 * has been checked. */
QN_NODISCARD qn_status qn_trace_run(qn_trace *t, const qn_type *const *types, int64_t max_steps);
/* Reports what of the block's ops and arguments has no machine code, and marks what is fixed. */
bool qn_trace_check(qn_trace *t, const qn_block *block);
/* Sets flow->active and gives the block's arguments their buffers (branches.c). */
QN_NODISCARD qn_status qn_trace_enter(qn_trace *t, qn_flow *flow);

#endif
