/* The rules of one pass while it runs.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_REWRITE_GROUP_H
#define QN_RULES_REWRITE_GROUP_H

#include "rules/apply/tree.h"
#include "rules/rewrite/run.h"
#include "ir/ops/forms.h"

typedef struct qn_rule_group {
  size_t first, end; /* range of indices in qn_rule_run.states */
  /* indices of the states whose root can be an op of the kind, in order */
  QN_ARRAY(uint32_t) by_kind[QN_OP_COUNT];
  /* decision tree of these rules; built when the first op of the kind is visited */
  qn_rule_tree *trees[QN_OP_COUNT];
} qn_rule_group;

/* Fills by_kind from the states [first, end). */
void qn_rule_group_fill(qn_rule_run *run, qn_rule_group *group);
void qn_rule_group_empty(qn_rule_group *group);
/* Tries the rules at the op. Returns whether one was applied; the op may then be erased. */
bool qn_rule_visit(qn_rule_run *run, qn_rule_group *group, qn_op *op);

#endif
