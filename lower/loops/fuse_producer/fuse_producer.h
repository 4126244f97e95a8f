/* Ops whose kernel is gone: rows of their result are made, some at a time, in the kernel of the op
 * that reads them, right before it does, in memory of the kernel's own. The tensor between them
 * does not exist; its rows are still in L1d or L2 when they are read.
 *
 * A row that is read makes one row of the reader's results, so that a kernel's units are those of
 * the reader and nothing is made twice. The bits are those of two kernels. Which ops feed, which
 * are fed, and when that pays, is in their schedules. With keep_tensors nothing is fed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FUSE_PRODUCER_H
#define QN_LOWER_LOOPS_FUSE_PRODUCER_H

#include "lower/loops/loops.h"

enum { QN_PRODUCER_BUFFERS = 8, QN_PRODUCER_BYTES = 1 << 16 /* of the rows in a kernel */ };

/* What a feeding op brings to a kernel. */
typedef struct qn_producer_source {
  const qn_op *op;
  uint32_t count;
  qn_value *buffers[QN_PRODUCER_BUFFERS]; /* of @main; the one that grows with the rows is first */
  /* Where in that buffer, in elements, row 0 has read to, and how much further each next one is:
   * what a later row needs can be asked for. */
  int64_t read_to, row_step;
} qn_producer_source;

/* Rows [lower, upper) of the result, counted over all images, to `rows` from element 0 on. */
typedef struct qn_producer_rows {
  qn_value *lower, *upper, *rows;
} qn_producer_rows;

typedef struct qn_producer {
  /* Whether there is such a form of the op. */
  bool (*can)(const qn_op *op);
  /* Before the kernel begins. Errors are reported at the op. */
  qn_status (*open)(qn_loops *lo, const qn_op *op, qn_producer_source *out_source);
  /* In the kernel; args are those of the buffers. */
  void (*make)(qn_kernel *k, const qn_producer_source *source, qn_value *const *args,
               qn_producer_rows range);
} qn_producer;

typedef struct qn_producers qn_producers;
qn_producers *qn_producers_find(qn_loops *lo, const qn_op *func);
void qn_producers_destroy(qn_producers *producers); /* NULL is allowed */

/* The op in whose kernel the rows of `op` are made, or NULL: it has a kernel of its own. */
const qn_op *qn_producer_consumer(const qn_loops *lo, const qn_op *op);
/* The op that makes rows in the kernel of `reader`, or NULL. */
const qn_op *qn_producer_of(const qn_loops *lo, const qn_op *reader);

#endif
