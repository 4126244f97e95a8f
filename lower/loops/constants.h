/* Constant buffers of the loops module: one memref.global per payload and type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CONSTANTS_H
#define QN_LOWER_LOOPS_CONSTANTS_H

#include "lower/loops/loops.h"

typedef struct qn_constant_cache qn_constant_cache;

qn_constant_cache *qn_constants_create(qn_loops *lo);
void qn_constants_destroy(qn_constant_cache *cache); /* NULL is allowed */

/* The buffer in @main of a one-dimensional memref type with this payload; one element is a splat.
 */
qn_value *qn_constants_buffer(qn_loops *lo, const qn_type *buffer_type, qn_bytes payload);
/* The elements of a constant tensor, each so many times, and all of that so many times. */
qn_value *qn_constants_repeated(qn_loops *lo, const qn_value *tensor, const qn_type *element,
                                int64_t each, int64_t times);

#endif
