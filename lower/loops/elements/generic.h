/* Internals of the lowering of linalg.generic: its loops and accesses as integers, and the kernel
 * built from them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GENERIC_H
#define QN_LOWER_LOOPS_GENERIC_H

#include "base/map.h"
#include "lower/loops/elements/elements.h"

/* One loop of the kernel: one loop of the op, or several that every operand traverses contiguously.
 */
typedef struct qn_generic_loop {
  int64_t range;
  uint32_t last; /* index of the op's loop; the innermost one of several */
  bool own;      /* parallel, and different iterations write different elements */
} qn_generic_loop;

/* How the kernel addresses the elements of an operand. */
typedef struct qn_generic_access {
  bool linear; /* element index is base + sum of steps[i] * loop i; if not, it follows from the op's
                  affine map */
  int64_t base;
  int64_t *steps;    /* [loop of the kernel] stride in elements */
  int32_t **offsets; /* [loop of the kernel][iteration] elements to add, or NULL; NULL: none */
  qn_value **tables; /* [loop of the kernel] kernel argument with the offsets; NULL: the operand is
                        not read */
  const qn_value *source; /* the tensor that is read instead of the operand (gathered.h), or it */
  uint32_t depth;         /* the element does not depend on loops from this one on */
  const qn_attr *splat;   /* the value of all elements, without a buffer; NULL if not a splat */
  int64_t each;           /* repetitions of each element in the buffer of a constant; 0 if none */
  qn_value *buffer;       /* kernel argument; for an output, the buffer of its initial value */
  qn_value *at;           /* element index for the open loops */
  qn_value *element;      /* the loaded element; NULL if not loaded */
} qn_generic_access;

#define QN_NO_LOOP UINT32_MAX

/* Whether the operand is read at positions from a table along a loop. */
static inline bool qn_generic_has_table(const qn_generic_access *a, uint32_t loop) {
  return a->offsets && a->offsets[loop];
}

typedef struct qn_generic_nest {
  qn_elements *t;
  const qn_op *op;
  uint32_t operands, inputs, op_loops;
  uint32_t rows; /* number of leading loops of the op that become the first loop of the kernel,
                    which is not vectorized (row_groups.h); 0: as is best for the op alone */
  qn_generic_access *access; /* [operand] */
  qn_generic_loop *loops;
  uint32_t loop_count;
  uint32_t first_carried; /* loops from this one on use one element of each output */
  uint32_t vector;        /* the vectorized loop, or QN_NO_LOOP */
  int64_t lanes;          /* lanes of a vector */
  bool in_lanes;          /* the last loop reduces in lanes (ir/reduction.h) */
  bool products;          /* the last three loops are rows, columns and k of a matrix product */
  uint32_t row_factor;    /* index of the input with the rows of the product (generic_products.c) */
  bool direct;            /* every element of the outputs is written exactly once */
  const qn_value **captured; /* values defined outside of the body */
  uint32_t captured_count;

  /* while the kernel is built */
  qn_kernel *k;
  qn_value **results;     /* [output] kernel arguments */
  qn_value **point;       /* [loop of the op] current value */
  qn_value **carry;       /* [output] the accumulated element or lanes */
  int64_t width;          /* elements per execution of the body: 1 or the lanes of a vector */
  const int64_t *placing; /* [lane] source of each reduction lane; NULL: identity */
  qn_map scalars;         /* value of the body, or captured value -> qn_value* in the kernel */
} qn_generic_nest;

/* Fills all fields except those used while the kernel is built. */
void qn_generic_plan(qn_generic_nest *n);
/* Whether the body reads the output's previous element. */
bool qn_generic_reads(const qn_generic_nest *n, uint32_t output);
/* Whether the output's initial value does not matter: every element is written, and none is read
 * before. */
bool qn_generic_overwrites(const qn_generic_nest *n, uint32_t output);

/* Sets n->products if the innermost loops are a matrix product of i16 with 64-bit accumulators; and
 * emits these loops for rows [lower, upper). */
void qn_generic_find_products(qn_generic_nest *n);
void qn_generic_products(qn_generic_nest *n, qn_value *lower, qn_value *upper);

/* Loads the inputs that do not depend on loops from `depth` on. */
void qn_generic_load(qn_generic_nest *n, uint32_t depth);
/* Emits the body once for n->width elements; reads and sets n->carry. */
void qn_generic_body(qn_generic_nest *n);
/* The element of an output before the reduction loops; and stores it after them. */
qn_value *qn_generic_initial(qn_generic_nest *n, uint32_t output);
void qn_generic_store(qn_generic_nest *n, uint32_t output);
/* The element of a splat, or a scalar constant, in all lanes; width 1: a scalar. */
qn_value *qn_generic_constant(qn_builder *b, const qn_attr *value, const qn_type *element,
                              int64_t width);
/* A value in `width` lanes: a splat if constant, else a broadcast. */
qn_value *qn_generic_widened(qn_builder *b, qn_value *value, int64_t width);
/* The value of the kernel for a value of the body, in `width` lanes. Scalar constants are not among
 * `values`: they are built in the block that uses them. */
qn_value *qn_generic_known(qn_builder *b, const qn_map *values, const qn_value *value,
                           int64_t width);

#endif
