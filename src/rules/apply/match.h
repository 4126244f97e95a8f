/* Matches rules at a node: finds the operand that each tag of the rule denotes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_MATCH_H
#define QN_RULES_APPLY_MATCH_H

#include "rules/apply/view.h"
#include "rules/check/check.h"

typedef struct qn_rule_binding {
  qn_rule_operand root; /* operand of "*", the matched output */
  qn_rule_operand tags[QN_RULE_MAX_TAGS];
  bool bound[QN_RULE_MAX_TAGS];
} qn_rule_binding;

/* Number of alternatives in which a rule can match: 2^n with n EITHER patterns, because each
 * matches with its first two operands in either order. */
uint32_t qn_rule_ways(const qn_rule *rule);

/* Matches the pattern of a checked rule at an output of a node. Alternatives of EITHER patterns are
 * numbered from 0; they are tried from *choice on, and *choice becomes the one that matched.
 * Returns false if none from *choice on matches. A rule without EITHER has alternative 0 only. */
bool qn_rule_match(const qn_rule_view *view, const qn_rule *rule, qn_rule_operand root,
                   uint32_t *choice, qn_rule_binding *out_binding);
/* Matches a part of a pattern, without expanding its macros, at an operand. Tags that are bound
 * already must match their operand. *io_binding is unchanged if the part does not match. */
bool qn_rule_match_part(const qn_rule_view *view, const qn_rule_node *pattern,
                        qn_rule_operand operand, qn_rule_binding *io_binding);

#endif
