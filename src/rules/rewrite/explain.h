/* Explains why a rule does not fire: how far it gets at an op, and what stops it, with values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_EXPLAIN_H
#define QN_RULES_REWRITE_EXPLAIN_H

#include "rules/rewrite/run.h"

typedef struct qn_rule_explanation {
  /* NO_MATCH, NOT_HELD, UNDONE, NO_CHANGE, or APPLIED if it fires at the op */
  qn_rule_outcome outcome;
  /* how far matching got; the op with the highest score is the most informative */
  uint32_t score;
  qn_text text; /* lines of text; the caller frees it with qn_text_deinit */
} qn_rule_explanation;

/* Tries the rule at the op without changing the graph, and describes what happened. */
void qn_rule_explain(qn_rule_run *run, qn_rule_state *state, qn_op *op,
                     qn_rule_explanation *out_explanation);

#endif
