/* Decomposition of quant.qcast and quant.dcast into arith, math and linalg.generic, for
 * lower-quant-ops and lower-to-integer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_CAST_FORM_H
#define QN_IR_CAST_FORM_H

#include "ir/cast_form/emit.h"

typedef struct qn_cast_rounding {
  qn_rounding fixed;
  /* stochastic rounding instead, which depends only on `stream` and the element's index */
  bool stochastic;
  uint64_t stream;
} qn_cast_rounding;

/* The op of the math dialect that rounds a float to an integer. */
qn_op_kind qn_rounding_op(qn_rounding rounding);

/* Reports casts without a decomposition: expressed types other than f16, bf16, f32 and f64, and
 * high ranks. */
QN_NODISCARD qn_status qn_check_cast_form(const qn_emit *e);
/* Converts `x`, the cast's float operand or its stored integers, to stored integers or floats of
 * the same shape. */
qn_value *qn_build_cast_form(qn_emit *e, qn_value *x, const qn_cast_rounding *rounding);

#endif
