/* Matches rules at a node: finds the operand that each tag of the rule denotes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_MATCH_H
#define QN_RULES_APPLY_MATCH_H

#include "rules/apply/view.h"
#include "rules/check/check.h"

typedef struct qn_rule_binding {
  qn_rule_operand root; /* "*" */
  qn_rule_operand tags[QN_RULE_MAX_TAGS];
  bool bound[QN_RULE_MAX_TAGS];
} qn_rule_binding;

/* Number of ways in which a rule can match: 2^n if it has n EITHER patterns. */
uint32_t qn_rule_ways(const qn_rule *rule);

/* Tries the pattern of a checked rule at an output of a node. A rule with EITHER can match in
 * several ways, which are numbered: those from *choice on are tried, and *choice becomes the one
 * that matched; after the last of them it is false. Every other rule matches in way 0 or not at
 * all. */
bool qn_rule_match(const qn_rule_view *view, const qn_rule *rule, qn_rule_operand root,
                   uint32_t *choice, qn_rule_binding *out_binding);
/* A part of a pattern as it is written, at an operand; what is bound already stays, and *io_binding
 * is unchanged when it does not match. */
bool qn_rule_match_part(const qn_rule_view *view, const qn_rule_node *pattern,
                        qn_rule_operand operand, qn_rule_binding *io_binding);

#endif
