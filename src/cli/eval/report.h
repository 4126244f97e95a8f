/* The report on the answers of one or two models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EVAL_REPORT_H
#define QN_CLI_EVAL_REPORT_H

#include <jansson.h>

#include "cli/eval/answers.h"

typedef struct evaluation {
  const char *model, *against; /* paths; `against` and its answers can be NULL */
  const samples *all;
  const labels *names;
  const answer *answers, *of_against;
  /* for --report: answers of the same model in the interpreter at the model stage; NULL if none */
  const answer *of_interpreter;
  size_t part, parts; /* which part of the samples these are, from 1; 0: all samples */
  size_t top;         /* a sample counts for top-k if the true class is among this many */
  size_t listed;      /* maximum number of samples to list */
} evaluation;

/* Builds the report as JSON (docs/eval.md). All printed output is made from it. */
json_t *evaluation_report(const evaluation *e);
void evaluation_print(const json_t *report);

#endif
