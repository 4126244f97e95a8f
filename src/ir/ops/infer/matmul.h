/* What a matrix product multiplies: rows and columns over the last two dimensions of its operands,
 * batches over the others, broadcast as numpy does. A vector x is one row, a vector y one column,
 * which the result does not have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_MATMUL_H
#define QN_IR_OPS_MATMUL_H

#include "ir/ops/infer/infer.h"

typedef struct qn_matmul {
  int64_t rows, columns, depth;
  bool has_rows, has_columns;      /* dimensions of the result */
  int64_t x_row, x_step;           /* elements of x from a row, and from a product, to the next */
  int64_t y_column, y_step;        /* of y from a column, and from a product, to the next */
  uint32_t batch_rank;             /* dimensions of the result before rows and columns */
  int64_t batches[QN_ML_MAX_RANK]; /* their sizes */
  int64_t batch_count;
} qn_matmul;

/* NULL, or why operands and attributes of an ml.matmul do not go together. */
const char *qn_matmul_of(const qn_op *op, qn_matmul *out);
/* The elements of operand 0 or 1 before those of a batch of the result. */
int64_t qn_matmul_batch_offset(const qn_op *op, const qn_matmul *m, uint32_t operand,
                               int64_t batch);

#endif
