/* Proofs about rules, independent of a graph: whether the replacement has the same sizes and
 * encoding as the matched operand.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_PROVE_PROVE_H
#define QN_RULES_PROVE_PROVE_H

#include "rules/check/check.h"
#include "rules/prove/linear.h"

/* Proves a rule without errors. Reports a replacement that can't have the right sizes or encoding
 * as RR0801, and sets `sizes_proved` and `encoding_proved` of the rule. */
void qn_rule_prove(qn_rule_checker *c);

#endif
