/* Products of quantized rows with weights that have a scale per block (docs/arithmetic.md 15).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_EVAL_REF_BLOCKS_H
#define QN_EVAL_REF_BLOCKS_H

#include "eval/ref/ref.h"

/* ml.quantize_rows by row8: i8 rows, a scale per row, and the sum of each block of a row. */
QN_NODISCARD qn_status qn_ref_quantize_row8(qn_eval *ev, const qn_op *op);

#endif
