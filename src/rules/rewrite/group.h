/* The rules of one pass at work.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_GROUP_H
#define QN_RULES_REWRITE_GROUP_H

#include "rules/apply/tree.h"
#include "rules/rewrite/run.h"
#include "ir/ops/forms.h"

typedef struct qn_rule_group {
  size_t first, end;                       /* of the states */
  QN_ARRAY(uint32_t) by_kind[QN_OP_COUNT]; /* numbers of states, in their order */
  qn_rule_tree *trees[QN_OP_COUNT];        /* of those, made when an op of the kind is met */
} qn_rule_group;

/* A group that has its bounds gets its rules. */
void qn_rule_group_fill(qn_rule_run *run, qn_rule_group *group);
void qn_rule_group_empty(qn_rule_group *group);
/* Whether a rule was applied at the op, which may be gone then. */
bool qn_rule_visit(qn_rule_run *run, qn_rule_group *group, qn_op *op);

#endif
