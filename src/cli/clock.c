/* Monotonic time.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <time.h>

#include "cli/cli.h"

double cli_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
