/* Inside the API: what a set of rules is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_RULES_RULES_H
#define QN_API_RULES_RULES_H

#include "api/json.h"
#include "rules/rules.h"

struct qn_rules {
  qn_context *context;
  qn_rule_set set;
  QN_ARRAY(qn_file *) files; /* whose texts the set borrows */
  qn_ring ring;              /* memory of the set */
  bool changing;             /* a call is at it */
  bool lost;                 /* a call that was changing it was aborted */
};

/* QN_LIMIT, with a message, when they are lost. */
QN_NODISCARD qn_status qn_rules_check_there(const qn_rules *rules);
/* An object with all that is known of a rule. */
json_t *qn_rule_json(qn_json *pool, const qn_rule *rule);

/* Catalogues of qn_list. */
json_t *qn_list_rule_passes(qn_json *pool);
json_t *qn_list_rule_functions(qn_json *pool);
json_t *qn_list_rule_ops(qn_json *pool);
json_t *qn_list_rule_extensions(qn_json *pool);

#endif
