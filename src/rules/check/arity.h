/* How many operands the ops of this build can have.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_CHECK_ARITY_H
#define QN_RULES_CHECK_ARITY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* Checks the number of operands of the op `name`. Returns NULL if it can have `given` operands (or,
 * if `more`, at least that many); else the description of its operands for the message. */
const char *qn_rule_operands_of(qn_str name, uint32_t given, bool more);

#endif
