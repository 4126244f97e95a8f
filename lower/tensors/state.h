/* Inside the lowering of tensors: what is known of each value, and the kernels of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_TENSORS_STATE_H
#define QN_LOWER_TENSORS_STATE_H

#include "lower/loops/loops.h"

/* What is known of a value outside of linalg.generic. */
typedef struct qn_place_of {
  const qn_type *type; /* at run time: static */
  bool fixed;          /* follows from the shapes alone */
  bool known;          /* fixed values, constants and tensor.empty: the elements are */
  qn_bytes content;
  qn_value *buffer; /* in @main; NULL: none so far */
} qn_place_of;

/* A way into a block that a call with these shapes may take. */
typedef struct qn_edge {
  const qn_op *branch;
  uint32_t successor;
  struct qn_flow *from;
  struct qn_edge *next;
} qn_edge;

/* A block, in an order in which all that leads to it stands before. */
typedef struct qn_flow {
  const qn_block *block;
  qn_edge *edges;       /* what may lead here; nothing to the entry */
  uint32_t unseen;      /* ways in, possible or not, from blocks that are not in the order yet */
  struct qn_flow *next; /* of the order, possible ones only */
  qn_value *active;     /* in @main, an i1: whether the call comes here. NULL: it always does */
} qn_flow;

typedef struct qn_tensors {
  qn_loops *lo; /* module, main, kernels, constants */
  const qn_module *source;
  const qn_op *func;
  qn_flow *flow;       /* from the entry on */
  const qn_op *result; /* the first func.return of the order */
  qn_place_of *places; /* by value id */
  qn_value *memory;    /* the arena, an argument of @main */
  int64_t arena_bytes;
} qn_tensors;

static inline qn_place_of *qn_tensors_place(const qn_tensors *t, const qn_value *value) {
  return &t->places[value->id];
}

/* Finds what is fixed and which blocks a call may come to, refuses what can't be lowered, and runs
 * each of these blocks in the interpreter on zeros for types and contents: neither depends on
 * numbers once nothing is refused. As a side effect of the run every access of a linalg.generic has
 * been checked. */
QN_NODISCARD qn_status qn_tensors_trace(qn_tensors *t, const qn_type *const *types,
                                        int64_t max_steps);
/* Reports what of the block's ops and arguments has no machine code, and marks what is fixed. */
bool qn_tensors_check_block(qn_tensors *t, const qn_block *block);
/* Reports, QN_UNSUPPORTED: "'dialect.op' op <what>". */
void qn_tensors_refuse(qn_ir_context *cx, const qn_op *op, const char *what);

/* Whether kernels can hold the type: scalars and tensors of index, signless integers of at most 64
 * bits, f16, bf16, f32 and f64. */
bool qn_tensors_is_representable(qn_ir_context *cx, const qn_type *type);
/* Whether a linalg.generic's body has a kernel; reports what has none. */
bool qn_tensors_check_generic(qn_ir_context *cx, const qn_op *op);
/* Whether the op reads and writes scalars, vectors or tensors elementwise and can be executed on
 * any number without trapping. */
bool qn_tensors_is_elementwise(const qn_op *op);

/* The element that kernels compute with for that type: of a quantized type the signless integer of
 * its storage. */
const qn_type *qn_tensors_element(qn_ir_context *cx, const qn_type *type);
/* What holds it in memory: integers, as the interpreter has them, sign-extended to whole bytes. */
const qn_type *qn_tensors_memory_element(qn_ir_context *cx, const qn_type *type);
/* Number of elements of a static type; 1 for scalars. */
int64_t qn_tensors_count(const qn_type *type);
/* The buffer of a value, made of its content if it has none yet. */
qn_value *qn_tensors_buffer(qn_tensors *t, const qn_value *value);
/* A new one in the arena for the type of the place, unless that has one. QN_LIMIT, reported at the
 * op, when the arena would be too large. */
QN_NODISCARD qn_status qn_tensors_new_buffer(qn_tensors *t, const qn_op *op, qn_place_of *place);

/* Kernels of one op, in @main. The op is one that qn_tensors_trace accepts. */
QN_NODISCARD qn_status qn_tensors_lower_op(qn_tensors *t, const qn_op *op);
/* The elements of a value of that static type, from one buffer to another; of unsigned storage,
 * which shares buffers with its integers, they end up zero-extended. `when`, an i1, says whether;
 * NULL: always. */
void qn_tensors_copy(qn_tensors *t, const qn_op *op, const qn_type *type, qn_value *from,
                     qn_value *to, qn_value *when);
/* The number of a splat in all elements of a buffer. */
void qn_tensors_fill(qn_tensors *t, const qn_op *op, const qn_type *type, const qn_attr *splat,
                     qn_value *to);
/* Sets flow->active and gives the block's arguments their buffers (branches.c). */
QN_NODISCARD qn_status qn_tensors_enter(qn_tensors *t, qn_flow *flow);
/* The elementwise op on other operands, at the builder: attributes stay. Of 1 lane, on scalars. */
qn_value *qn_tensors_lanes_op(qn_builder *b, const qn_op *op, qn_value *const *operands,
                              int64_t lanes);
/* Element `at` of a buffer of elements for that type, a scalar or tensor. Stores extend. */
qn_value *qn_tensors_load(qn_builder *b, const qn_type *type, qn_value *buffer, qn_value *at);
void qn_tensors_store(qn_builder *b, qn_value *value, qn_value *buffer, qn_value *at);

#endif
