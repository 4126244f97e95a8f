/* Layer descriptions on launches: name, shapes and fused ops of the operator that a kernel
 * computes. Time tables and the printed IR show them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_LAYER_H
#define QN_LOWER_LOOPS_LAYER_H

#include "lower/loops/loops.h"

/* The operator's name: that of its location, else line and column of the text and the op's name.
 * The string may be in the scratch arena. */
qn_str qn_layer_name(const qn_loops *lo, const qn_op *op);
/* Sets on `launch` the operator's name and shapes, and the names of its post-ops and fused
 * producer. Returns name and shapes in one string, the description of the kernel. */
const qn_attr *qn_layer_describe(const qn_kernel *k, qn_op *launch);

#endif
