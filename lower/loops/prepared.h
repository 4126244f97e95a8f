/* Prepared tensors: results that depend on constants only. Their kernels run once, before the first
 * call, and write prepared memory, which calls only read. That includes ops in branches and loops
 * whose results are defined even if they are not reached.
 *
 * A launch all of whose buffers are constant or prepared has the attribute quern.prepares. Results
 * that are small, or no larger than their sources, are constants already (fold_constants.c), unless
 * a product reads them. Weights that kernels widen in registers stay as they are stored. With
 * keep_tensors nothing is prepared, because every tensor must exist in the arena.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_PREPARED_H
#define QN_LOWER_LOOPS_PREPARED_H

#include "lower/loops/loops.h"

/* Finds the prepared ops of `func`; requires fusion and fused producers. Memory is in `kept`. */
const bool *qn_prepared_find(qn_loops *lo, const qn_op *func);

/* Whether all results of `op` are prepared. */
static inline bool qn_prepared_op(const qn_loops *lo, const qn_op *op) {
  return lo->prepared && op->result_count > 0 && lo->prepared[op->results[0].id];
}
/* Whether a tensor is known before the first call: constant or prepared. */
static inline bool qn_prepared_value(const qn_loops *lo, const qn_value *tensor) {
  const qn_op *op = tensor->op;
  return lo->prepared && op && (qn_loops_is_constant(op) || qn_prepared_op(lo, op));
}

#endif
