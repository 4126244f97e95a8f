/* Reading the options of the running pass.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/str.h"
#include "pass/pass.h"

const char *qn_pass_string(const qn_pass_context *pc, const char *name) {
  for (uint32_t i = 0; pc->pass->options[i].name; i++)
    if (qn_str_is(qn_str_of(pc->pass->options[i].name), name)) return pc->options[i];
  QN_UNREACHABLE("a pass reads an option that its record does not declare");
}

bool qn_pass_bool(const qn_pass_context *pc, const char *name) {
  return qn_str_is(qn_str_of(qn_pass_string(pc, name)), "true");
}

int64_t qn_pass_i64(const qn_pass_context *pc, const char *name) {
  return strtoll(qn_pass_string(pc, name), NULL, 0);
}
