/* Evaluation of scalar expressions and constraints of a checked rule whose macros are expanded and
 * whose tags are bound to operands.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_EVALUATE_H
#define QN_RULES_APPLY_EVALUATE_H

#include "rules/apply/match.h"
#include "rules/apply/value.h"

/* A value for the option that OPTION_... names. Options that are not in the list are 0. */
typedef struct qn_rule_setting {
  const char *name;
  double value;
} qn_rule_setting;

/* The current piece of an AUTOSPLIT, or iteration of an OP_ITER: the values that SPLIT_... and
 * ITER_VAR read while its body is built. */
typedef struct qn_rule_piece {
  qn_str tag;
  int64_t dim, start, size;
  const struct qn_rule_piece *outer; /* enclosing split; NULL if none */
} qn_rule_piece;

typedef struct qn_rule_evaluation {
  const qn_rule_view *view;
  const qn_rule_binding *binding;
  const qn_rule_setting *settings; /* list ended by a NULL name; NULL if empty */
  const qn_rule_piece *pieces;     /* innermost current split; NULL outside of splits */
  uint32_t candidate;              /* index of the operand of SWEEP that is evaluated, from 0 */
  /* Evaluates EXTERNAL_CONSTRAINT; NULL if external functions are unavailable. `operand` is the
   * first graph operand of the call, `values` the scalar ones. Returns false if the function
   * fails. */
  bool (*external)(void *user, qn_str name, qn_rule_operand operand, const qn_rule_value *values,
                   uint32_t count, bool *out_holds);
  void *user;
  /* Reason of the last failed evaluation, and the node at which it failed. */
  const char *failure;
  const qn_rule_node *failed;
} qn_rule_evaluation;

/* Evaluates the scalar `node`, or resolves the graph operand `node`. Return false if the evaluation
 * fails; e->failure and e->failed have the reason and the node. */
bool qn_rule_evaluate(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value);
bool qn_rule_resolve(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_operand *out_operand);
/* The piece that belongs to the split tag `tag`, a string node. NULL if the evaluation failed. */
const qn_rule_piece *qn_rule_piece_of(qn_rule_evaluation *e, const qn_rule_node *tag);
/* Whether the constraint of the rule holds. False also if its evaluation fails; e->failure then has
 * the reason. */
bool qn_rule_is_held(qn_rule_evaluation *e, const qn_rule *rule);

#endif
