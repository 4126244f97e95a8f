/* Loops over the elements of buffers: counted loops with constant steps, runs of static length
 * split into vectors, and a flat range split between threads.
 *
 * In all of lower/, at most one argument of a call, or element of an initializer, may build an op.
 * C does not specify their evaluation order, and the order of ops must not depend on the compiler.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NEST_H
#define QN_LOWER_LOOPS_NEST_H

#include "lower/loops/loops.h"

/* Opens for (i = lower; i < upper; i += step) and returns i. Ops that are built next are in the
 * body. */
qn_value *qn_nest_begin(qn_builder *b, qn_value *lower, qn_value *upper, int64_t step);
/* Opens for (i = 0; i < count; i += step) and returns i. */
qn_value *qn_nest_count(qn_builder *b, int64_t count, int64_t step);
void qn_nest_end(qn_builder *b);
/* Opens a loop over the work items of this call that are in [from, to), and returns the item. */
qn_value *qn_nest_begin_items(qn_kernel *k, int64_t from, int64_t to);
/* for (index = from; index < to; index += step) that carries values in place: `values` are the
 * initial ones before qn_carry_begin, those of the iteration after it, and those that the last
 * iteration left after qn_carry_end. */
typedef struct qn_carry {
  qn_op *loop;
  qn_value *index, **values;
  uint32_t count;
} qn_carry;
qn_carry qn_carry_begin(qn_builder *b, int64_t from, int64_t to, int64_t step, qn_value **values,
                        uint32_t count);
void qn_carry_end(qn_builder *b, const qn_carry *carry);

/* index + index (no op if one is the constant 0), min(index, constant), max(index, constant). */
qn_value *qn_nest_add(qn_builder *b, qn_value *x, qn_value *y);
qn_value *qn_nest_min(qn_builder *b, qn_value *x, int64_t bound);
qn_value *qn_nest_max(qn_builder *b, qn_value *x, int64_t bound);

/* Builds the computation of elements [index, index + lanes). */
typedef void qn_nest_body(qn_kernel *k, void *user, qn_value *index, int64_t lanes);

/* Builds a loop over `count` elements from index 0, in vectors of `lanes` (a power of two). The
 * remainder is built in vectors of smaller powers of two. With `overlap` and at least `lanes`
 * elements, the remainder is one vector that ends at the last element, so that some elements are
 * computed twice. */
void qn_nest_run(qn_kernel *k, int64_t count, int64_t lanes, bool overlap, qn_nest_body *body,
                 void *user);

/* Builds the loop over `count` elements, each exactly once, in work items of QN_NEST_UNIT elements.
 * For a dynamic size, a work item is one batch element, so that no item exceeds the current size.
 */
enum { QN_NEST_UNIT = 4096 };
static inline int64_t qn_nest_units(const qn_kernel *k, int64_t count) {
  if (k->size != QN_SIZE_FIXED) return qn_loops_bound(k->lo, k->size);
  return (count + QN_NEST_UNIT - 1) / QN_NEST_UNIT;
}
void qn_nest_flat(qn_kernel *k, int64_t count, int64_t lanes, qn_nest_body *body, void *user);

#endif
