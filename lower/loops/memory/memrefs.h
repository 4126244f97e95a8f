/* Buffers as memref values of @main. Views of the arena are built before its layout is known; their
 * offsets are filled in at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_MEMREFS_H
#define QN_LOWER_LOOPS_MEMREFS_H

#include "lower/loops/interface.h"

typedef struct qn_memrefs qn_memrefs;

/* Copies `args`, the arguments of the new @main. */
qn_memrefs *qn_memrefs_create(qn_loops *lo, const qn_main_arguments *args);
void qn_memrefs_destroy(qn_memrefs *buffers); /* NULL is allowed */

/* The memref of a whole buffer, with the element type and shape of `tensor`. */
qn_value *qn_memref_of(qn_loops *lo, uint32_t buffer, const qn_type *tensor);

/* The argument of @main for prepared memory; NULL if no buffer is there. */
qn_value *qn_memrefs_prepared(const qn_loops *lo);
/* Whether a buffer of @main is in prepared memory. */
bool qn_memref_is_prepared(const qn_loops *lo, const qn_value *buffer);
/* Extends the lifetime of prepared buffers that calls read to the end. The others are needed until
 * their last reader among the launches that prepare. Runs once all kernels exist, before offsets
 * are assigned. */
void qn_memrefs_keep_prepared(qn_loops *lo);

/* Writes the offsets of the finished plan into the views. */
void qn_memrefs_set_offsets(qn_loops *lo, const int64_t *buffer_offsets);

#endif
