/* The cost of an op, independent of its implementation: multiply-accumulates, and bytes read and
 * written. One table entry per row of ops/ml.def, ops/ml_integer.def and ops/quant.def; a missing
 * one is a link error.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_OPS_COST_H
#define QN_IR_OPS_COST_H

#include "ir/op.h"

typedef struct qn_cost {
  int64_t macs;  /* multiply-accumulates */
  int64_t bytes; /* bytes of tensor elements that are read or written, each counted once */
} qn_cost;

/* The cost of a verified op; static shapes keep every product of two element counts within 64 bits.
 */
typedef int64_t qn_cost_fn(const qn_op *op);

typedef struct qn_cost_record {
  qn_cost_fn *macs, *bytes;
  const char *no_macs, *no_bytes; /* reason why there is none; else NULL */
  bool moves;                     /* data movement: result elements are copied, not computed */
} qn_cost_record;
/* The entry of an op kind; kinds of other dialects share an entry without a cost. */
const qn_cost_record *qn_cost_record_of(qn_op_kind kind);
qn_cost qn_op_cost(const qn_op *op);
/* Whether the interpreter's time is proportional to the cost and the elements of operands and
 * results. False for ops that scan a row or window per element. */
bool qn_op_has_linear_cost(const qn_op *op);

#endif
