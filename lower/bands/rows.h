/* Rows: which rows of its operands an op needs for some rows of its result. Rows are dimension 1 of
 * NHWC.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_BANDS_ROWS_H
#define QN_LOWER_BANDS_ROWS_H

#include "ir/op_attrs.h"

enum { QN_ROWS_DIM = 1, QN_ROWS_RANK = 4 };

/* Rows [begin, end) of a tensor. */
typedef struct qn_rows {
  int64_t begin, end;
} qn_rows;
static inline int64_t qn_rows_count(qn_rows rows) { return rows.end - rows.begin; }
/* All rows of a tensor [N, H, W, C]. */
static inline qn_rows qn_rows_all(const qn_value *value) {
  return (qn_rows){0, value->type->shaped.dims[QN_ROWS_DIM]};
}

/* What an op reads of one operand for some rows of its result. */
typedef struct qn_rows_read {
  bool whole;           /* weights, or a value that is broadcast over rows: all of it */
  qn_rows rows;         /* within the operand */
  int64_t above, below; /* rows of padding */
} qn_rows_read;

/* Whether the op can compute some rows of its result alone, bit by bit as in the whole: it has one
 * result, and all tensors with rows are NHWC, quantized with one scale each. */
bool qn_rows_apply(const qn_op *op);

/* What an op for which qn_rows_apply holds reads of operand `index` for the rows `of_result`, which
 * are not empty. Returns false if these rows are computed from padding alone. */
bool qn_rows_of(const qn_op *op, uint32_t index, qn_rows of_result, qn_rows_read *out);

/* The attribute "pad" of an op that computes these rows: the columns' padding stays. Returns the
 * number of values, 0 if the op has no such attribute. `read`: that of operand 0. */
enum { QN_ROWS_PADS = 2 * QN_ROWS_RANK };
uint32_t qn_rows_pad(const qn_op *op, const qn_rows_read *read, int64_t out[QN_ROWS_PADS]);

#endif
