/* How a linalg.generic reads through gathers (fuse_producer/read_through.h): its loops add offsets
 * from a table of each gathered dimension.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_GATHERED_H
#define QN_LOWER_LOOPS_GATHERED_H

#include "lower/loops/loops.h"

/* What a kernel reads instead of a tensor: elements of `source`, whose dimension d is read at
 * positions[d][i] for index i; NULL: at i. Arrays are in `scratch`. */
typedef struct qn_gathered {
  const qn_value *source; /* the tensor itself if it is not gathered */
  int32_t **positions;    /* [rank]; NULL if it is not gathered */
} qn_gathered;
qn_gathered qn_gathered_of(const qn_loops *lo, const qn_value *tensor);

#endif
