/* Real values of quantized results, as vectors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/ops/dequantize.h"

#include "lower/loops/vec.h"

qn_value *qn_dequantize_emit(qn_loops *lo, qn_builder *b, const qn_op *op, qn_value *q) {
  const qn_plan plan = qn_loops_plan(lo, op);
  const qn_plan_cast *cast = &plan.cast;
  bool is_unsigned = qn_type_is_unsigned(qn_type_element(qn_op_operand(op, 0)->type));
  q = qn_vec_cast(b, is_unsigned ? QN_OP_ARITH_EXTUI : QN_OP_ARITH_EXTSI, q, qn_type_i(b->cx, 32));
  q = qn_build_binary_int(b, QN_OP_ARITH_SUBI, q, cast->zero_point);
  qn_value *x = qn_vec_cast(b, QN_OP_ARITH_SITOFP, q, qn_type_float(b->cx, QN_F32));
  return qn_build_binary(b, QN_OP_ARITH_MULF, x, qn_build_float(b, (double)cast->scale, x->type));
}
