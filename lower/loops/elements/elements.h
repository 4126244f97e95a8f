/* Kernels that compute element by element: linalg.generic, elementwise ops of arith and math, and
 * what moves elements of tensors. A model has them between its own ops; a function on tensors has
 * nothing else (lower/tensors).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_ELEMENTS_H
#define QN_LOWER_LOOPS_ELEMENTS_H

#include "lower/loops/loops.h"

/* What is known of a value outside of linalg.generic. */
typedef struct qn_place_of {
  const qn_type *type; /* at run time: static */
  bool fixed;          /* follows from the shapes alone */
  bool known;          /* fixed values, constants and tensor.empty: the elements are */
  qn_bytes content;
  qn_value *buffer; /* in @main; NULL: none so far */
} qn_place_of;

typedef struct qn_elements {
  qn_loops *lo;        /* module, main, kernels, constants */
  qn_place_of *places; /* by value id */
  qn_value *memory;    /* the arena, an argument of @main */
  int64_t arena_bytes;
} qn_elements;

static inline qn_place_of *qn_elements_place(const qn_elements *t, const qn_value *value) {
  return &t->places[value->id];
}

/* Reports, QN_UNSUPPORTED: "'dialect.op' op <what>". */
void qn_elements_refuse(qn_ir_context *cx, const qn_op *op, const char *what);
/* The same of an op that has no kernel; of divisions it says why. */
void qn_elements_refuse_op(qn_ir_context *cx, const qn_op *op, const char *what);

/* Whether kernels can hold the type: scalars and tensors of index, signless integers of at most 64
 * bits, f16, bf16, f32 and f64. */
bool qn_elements_is_representable(qn_ir_context *cx, const qn_type *type);
/* The same; reports it at the op where not. */
bool qn_elements_check_type(qn_ir_context *cx, const qn_op *op, const qn_type *type);
/* Whether a linalg.generic's body has a kernel; reports what has none. */
bool qn_elements_check_generic(qn_ir_context *cx, const qn_op *op);
/* Whether the op reads and writes scalars, vectors or tensors elementwise and can be executed on
 * any number without trapping. */
bool qn_elements_is_elementwise(const qn_op *op);

/* The element that kernels compute with for that type: of a quantized type the signless integer of
 * its storage. */
const qn_type *qn_elements_element(qn_ir_context *cx, const qn_type *type);
/* What holds it in memory: integers, as the interpreter has them, sign-extended to whole bytes. */
const qn_type *qn_elements_memory_element(qn_ir_context *cx, const qn_type *type);
/* Number of elements of a static type; 1 for scalars. */
int64_t qn_elements_count(const qn_type *type);
/* The buffer of a value, made of its content if it has none yet. */
qn_value *qn_elements_buffer(qn_elements *t, const qn_value *value);
/* A new one in the arena for the type of the place, unless that has one. QN_LIMIT, reported at the
 * op, when the arena would be too large. */
QN_NODISCARD qn_status qn_elements_new_buffer(qn_elements *t, const qn_op *op, qn_place_of *place);

/* Kernels of one op, in @main: of a model one that its check accepts (check.h), of a function one
 * that its trace accepts. */
QN_NODISCARD qn_status qn_elements_lower_op(qn_elements *t, const qn_op *op);
/* The elements of a value of that static type, from one buffer to another; of unsigned storage,
 * which shares buffers with its integers, they end up zero-extended. `when`, an i1, says whether;
 * NULL: always. */
void qn_elements_copy(qn_elements *t, const qn_op *op, const qn_type *type, qn_value *from,
                      qn_value *to, qn_value *when);
/* The number of a splat in all elements of a buffer. */
void qn_elements_fill(qn_elements *t, const qn_op *op, const qn_type *type, const qn_attr *splat,
                      qn_value *to);
/* The elementwise op on other operands, at the builder: attributes stay. 1 lane means scalars. */
qn_value *qn_elements_lanes_op(qn_builder *b, const qn_op *op, qn_value *const *operands,
                               int64_t lanes);
/* Element `at` of a buffer of elements for that type, a scalar or tensor. Stores extend. */
qn_value *qn_elements_load(qn_builder *b, const qn_type *type, qn_value *buffer, qn_value *at);
void qn_elements_store(qn_builder *b, qn_value *value, qn_value *buffer, qn_value *at);

#endif
