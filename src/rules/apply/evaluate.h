/* Constraints: scalars of a checked and expanded rule, with its tags bound.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_EVALUATE_H
#define QN_RULES_APPLY_EVALUATE_H

#include "rules/apply/match.h"
#include "rules/apply/value.h"

/* A value that OPTION_... reads; what is not in the list is 0. */
typedef struct qn_rule_setting {
  const char *name;
  double value;
} qn_rule_setting;

/* What SPLIT_... and ITER_VAR are inside of an AUTOSPLIT or OP_ITER. */
typedef struct qn_rule_piece {
  qn_str tag;
  int64_t dim, start, size;
  const struct qn_rule_piece *outer; /* or NULL */
} qn_rule_piece;

typedef struct qn_rule_evaluation {
  const qn_rule_view *view;
  const qn_rule_binding *binding;
  const qn_rule_setting *settings; /* ended by a NULL name; or NULL */
  const qn_rule_piece *pieces;     /* the innermost one; NULL outside of splits */
  uint32_t candidate;              /* which of its sizes a SWEEP is */
  /* EXTERNAL_CONSTRAINT; NULL in it: no function is there. `operand` is its first one. */
  bool (*external)(void *user, qn_str name, qn_rule_operand operand, const qn_rule_value *values,
                   uint32_t count, bool *out_holds);
  void *user;
  /* Why and where the last failed evaluation failed. */
  const char *failure;
  const qn_rule_node *failed;
} qn_rule_evaluation;

/* False: evaluation failed. */
bool qn_rule_evaluate(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_value *out_value);
bool qn_rule_resolve(qn_rule_evaluation *e, const qn_rule_node *node, qn_rule_operand *out_operand);
/* The piece of a split tag, which is a string; NULL: evaluation failed. */
const qn_rule_piece *qn_rule_piece_of(qn_rule_evaluation *e, const qn_rule_node *tag);
/* Whether the constraint of a rule holds; not where its evaluation fails, e->failure says so. */
bool qn_rule_is_held(qn_rule_evaluation *e, const qn_rule *rule);

#endif
