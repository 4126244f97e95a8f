/* Real values of quantized results, as vectors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_DEQUANTIZE_H
#define QN_LOWER_LOOPS_DEQUANTIZE_H

#include "lower/loops/loops.h"

/* The results of `op`, an ml.dequantize_float, for the stored values q: (q - zero point) * scale,
 * as a vector of f32. */
qn_value *qn_dequantize_emit(qn_loops *lo, qn_builder *b, const qn_op *op, qn_value *q);

#endif
