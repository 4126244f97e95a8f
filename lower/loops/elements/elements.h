/* Kernels that compute element by element: linalg.generic, elementwise ops of arith and math, and
 * data movement. They serve ops between a model's own ops, and all ops of a function on tensors
 * (lower/tensors).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_ELEMENTS_H
#define QN_LOWER_LOOPS_ELEMENTS_H

#include "lower/loops/loops.h"

struct qn_row_group; /* row_groups.h */

/* Type, content and buffer of a value outside of linalg.generic. */
typedef struct qn_place_of {
  const qn_type *type; /* runtime type, which is static */
  bool fixed;          /* the value follows from the shapes alone */
  bool known; /* the elements are known at compile time: fixed values, constants, tensor.empty */
  qn_bytes content;
  qn_value *buffer; /* buffer in @main; NULL if none yet */
} qn_place_of;

typedef struct qn_elements {
  qn_loops *lo;        /* shared state: module, main, kernels, constants */
  qn_place_of *places; /* indexed by value id */
  qn_value *memory;    /* the arena argument of @main */
  int64_t arena_bytes;
} qn_elements;

static inline qn_place_of *qn_elements_place(const qn_elements *t, const qn_value *value) {
  return &t->places[value->id];
}

/* Reports QN_UNSUPPORTED: "'dialect.op' op <what>". */
void qn_elements_refuse(qn_ir_context *cx, const qn_op *op, const char *what);
/* As qn_elements_refuse, for an op without a kernel; for divisions with the reason. */
void qn_elements_refuse_op(qn_ir_context *cx, const qn_op *op, const char *what);

/* Whether kernels can hold the type: scalars and tensors of index, signless integers of at most 64
 * bits, f16, bf16, f32 and f64. */
bool qn_elements_is_representable(qn_ir_context *cx, const qn_type *type);
/* As qn_elements_is_representable; reports an unsupported type at the op. */
bool qn_elements_check_type(qn_ir_context *cx, const qn_op *op, const qn_type *type);
/* Whether the body of a linalg.generic has a kernel; reports the ops that have none. */
bool qn_elements_check_generic(qn_ir_context *cx, const qn_op *op);
/* Whether the op works elementwise on scalars, vectors or tensors and cannot trap for any operand
 * values. */
bool qn_elements_is_elementwise(const qn_op *op);

/* The element type that kernels compute with: for a quantized type, the signless integer of its
 * storage. */
const qn_type *qn_elements_element(qn_ir_context *cx, const qn_type *type);
/* The element type in memory. Integers are sign-extended to whole bytes, as in the interpreter. */
const qn_type *qn_elements_memory_element(qn_ir_context *cx, const qn_type *type);
/* Number of elements of a static type; 1 for scalars. */
int64_t qn_elements_count(const qn_type *type);
/* The buffer of a value. If it has none yet, a constant buffer is created from its content. */
qn_value *qn_elements_buffer(qn_elements *t, const qn_value *value);
/* Creates an arena buffer for place->type unless the place has a buffer. Returns QN_LIMIT, reported
 * at the op, if the arena would be too large. */
QN_NODISCARD qn_status qn_elements_new_buffer(qn_elements *t, const qn_op *op, qn_place_of *place);

/* Emits the kernels of one op in @main. Requires an op that check.h (for a model) or the trace (for
 * a function) has accepted. */
QN_NODISCARD qn_status qn_elements_lower_op(qn_elements *t, const qn_op *op);
/* The same for the ops of a row group: one kernel. */
QN_NODISCARD qn_status qn_generic_lower_rows(qn_elements *t, const struct qn_row_group *group);
/* Copies the elements of a value of static type `type` from one buffer to another. Elements of
 * unsigned storage, which share buffers with signed integers, end up zero-extended. `when`: an i1,
 * copy only if set; NULL: always. */
void qn_elements_copy(qn_elements *t, const qn_op *op, const qn_type *type, qn_value *from,
                      qn_value *to, qn_value *when);
/* Fills a buffer with the element of a splat. */
void qn_elements_fill(qn_elements *t, const qn_op *op, const qn_type *type, const qn_attr *splat,
                      qn_value *to);
/* Builds the elementwise op on other operands; attributes stay. 1 lane means scalars. */
qn_value *qn_elements_lanes_op(qn_builder *b, const qn_op *op, qn_value *const *operands,
                               int64_t lanes);
/* The number of vectors that the body of a linalg.generic had better compute at once: the ops of an
 * elementary function wait for each other, and those of two vectors overlap. 1: no function. */
int64_t qn_elements_at_once(const qn_op *generic);
/* Whether the op is a linalg.generic that computes each element of its result, f32, from the
 * element of `x` at the same position alone, by few ops. */
bool qn_elements_is_function(const qn_op *op, const qn_value *x);
/* In a kernel: the results of such an op for the elements of `x` in `lanes`. */
qn_value *qn_elements_function(qn_kernel *k, const qn_op *op, const qn_value *x, qn_value *lanes);
/* Loads or stores element `at` of the buffer of a scalar or tensor of type `type`. Stores extend to
 * whole bytes. */
qn_value *qn_elements_load(qn_builder *b, const qn_type *type, qn_value *buffer, qn_value *at);
void qn_elements_store(qn_builder *b, qn_value *value, qn_value *buffer, qn_value *at);

#endif
