/* The kernels of a loops module. Equal kernels are stored once.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_KERNEL_H
#define QN_LOWER_LOOPS_KERNEL_H

#include "lower/loops/loops.h"

/* If @main has fewer multiply-accumulates, its kernels run in one thread: between small kernels the
 * other threads fall asleep, and waking them costs more than one large kernel gains. */
enum { QN_ALONE_MODEL_MACS = 20000000 };

typedef struct qn_kernel_cache qn_kernel_cache;

/* Creates an empty cache. Kernels are inserted before `main_func`, the new @main. */
qn_kernel_cache *qn_kernels_create(qn_loops *lo, qn_op *main_func);
/* Called once all kernels exist. Sets on each kernel the layers that launch it. If the model is too
 * small to gain from threads, marks every launch as single-threaded. */
void qn_kernels_finish(qn_loops *lo);
void qn_kernels_destroy(qn_kernel_cache *cache); /* NULL is allowed */

#endif
