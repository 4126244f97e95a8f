/* Signature of the new @main, and the attributes that describe it to codegen and the runtime.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_INTERFACE_H
#define QN_LOWER_LOOPS_INTERFACE_H

#include "lower/loops/loops.h"

/* Creates a detached @main(inputs..., outputs..., states..., arena, sizes...) without a body. It
 * has the name of the function of lo->entry. Prepared memory becomes its last argument when a
 * buffer is there (memory/memrefs.h). */
qn_op *qn_interface_create_main(qn_loops *lo);

typedef struct qn_main_arguments {
  qn_value *const *inputs, *const *outputs, *const *states, *const *sizes;
  qn_value *arena;
} qn_main_arguments;
qn_main_arguments qn_interface_arguments(const qn_loops *lo, const qn_op *main_func);

/* Sets the attributes that name the target of the loops. */
void qn_interface_set_target(qn_module *module, const qn_target *target);
/* Sets the sizes of the arena and of prepared memory (argument `prepared`; NULL if there is none),
 * the argument attributes and the module attributes. buffer_offsets[i]: byte offset of buffer i in
 * its memory. */
void qn_interface_finish(qn_loops *lo, qn_op *main_func, qn_memory_sizes sizes, qn_value *prepared,
                         const int64_t *buffer_offsets);

#endif
