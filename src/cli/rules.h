/* quern rules: what its files share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_RULES_H
#define QN_CLI_RULES_H

#include <jansson.h>

#include "cli/cli.h"

typedef struct rules_job {
  cli *c;
  qn_rules *rules;
  json_t *messages; /* of check --json, or NULL */
} rules_job;

/* What rules do to models; the names of models and of rule files may come in any order. */
cli_exit cli_rules_coverage(rules_job *job);
cli_exit cli_rules_explain(rules_job *job);
cli_exit cli_rules_why_not(rules_job *job);
cli_exit cli_rules_replay(rules_job *job);
/* The first application after which --check fails. */
cli_exit cli_rules_bisect(rules_job *job);
/* What the command line says about rewriting. */
qn_rewrite_options cli_rules_options(const rules_job *job);
/* The rule files among the arguments from `first` on, and the only model among them. */
cli_exit cli_rules_add(rules_job *job, int first);
cli_exit cli_rules_load_one(rules_job *job, int first, qn_model **out_model);
/* Whether rules do what they say, on graphs made for them. */
cli_exit cli_rules_test(rules_job *job);

#endif
