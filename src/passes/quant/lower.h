/* The two ways to lower a quant cast. Both leave quant.scast at the quantized side.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_QUANT_LOWER_H
#define QN_PASSES_QUANT_LOWER_H

#include "passes/quant/emit.h"

typedef enum qn_quant_rounding {
  QN_QUANT_EVEN,
  QN_QUANT_AWAY,
  QN_QUANT_TOWARD_ZERO,
  QN_QUANT_FLOOR,
  QN_QUANT_STOCHASTIC,
} qn_quant_rounding;

/* lower_exact.c: converts `x`, the cast's float operand or its stored integers, to stored integers
 * or floats of the same shape. `stream` numbers the random sequence of stochastic rounding. */
qn_value *qn_lower_cast(qn_emit *e, qn_value *x, qn_quant_rounding rounding, uint64_t stream);
/* lower_upstream.c: the same with upstream's ops in upstream's order. */
qn_value *qn_lower_cast_as_upstream(qn_emit *e, qn_value *x);

#endif
