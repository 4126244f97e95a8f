/* Messages about pairs and sets of rules: overlaps and cycles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_CHECK_OVERLAP_H
#define QN_RULES_CHECK_OVERLAP_H

#include "rules/check/check.h"

/* Compares two rules, the one that is first in the files first. If `lint`, also warns that both may
 * match. */
void qn_rule_check_pair(qn_rule_reporter *reporter, const qn_rule *earlier, const qn_rule *rule,
                        bool lint);
/* Reports cycles: rules of one pass each of which builds what the next one matches. */
void qn_rule_check_circles(qn_rule_set *set, qn_rule_reporter *reporter);

#endif
