/* Graphs made for rules: functions that a rule's pattern matches, or nearly matches.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_TRIAL_SAMPLE_H
#define QN_RULES_TRIAL_SAMPLE_H

#include "rules/rewrite/run.h"

/* How the sizes and encodings of a sample are chosen. */
typedef struct qn_rule_sampling {
  uint64_t state; /* of the random numbers */
  uint32_t round; /* from 0: later ones are wilder */
} qn_rule_sampling;

/* A module with one function whose result is the op that the pattern's root wants, its operands
 * arguments and constants. NULL: nothing valid came of these choices. */
qn_module *qn_rule_sample(qn_ir_context *cx, const qn_rule *rule, qn_rule_sampling *sampling);

typedef enum qn_rule_verdict { QN_RULE_PASS, QN_RULE_FAIL, QN_RULE_UNSUPPORTED } qn_rule_verdict;

typedef struct qn_rule_trial {
  qn_rule_verdict verdict;
  uint32_t samples, fired, near; /* graphs made; where it fired; where its pattern matched only */
  qn_text why;                   /* FAIL, UNSUPPORTED: a line or several */
  qn_text module;                /* FAIL: the smallest graph that shows it, as a module */
} qn_rule_trial;

/* Makes graphs, applies the rule, computes both sides. The set has the rule. */
void qn_rule_trial_run(qn_ir_context *cx, const qn_rule_set *set, const qn_rule *rule,
                       qn_rule_trial *out_trial);

#endif
