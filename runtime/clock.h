/* Monotonic time, of the runtime's own, which has no lower layer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RUNTIME_CLOCK_H
#define QN_RUNTIME_CLOCK_H

#include <stdint.h>
#include <time.h>

/* Nanoseconds since an arbitrary moment. */
static inline int64_t qn_nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#endif
