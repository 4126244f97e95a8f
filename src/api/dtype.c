/* Names of element types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"
#include "ir/entry/dtype.h"

const char *qn_dtype_name(qn_dtype dtype) {
  const qn_dtype_names *names = qn_dtype_names_of(dtype);
  return names ? names->numpy : "unknown";
}
