/* Inside the lowering of linalg.generic: its loops and accesses as numbers, and the kernel that is
 * built of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GENERIC_H
#define QN_LOWER_LOOPS_GENERIC_H

#include "base/map.h"
#include "lower/loops/elements/elements.h"

/* One loop of the kernel: one of the op, or several that every operand walks as one. */
typedef struct qn_generic_loop {
  int64_t range;
  uint32_t last; /* number of the op's loop, the innermost of several */
  bool own;      /* parallel, and each of its steps writes elements of its own */
} qn_generic_loop;

/* How the kernel reaches the elements of an operand. */
typedef struct qn_generic_access {
  bool linear; /* at base + sum of steps[i] * loop i; else by the op's affine map */
  int64_t base;
  int64_t *steps;       /* by loop of the kernel */
  uint32_t depth;       /* the element is the same for all loops from this one on */
  const qn_attr *splat; /* the number that all elements are: there is no buffer */
  int64_t each;      /* how often each element of a constant is in its buffer; 0: it is no such */
  qn_value *buffer;  /* argument of the kernel: of an output, where its initial value lies */
  qn_value *at;      /* the index that the open loops make */
  qn_value *element; /* once it is loaded */
} qn_generic_access;

#define QN_NO_LOOP UINT32_MAX

typedef struct qn_generic_nest {
  qn_elements *t;
  const qn_op *op;
  uint32_t operands, inputs, op_loops;
  qn_generic_access *access; /* by operand */
  qn_generic_loop *loops;
  uint32_t loop_count;
  uint32_t first_carried;    /* loops from this one on see one element of each output */
  uint32_t vector;           /* the loop along which vectors lie, or QN_NO_LOOP */
  int64_t lanes;             /* of such a vector */
  bool in_lanes;             /* the last loop reduces in lanes (ir/reduction.h) */
  bool products;             /* rows, columns and k are the last three loops of a matrix product */
  uint32_t row_factor;       /* of which this input has the rows (generic_products.c) */
  bool direct;               /* each element of the outputs is written once, and all are */
  const qn_value **captured; /* from outside of the body */
  uint32_t captured_count;

  /* while the kernel is built */
  qn_kernel *k;
  qn_value **results;     /* arguments of the kernel, by output */
  qn_value **point;       /* by loop of the op */
  qn_value **carry;       /* by output: the element, or the lanes, so far */
  int64_t width;          /* elements that the body computes at once: 1 or a vector's */
  const int64_t *placing; /* where those go in the lanes, by lane; NULL: where they are */
  qn_map scalars;         /* value of the body, or captured -> qn_value* in the kernel */
} qn_generic_nest;

/* Fills everything but what the building needs. */
void qn_generic_plan(qn_generic_nest *n);
/* Whether the body reads the output's element. */
bool qn_generic_reads(const qn_generic_nest *n, uint32_t output);

/* Whether the nest ends in the loops of a matrix product of 16 bits with sums of 64; and these
 * loops, over rows [lower, upper). */
void qn_generic_find_products(qn_generic_nest *n);
void qn_generic_products(qn_generic_nest *n, qn_value *lower, qn_value *upper);

/* Loads the inputs that are the same for all loops from `depth` on. */
void qn_generic_load(qn_generic_nest *n, uint32_t depth);
/* The body once, on n->width elements: reads and sets n->carry. */
void qn_generic_body(qn_generic_nest *n);
/* The element of an output before the reduced loops, and after. */
qn_value *qn_generic_initial(qn_generic_nest *n, uint32_t output);
void qn_generic_store(qn_generic_nest *n, uint32_t output);
/* The element of a splat, or a scalar constant, in all lanes; width 1: a scalar. */
qn_value *qn_generic_constant(qn_builder *b, const qn_attr *value, const qn_type *element,
                              int64_t width);
/* n->width lanes of a number: a splat of constants, a broadcast of others. */
qn_value *qn_generic_widened(qn_generic_nest *n, qn_value *value, int64_t width);

#endif
