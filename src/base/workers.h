/* Independent calculations, in as many threads as this process has CPUs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_WORKERS_H
#define QN_BASE_WORKERS_H

#include <stdint.h>

/* CPUs that this process may use; at least 1. */
uint32_t qn_usable_cpus(void);

/* Works on [begin, end). Allocates nothing of ours and reports nothing, so it can't be aborted. */
typedef void qn_work(void *user, uint32_t begin, uint32_t end);
/* Covers [0, count) by calls with at most `grain` each, in any order and at the same time; returns
 * when all is done. Where no thread is to be had, in this one. */
void qn_workers_run(uint32_t count, uint32_t grain, qn_work *work, void *user);

#endif
