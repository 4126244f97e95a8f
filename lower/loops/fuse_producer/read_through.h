/* Gathers without a kernel: a linalg.generic that reads rows of a tensor at constant positions, as
 * resizing does, loads them from the tensor itself (elements/gathered.h). The gathered tensor does
 * not exist.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_READ_THROUGH_H
#define QN_LOWER_LOOPS_READ_THROUGH_H

#include "lower/loops/loops.h"

/* The only op that reads the result of the op, a gather, directly or through other such gathers, if
 * its kernel can read through them all; NULL if not, or if the op is no gather. */
const qn_op *qn_read_through(const qn_op *gather);

#endif
