/* quern rules: shared by its files.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_RULES_H
#define QN_CLI_RULES_H

#include <jansson.h>

#include "cli/cli.h"

typedef struct rules_job {
  cli *c;
  qn_rules *rules;
  json_t *messages; /* messages of check --json; NULL if none */
} rules_job;

/* Commands that apply rules to models. Models and rule files can be given in any order. */
cli_exit cli_rules_coverage(rules_job *job);
cli_exit cli_rules_explain(rules_job *job);
cli_exit cli_rules_why_not(rules_job *job);
cli_exit cli_rules_replay(rules_job *job);
/* Finds the first application after which the command of --check fails. */
cli_exit cli_rules_bisect(rules_job *job);
/* The rewrite options of the command line. */
qn_rewrite_options cli_rules_options(const rules_job *job);
/* cli_rules_add reads the rule files among the arguments from index `first` on; cli_rules_load_one
 * loads the only model among them. */
cli_exit cli_rules_add(rules_job *job, int first);
cli_exit cli_rules_load_one(rules_job *job, int first, qn_model **out_model);
/* Tests rules on graphs that are made for them. */
cli_exit cli_rules_test(rules_job *job);

#endif
