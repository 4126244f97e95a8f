/* Verifier of ml.reexpress: its attributes, and the proof of mode "exact".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/infer/infer.h"
#include "ir/types/reexpress.h"

/* Maximum pairs of quantization cells that a proof checks; two unaligned grids may have as many as
 * the tensor has elements. */
enum { MAX_PAIRS = 1 << 22 };

/* Mode "exact" rejects the attributes rounding and overflow; mode "checked" needs both. */
static bool check_words(qn_ir_context *cx, const qn_op *op) {
  bool rounding = qn_op_find(op, QN_A_ROUNDING), overflow = qn_op_find(op, QN_A_OVERFLOW);
  if (qn_op_mode(op) == QN_REEXPRESS_EXACT)
    return (!rounding && !overflow) ||
           qn_op_complain(cx, op, "mode \"exact\" takes neither 'rounding' nor 'overflow'");
  bool ok = rounding || qn_op_complain(cx, op,
                                       "mode \"checked\" needs 'rounding' \"even\", \"away\", "
                                       "\"toward-zero\" or \"floor\"");
  return (overflow || qn_op_complain(cx, op,
                                     "mode \"checked\" needs 'overflow' \"saturate\" or "
                                     "\"error\"")) &&
         ok;
}

static int64_t greatest_common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Computes steps that divide both grids of quantization parameters. Then each pair of cells that
 * share elements contains exactly the coordinates that are visited. Returns the number of
 * coordinates. */
static int64_t steps_of(const qn_type *from, const qn_type *to, int64_t *out_steps) {
  int64_t pairs = 1;
  for (uint32_t d = 0; d < from->shaped.rank; d++) {
    int64_t dim = from->shaped.dims[d];
    int64_t step = greatest_common_divisor(dim, qn_quant_step(qn_type_quant(from), d));
    out_steps[d] = greatest_common_divisor(step, qn_quant_step(qn_type_quant(to), d));
    /* cannot overflow: it is at most the number of elements of the tensor, which is bounded */
    pairs *= dim / out_steps[d];
  }
  return pairs;
}

static bool complain_inexact(qn_ir_context *cx, const qn_op *op, int64_t stored, const int64_t *at,
                             uint32_t rank, const qn_quant_cell *from, const qn_quant_cell *to) {
  char where[QN_ML_MAX_RANK * 22 + 1] = "";
  for (uint32_t d = 0, used = 0; d < rank; d++)
    used += (uint32_t)snprintf(where + used, sizeof where - used, "%s%lld", d ? ", " : "",
                               (long long)at[d]);
  qn_reexpressed y = qn_reexpress(stored, from, to, QN_ROUND_EVEN);
  return qn_op_complain(cx, op,
                        "is not exact: the stored value %lld at [%s] means %.17g, which the result "
                        "%s",
                        (long long)stored, where, (double)(stored - from->zero_point) * from->scale,
                        y.saturated ? "can't reach" : "can only round to");
}

static bool prove_exact(qn_ir_context *cx, const qn_op *op) {
  const qn_type *from = qn_ml_in(op, 0), *to = qn_ml_out(op);
  int64_t steps[QN_ML_MAX_RANK], at[QN_ML_MAX_RANK] = {0}, stored;
  if (steps_of(from, to, steps) > MAX_PAIRS)
    return qn_op_complain(cx, op, "has more than %d pairs of scales to prove exact", MAX_PAIRS);
  uint32_t rank = from->shaped.rank;
  do {
    qn_quant_cell x, y;
    if (qn_quant_at(from, at, rank, &x) != QN_OK || qn_quant_at(to, at, rank, &y) != QN_OK)
      return qn_op_complain(cx, op, "has scales that do not fit the shape");
    if (!qn_reexpress_always_exact(&x, &y, &stored))
      return complain_inexact(cx, op, stored, at, rank, &x, &y);
  } while (qn_next_coordinate(from, steps, at));
  return true;
}

bool qn_verify_ml_reexpress(qn_ir_context *cx, const qn_op *op) {
  if (!qn_ml_tensors(cx, op) || !qn_check_inferred(cx, op)) return false;
  const qn_quant_uniform *from = qn_type_quant(qn_ml_in(op, 0)), *to = qn_type_quant(qn_ml_out(op));
  if (!from || !to) return qn_op_complain(cx, op, "needs uniform quantized types on both sides");
  if (from->expressed != to->expressed)
    return qn_op_complain(cx, op, "needs one expressed type on both sides");
  if (!check_words(cx, op)) return false;
  return qn_op_mode(op) != QN_REEXPRESS_EXACT || prove_exact(cx, op);
}
