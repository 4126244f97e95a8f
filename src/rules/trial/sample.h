/* Sample graphs for a rule: functions that the rule's pattern matches, or almost matches.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_TRIAL_SAMPLE_H
#define QN_RULES_TRIAL_SAMPLE_H

#include "rules/rewrite/run.h"

/* The state of the random choices for a sample. */
typedef struct qn_rule_sampling {
  uint64_t state; /* state of the random numbers */
  uint32_t round; /* index of the sample, from 0: later samples vary more */
} qn_rule_sampling;

/* Builds a module with one function that returns the op at the pattern's root; its operands are
 * arguments and constants. NULL if these choices gave no valid graph. The caller destroys the
 * module. */
qn_module *qn_rule_sample(qn_ir_context *cx, const qn_rule *rule, qn_rule_sampling *sampling);

typedef enum qn_rule_verdict { QN_RULE_PASS, QN_RULE_FAIL, QN_RULE_UNSUPPORTED } qn_rule_verdict;

typedef struct qn_rule_trial {
  qn_rule_verdict verdict;
  /* samples: graphs built; fired: graphs to which the rule was applied; near: graphs in which the
   * pattern matched but the constraint did not hold. */
  uint32_t samples, fired, near;
  qn_text why;    /* FAIL, UNSUPPORTED: reason, one or more lines */
  qn_text module; /* FAIL: text of the smallest module that shows the failure */
} qn_rule_trial;

/* Tests a rule of the set: builds graphs, applies the rule, computes both the original and the
 * replacement, and compares. */
void qn_rule_trial_run(qn_ir_context *cx, const qn_rule_set *set, const qn_rule *rule,
                       qn_rule_trial *out_trial);

#endif
