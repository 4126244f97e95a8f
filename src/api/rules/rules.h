/* Inside the API: what a set of rules is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_API_RULES_RULES_H
#define QN_API_RULES_RULES_H

#include <jansson.h>

#include "api/api.h"
#include "rules/rules.h"

struct qn_rules {
  qn_context *context;
  qn_rule_set set;
  QN_ARRAY(qn_file *) files; /* whose texts the set borrows */
};

/* An object with all that is known of a rule. */
json_t *qn_rule_json(const qn_rule *rule);

/* Catalogues of qn_list. */
json_t *qn_list_rule_passes(void);
json_t *qn_list_rule_functions(void);
json_t *qn_list_rule_ops(void);
json_t *qn_list_rule_extensions(void);

#endif
