/* Producer fusion: an op without its own kernel, whose result is computed in the kernel of the only
 * op that reads it (the consumer).
 *
 * The consumer's kernel computes a few rows of the producer's result into kernel-local scratch and
 * reads them while they are in L1d or L2. The intermediate tensor does not exist. Each producer row
 * is read by exactly one row of the consumer's result, so that the work items are those of the
 * consumer and no row is computed twice. Results equal those of two kernels. The schedules of the
 * ops say which can be producers or consumers, and when fusion pays. With keep_tensors producer
 * fusion is off, because the intermediate tensor must exist.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FUSE_PRODUCER_H
#define QN_LOWER_LOOPS_FUSE_PRODUCER_H

#include "lower/loops/loops.h"

enum { QN_PRODUCER_BUFFERS = 8, QN_PRODUCER_BYTES = 1 << 16 /* maximum scratch for rows, bytes */ };

/* The buffers of a fused producer that the consumer's kernel reads. */
typedef struct qn_producer_source {
  const qn_op *op;
  uint32_t count;
  qn_value *buffers[QN_PRODUCER_BUFFERS]; /* [count] buffers of @main; [0] is the one that is read
                                             row by row */
  /* For prefetching: row r of the result reads buffers[0] up to element read_to + r * row_step. */
  int64_t read_to, row_step;
} qn_producer_source;

/* Rows [lower, upper) of the producer's result, counted over all images; stored in the buffer
 * `rows` from element 0 on. */
typedef struct qn_producer_rows {
  qn_value *lower, *upper, *rows;
} qn_producer_rows;

typedef struct qn_producer {
  /* Whether `op` can be computed row by row in another kernel. */
  bool (*can)(const qn_op *op);
  /* Fills *out_source before the kernel begins. Reports errors at `op`. NULL, as `make`, if the
   * consumer computes the elements itself: a pad, which copies flipped bits. */
  qn_status (*open)(qn_loops *lo, const qn_op *op, qn_producer_source *out_source);
  /* In the kernel: computes `range`. args[i] is the kernel argument of source->buffers[i]. */
  void (*make)(qn_kernel *k, const qn_producer_source *source, qn_value *const *args,
               qn_producer_rows range);
} qn_producer;

typedef struct qn_producers qn_producers;
qn_producers *qn_producers_find(qn_loops *lo, const qn_op *func);
void qn_producers_destroy(qn_producers *producers); /* NULL is allowed */

/* The consumer whose kernel computes `op`; NULL if `op` has its own kernel. A conversion of
 * constant weights that all readers widen in registers has its first reader as consumer. A gather
 * has the linalg.generic that reads through it (read_through.h). */
const qn_op *qn_producer_consumer(const qn_loops *lo, const qn_op *op);
/* The producer that is fused into the kernel of `reader`; NULL if none. */
const qn_op *qn_producer_of(const qn_loops *lo, const qn_op *reader);

#endif
