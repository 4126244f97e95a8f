/* What a launch says about the operator that it works for, for tables of times and readers of text.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_LAYER_H
#define QN_LOWER_LOOPS_LAYER_H

#include "lower/loops/loops.h"

/* The operator's name: its location's, else line and column of text with the op's own; it may live
 * in the scratch arena. */
qn_str qn_layer_name(const qn_loops *lo, const qn_op *op);
/* Sets the name and shapes of the operator on the launch, and the names of its post-ops, and of
 * what feeds it, where the kernel does their work. Gives what a kernel says of the layer: both in
 * one string. */
const qn_attr *qn_layer_describe(const qn_kernel *k, qn_op *launch);

#endif
