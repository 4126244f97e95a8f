/* Loops over the elements of buffers: counted loops with constant steps, static runs cut into
 * vectors, and a flat range shared out between threads.
 *
 * In all of lower/: at most one argument of a call, or element of an initializer, may build an op.
 * C leaves their order open, and the order of ops must not depend on the compiler.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NEST_H
#define QN_LOWER_LOOPS_NEST_H

#include "lower/loops/loops.h"

/* for (i = lower; i < upper; i += step). Returns i; what is built next is the body. */
qn_value *qn_nest_begin(qn_builder *b, qn_value *lower, qn_value *upper, int64_t step);
/* for (i = 0; i < count; i += step) */
qn_value *qn_nest_count(qn_builder *b, int64_t count, int64_t step);
void qn_nest_end(qn_builder *b);
/* for (i = from; i < to; i += step) with carried values; returns the scf.for. Ended with
 * qn_build_yield. */
qn_op *qn_nest_carry(qn_builder *b, int64_t from, int64_t to, int64_t step, qn_value *const *init,
                     uint32_t init_count);

/* index + index (no op when one is the constant 0), min(index, constant), max(index, constant) */
qn_value *qn_nest_add(qn_builder *b, qn_value *x, qn_value *y);
qn_value *qn_nest_min(qn_builder *b, qn_value *x, int64_t bound);
qn_value *qn_nest_max(qn_builder *b, qn_value *x, int64_t bound);

/* Builds the work on elements [index, index + lanes). */
typedef void qn_nest_body(qn_kernel *k, void *user, qn_value *index, int64_t lanes);

/* A run of `count` elements from index 0: a loop over vectors of `lanes` (a power of two), then the
 * tail in powers of two; with `overlap` (the work may be done twice) the tail is one vector that
 * ends at the last element, where the run is long enough. */
void qn_nest_run(qn_kernel *k, int64_t count, int64_t lanes, bool overlap, qn_nest_body *body,
                 void *user);

/* All of `count` elements, each exactly once, in units of QN_NEST_UNIT; where there is a
 * size known at run time only, a unit is an entry, so that no unit reaches after the last
 * one. */
enum { QN_NEST_UNIT = 4096 };
static inline int64_t qn_nest_units(const qn_kernel *k, int64_t count) {
  if (k->size != QN_SIZE_FIXED) return qn_loops_bound(k->lo, k->size);
  return (count + QN_NEST_UNIT - 1) / QN_NEST_UNIT;
}
void qn_nest_flat(qn_kernel *k, int64_t count, int64_t lanes, qn_nest_body *body, void *user);

#endif
