/* Geometry of a matrix product: rows and columns are the last two dimensions of the operands; the
 * others are batch dimensions, broadcast as in numpy. A vector x is one row, and a vector y one
 * column, a dimension that the result then lacks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_MATMUL_H
#define QN_IR_OPS_MATMUL_H

#include "ir/ops/infer/infer.h"

typedef struct qn_matmul {
  int64_t rows, columns, depth;
  bool has_rows, has_columns;      /* whether the result has these dimensions */
  int64_t x_row, x_step;           /* strides of x, in elements: between rows; along k */
  int64_t y_column, y_step;        /* strides of y, in elements: between columns; along k */
  uint32_t batch_rank;             /* dimensions of the result before rows and columns */
  int64_t batches[QN_ML_MAX_RANK]; /* their sizes */
  int64_t batch_count;
} qn_matmul;

/* Fills *out for an ml.matmul. Returns NULL on success, else why operands and attributes contradict
 * each other. */
const char *qn_matmul_of(const qn_op *op, qn_matmul *out);
/* Element offset in operand 0 or 1 of a batch element of the result. */
int64_t qn_matmul_batch_offset(const qn_op *op, const qn_matmul *m, uint32_t operand,
                               int64_t batch);

#endif
