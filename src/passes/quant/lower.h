/* The two ways to lower a quant cast. Both leave quant.scast at the quantized side.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_QUANT_LOWER_H
#define QN_PASSES_QUANT_LOWER_H

#include "passes/quant/emit.h"

typedef struct qn_cast_rounding {
  qn_rounding fixed;
  bool stochastic; /* in place of it: a function of the stream and the element's position */
  uint64_t stream;
} qn_cast_rounding;

/* lower_exact.c: converts `x`, the cast's float operand or its stored integers, to stored integers
 * or floats of the same shape. */
qn_value *qn_lower_cast(qn_emit *e, qn_value *x, const qn_cast_rounding *rounding);
/* lower_upstream.c: the same with upstream's ops in upstream's order. */
qn_value *qn_lower_cast_as_upstream(qn_emit *e, qn_value *x);

#endif
