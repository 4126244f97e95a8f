/* The report on the answers of one or two models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EVAL_REPORT_H
#define QN_CLI_EVAL_REPORT_H

#include <jansson.h>

#include "cli/eval/answers.h"

typedef struct evaluation {
  const char *model, *against; /* paths; against may be NULL, and so may its answers */
  const samples *all;
  const labels *names;
  const answer *answers, *of_against;
  const answer *of_interpreter; /* of the same model at its model stage, for --report; or NULL */
  size_t part, parts;           /* which part of the samples; 0: all */
  size_t top;                   /* of how many classes the true one is to be one */
  size_t listed;                /* how many samples to list at most */
} evaluation;

/* The report as a document (docs/eval.md), the only source of what is printed. */
json_t *evaluation_report(const evaluation *e);
void evaluation_print(const json_t *report);

#endif
