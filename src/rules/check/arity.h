/* How many operands ops of this build have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_CHECK_ARITY_H
#define QN_RULES_CHECK_ARITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* What the operands of an op are that never has so many; `more`: nor more. NULL: it may have. */
const char *qn_rule_operands_of(qn_str name, uint32_t given, bool more);

#endif
