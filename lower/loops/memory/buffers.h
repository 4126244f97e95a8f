/* Tensors as SSA values of @main. Views of the arena are built before its layout is known; their
 * offsets are filled in at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_BUFFERS_H
#define QN_LOWER_LOOPS_BUFFERS_H

#include "lower/loops/interface.h"

typedef struct qn_buffers qn_buffers;

/* `args` of the new @main are kept, not what it points to. */
qn_buffers *qn_buffers_create(qn_loops *lo, const qn_main_arguments *args);
void qn_buffers_destroy(qn_buffers *buffers); /* NULL is allowed */

/* All of a storage, as the buffer of a tensor of this type. */
qn_value *qn_buffers_of(qn_loops *lo, uint32_t storage, const qn_type *tensor);

/* Writes the offsets of the finished plan into the views. */
void qn_buffers_set_offsets(qn_loops *lo, const int64_t *storage_offsets);

#endif
