/* Internal definition of a set of rules, and helpers for the JSON of rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_RULES_RULES_H
#define QN_API_RULES_RULES_H

#include "api/json.h"
#include "rules/rules.h"

struct qn_rules {
  qn_context *context;
  qn_rule_set set;
  QN_ARRAY(qn_file *) files; /* files whose texts `set` points into */
  qn_ring ring;              /* blocks of the set */
  bool changing;             /* a call is changing the set */
  bool lost;                 /* a call was aborted while it changed the set */
};

/* Returns QN_LIMIT, with a message, if the set is lost. */
QN_NODISCARD qn_status qn_rules_check_there(const qn_rules *rules);
/* A JSON object that describes a rule. */
json_t *qn_rule_json(qn_json *pool, const qn_rule *rule);

/* Catalogues that qn_list returns. */
json_t *qn_list_rule_passes(qn_json *pool);
json_t *qn_list_rule_functions(qn_json *pool);
json_t *qn_list_rule_ops(qn_json *pool);
json_t *qn_list_rule_extensions(qn_json *pool);

#endif
