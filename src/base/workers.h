/* Runs independent calculations in one thread per CPU that this process may use, at most 8.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_WORKERS_H
#define QN_BASE_WORKERS_H

#include <stdint.h>

/* Number of CPUs that this process may use; at least 1. */
uint32_t qn_usable_cpus(void);

/* Processes the indices [begin, end). Must not allocate from base/heap.h and must not report
 * diagnostics, because work in another thread can't be aborted. */
typedef void qn_work(void *user, uint32_t begin, uint32_t end);
/* Calls `work` for consecutive parts of [0, count), of at most `grain` indices each, in any order
 * and concurrently. Returns when all calls have returned. If no thread can be created, the calling
 * thread does all the work. */
void qn_workers_run(uint32_t count, uint32_t grain, qn_work *work, void *user);

#endif
