/* The kernels of a loops module: each distinct one once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_KERNEL_H
#define QN_LOWER_LOOPS_KERNEL_H

#include "lower/loops/loops.h"

typedef struct qn_kernel_cache qn_kernel_cache;

/* `main_func`: the new @main; kernels precede it. */
qn_kernel_cache *qn_kernels_create(qn_loops *lo, qn_op *main_func);
/* Once all kernels exist: notes on each which layers launch it. If a model is too small to gain
 * from threads, no launch is spread over them. */
void qn_kernels_finish(qn_loops *lo);
void qn_kernels_destroy(qn_kernel_cache *cache); /* NULL is allowed */

#endif
