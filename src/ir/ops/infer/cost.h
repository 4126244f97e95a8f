/* What an op costs however it is computed: multiplications, and the bytes that it reads and writes.
 * One record per row of ops/ml.def, ops/ml_integer.def and ops/quant.def; a missing one does not
 * link.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_COST_H
#define QN_IR_OPS_COST_H

#include "ir/op.h"

typedef struct qn_cost {
  int64_t macs;  /* multiplications that are summed */
  int64_t bytes; /* of tensors, each element that is read or written counted once */
} qn_cost;

/* The cost of a verified op; static shapes keep every product of two element counts within 64 bits.
 */
typedef int64_t qn_cost_fn(const qn_op *op);

typedef struct qn_cost_record {
  qn_cost_fn *macs, *bytes;
  const char *no_macs, *no_bytes; /* why there are none; else NULL */
  bool moves;                     /* each element of a result is looked up, not computed */
} qn_cost_record;
/* For ops of other dialects, a record without a cost. */
const qn_cost_record *qn_cost_record_of(qn_op_kind kind);
qn_cost qn_op_cost(const qn_op *op);
/* Whether the interpreter's steps are in proportion to the cost, and the elements of operands and
 * results: not of ops that walk a row or a window for each element. */
bool qn_op_has_linear_cost(const qn_op *op);

#endif
