/* Monotonic time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_BASE_CLOCK_H
#define QN_BASE_CLOCK_H

/* Seconds since an arbitrary moment. */
double qn_clock_now(void);

#endif
