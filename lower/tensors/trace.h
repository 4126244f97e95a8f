/* Internals of the lowering of a function on tensors: which blocks a call with given shapes
 * reaches, and what is known of values there.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_TENSORS_TRACE_H
#define QN_LOWER_TENSORS_TRACE_H

#include "lower/loops/elements/elements.h"

/* A control-flow edge that a call with these shapes may take. */
typedef struct qn_edge {
  const qn_op *branch;
  uint32_t successor;
  struct qn_flow *from;
  struct qn_edge *next;
} qn_edge;

/* A block, in an order in which all its predecessors come before it. */
typedef struct qn_flow {
  const qn_block *block;
  qn_edge *edges;  /* [edge_count] possible incoming edges; none for the entry block */
  uint32_t unseen; /* incoming edges, possible or not, from blocks that are not in the order yet */
  struct qn_flow *next; /* next reachable block of the order */
  qn_value *active;     /* i1 in @main: whether the call reaches this block; NULL: always */
} qn_flow;

typedef struct qn_trace {
  qn_elements elements;
  const qn_module *source;
  const qn_op *func;
  qn_flow *flow;       /* blocks in order, from the entry on */
  const qn_op *result; /* first func.return of the order */
} qn_trace;

static inline qn_place_of *qn_trace_place(const qn_trace *t, const qn_value *value) {
  return qn_elements_place(&t->elements, value);
}

/* Finds values that depend only on shapes, and the blocks that a call may reach; rejects what
 * cannot be lowered; then runs each of these blocks in the interpreter on zeros, to get types and
 * contents, which do not depend on tensor elements. The run also checks every access of a
 * linalg.generic. */
QN_NODISCARD qn_status qn_trace_run(qn_trace *t, const qn_type *const *types, int64_t max_steps);
/* Reports ops and arguments of the block without machine code, and marks values that depend only on
 * shapes. */
bool qn_trace_check(qn_trace *t, const qn_block *block);
/* Sets flow->active, and sets the buffers of the block's arguments (branches.c). */
QN_NODISCARD qn_status qn_trace_enter(qn_trace *t, qn_flow *flow);

#endif
