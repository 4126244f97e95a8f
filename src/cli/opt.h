/* Internal to quern opt: a run over an input that may have several parts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_OPT_H
#define QN_CLI_OPT_H

#include "cli/cli.h"

typedef struct opt_job {
  const char *name;  /* name of the input in messages */
  const char *input; /* contents, followed by a NUL */
  size_t input_size;
  bool executes;    /* execute a function instead of printing the module */
  qn_engine engine; /* engine for `executes` */
  qn_pipeline *pipeline;
  qn_reproducer reproducer; /* reproducer to run; empty if none */
  qn_run_options run;
  qn_text_options text;
} opt_job;

/* Reads, runs and prints each part. Returns the worst exit code of all parts. */
cli_exit opt_run(cli *c, const opt_job *job);

#endif
