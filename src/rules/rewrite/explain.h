/* Why a rule does not fire: how far it gets at a node, and what stops it, with values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_EXPLAIN_H
#define QN_RULES_REWRITE_EXPLAIN_H

#include "rules/rewrite/run.h"

typedef struct qn_rule_explanation {
  qn_rule_outcome outcome; /* NO_MATCH, NOT_HELD, UNDONE, NO_CHANGE, or APPLIED: it fires there */
  uint32_t score;          /* how far it got, to compare nodes by */
  qn_text text;            /* lines; to be freed */
} qn_rule_explanation;

/* Tries the rule at the op and changes nothing. */
void qn_rule_explain(qn_rule_run *run, qn_rule_state *state, qn_op *op,
                     qn_rule_explanation *out_explanation);

#endif
