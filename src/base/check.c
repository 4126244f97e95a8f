/* Ends the process after a broken invariant.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"

#include <stdio.h>
#include <stdlib.h>

noreturn void qn_check_failed(const char *file, int line, const char *what) {
  fprintf(stderr, "quern: internal error: %s:%d: %s\n", file, line, what);
  abort();
}
