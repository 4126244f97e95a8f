/* Computes ml.reexpress for one element.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/reexpress.h"

bool qn_next_coordinate(const qn_type *type, const int64_t *steps, int64_t *at) {
  for (uint32_t d = type->shaped.rank; d-- > 0;) {
    at[d] += steps ? steps[d] : 1;
    if (at[d] < type->shaped.dims[d]) return true;
    at[d] = 0;
  }
  return false;
}

qn_reexpression qn_reexpression_of(const qn_op *op) {
  qn_reexpression r = {.from = op->operands[0].value->type, .to = op->results[0].type};
  r.exact = qn_op_mode(op) == QN_REEXPRESS_EXACT;
  r.saturates = qn_op_overflow(op) == QN_OVERFLOW_SATURATE;
  if (!r.exact) r.rounding = qn_op_rounding(op);
  return r;
}

const char *qn_reexpression_next(qn_reexpression *r, int64_t stored, int64_t *out_value) {
  uint32_t rank = r->from->shaped.rank;
  qn_quant_cell from, to;
  if (qn_quant_at(r->from, r->at, rank, &from) != QN_OK ||
      qn_quant_at(r->to, r->at, rank, &to) != QN_OK)
    return "has scales that do not fit the shape";
  (void)qn_next_coordinate(r->from, NULL, r->at);
  qn_reexpressed y = qn_reexpress(stored, &from, &to, r->rounding);
  *out_value = y.value;
  if (r->exact && (y.inexact || y.saturated))
    return "is exact, but has an input outside of its range";
  if (y.saturated && !r->saturates) return "has an input that the result can't hold";
  return NULL;
}
