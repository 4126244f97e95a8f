/* Constant buffers of the loops module: one memref.global per payload and type.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_CONSTANTS_H
#define QN_LOWER_LOOPS_CONSTANTS_H

#include "lower/loops/loops.h"

typedef struct qn_constant_cache qn_constant_cache;

qn_constant_cache *qn_constants_create(qn_loops *lo);
void qn_constants_destroy(qn_constant_cache *cache); /* NULL is allowed */

/* Returns the SSA value in @main of a constant buffer. `buffer_type`: a 1-D memref. `payload`: all
 * elements, or one element that is a splat. */
qn_value *qn_constants_buffer(qn_loops *lo, const qn_type *buffer_type, qn_bytes payload);
/* A constant buffer with each element of `tensor` repeated `each` times, and that whole sequence
 * repeated `times` times. */
qn_value *qn_constants_repeated(qn_loops *lo, const qn_value *tensor, const qn_type *element,
                                int64_t each, int64_t times);

#endif
