/* A pool of threads that covers a range of independent work items.
 *
 * The range is split into one contiguous chunk per thread, always at the same positions for the
 * same range and number of threads. A thread begins with its own chunk and continues with unclaimed
 * parts of other chunks. Every thread computes a work item with the same code, so results depend
 * neither on the number of threads nor on which thread computes an item.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_PARALLEL_H
#define QN_RUNTIME_PARALLEL_H

#include <quern/base.h>

#include "runtime/abi.h"

typedef struct qn_pool qn_pool;

/* Creates a pool. `threads` includes the caller, which also works. It is limited to the CPUs that
 * this process may use, so that a spinning thread never displaces a working one. Errors: QN_INVALID
 * for 0; QN_LIMIT if threads can't be started. */
QN_NODISCARD qn_status qn_pool_create(uint32_t threads, qn_pool **out_pool);
void qn_pool_destroy(qn_pool *pool); /* NULL is allowed */
uint32_t qn_pool_threads(const qn_pool *pool);

/* Implements qn_abi_call.parallel_for: runs the kernel over [0, count) and returns when all of it
 * is done. Does not allocate. Must be called from one thread at a time, and not from within a
 * kernel. */
void qn_pool_for(void *pool, qn_abi_kernel *kernel, void *const *args, qn_abi_index count);

#endif
