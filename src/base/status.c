/* Names of status codes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/check.h"
#include <quern/base.h>

static const char *const names[] = {
    [QN_OK] = "ok",
    [QN_INVALID] = "invalid input",
    [QN_UNSUPPORTED] = "unsupported",
    [QN_NOT_FOUND] = "not found",
    [QN_IO] = "input or output failed",
    [QN_LIMIT] = "limit reached",
    [QN_INTERNAL] = "internal error",
};

const char *qn_status_name(qn_status status) {
  return (size_t)status < QN_COUNT(names) ? names[status] : "unknown status";
}
