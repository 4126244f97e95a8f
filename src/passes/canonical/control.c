/* Control flow that is known statically.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/canonical/patterns.h"

/* Replaces the results of a loop by its initial values if upper <= lower, so that it makes no
 * iteration. */
bool qn_canonical_empty_loop(qn_rewriter *rw, qn_op *op) {
  const qn_attr *lower = qn_value_constant(qn_op_operand(op, 0));
  const qn_attr *upper = qn_value_constant(qn_op_operand(op, 1));
  if (!lower || !upper || lower->kind != QN_ATTR_INTEGER || upper->kind != QN_ATTR_INTEGER ||
      lower->integer < upper->integer)
    return false;
  qn_value **initial = QN_NEW_ARRAY(rw->pc->scratch, op->result_count + 1, qn_value *);
  for (uint32_t i = 0; i < op->result_count; i++) initial[i] = qn_op_operand(op, i + 3);
  qn_rewriter_replace(rw, op, initial);
  return true;
}
