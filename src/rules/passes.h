/* The groups of passes and their numbers; smaller numbers run first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_PASSES_H
#define QN_RULES_PASSES_H

#include "base/str.h"

typedef struct qn_rule_pass {
  const char *name;
  int64_t number;
  const char *summary; /* what its rules do; empty for a second name of a group */
} qn_rule_pass;

/* By number, ended by a row without a name. */
extern const qn_rule_pass qn_rule_passes[];

/* The group of that name; NULL if there is none. */
const qn_rule_pass *qn_rule_pass_find(qn_str name);
/* The last group whose number is at most `number`; NULL if there is none. */
const qn_rule_pass *qn_rule_pass_below(int64_t number);
/* The first group whose number is larger than `number`; NULL if there is none. */
const qn_rule_pass *qn_rule_pass_above(int64_t number);

#endif
