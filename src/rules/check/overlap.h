/* Messages about pairs and sets of rules: overlaps and cycles.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_CHECK_OVERLAP_H
#define QN_RULES_CHECK_OVERLAP_H

#include "rules/check/check.h"

/* Two rules, the earlier one in the files first. lint: also that both may match. */
void qn_rule_check_pair(qn_rule_reporter *reporter, const qn_rule *earlier, const qn_rule *rule,
                        bool lint);
/* Reports rules of one pass that undo each other. */
void qn_rule_check_circles(qn_rule_set *set, qn_rule_reporter *reporter);

#endif
