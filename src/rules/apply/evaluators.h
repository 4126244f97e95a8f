/* Internal to evaluation: functions in other files to which the table of evaluators refers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_EVALUATORS_H
#define QN_RULES_APPLY_EVALUATORS_H

#include "rules/apply/evaluate.h"

/* Records `why` and `node` as the reason of the failure, and returns false. */
bool qn_rule_fail(qn_rule_evaluation *e, const qn_rule_node *node, const char *why);
/* Evaluates an integer operand of type I32 or SIZE to 64 bits. Returns false if the evaluation
 * fails. */
bool qn_rule_evaluate_index(qn_rule_evaluation *e, const qn_rule_node *node, int64_t *out_index);

/* Computes the value of a call. Returns false if the evaluation fails. */
typedef bool qn_rule_evaluator(qn_rule_evaluation *e, const qn_rule_node *node,
                               qn_rule_value *out_value);
qn_rule_evaluator qn_rule_eval_count, qn_rule_eval_shape, qn_rule_eval_dtype, qn_rule_eval_encoding,
    qn_rule_eval_axis, qn_rule_eval_same_op, qn_rule_eval_same_encoding, qn_rule_eval_constant,
    qn_rule_eval_valid, qn_rule_eval_is_const;

#endif
