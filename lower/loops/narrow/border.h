/* Borders of bytes whose number for the real 0 is known at run time only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_NARROW_BORDER_H
#define QN_LOWER_LOOPS_NARROW_BORDER_H

#include "lower/loops/loops.h"

/* Images, scales and zero points of images are the first operands of the op, in `buffers`: the
 * images with the border that its padding says, filled with their zero points. What is given where
 * there is no padding; else a kernel makes them. */
qn_value *qn_narrow_bordered(qn_loops *lo, const qn_op *op, qn_value *const *buffers);

#endif
