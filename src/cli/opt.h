/* Inside quern opt: one run over an input that may have several parts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_OPT_H
#define QN_CLI_OPT_H

#include "cli/cli.h"

typedef struct opt_job {
  const char *name;  /* of the input, for messages */
  const char *input; /* with a NUL after it */
  size_t input_size;
  bool executes;    /* instead of printing */
  qn_engine engine; /* that executes */
  qn_pipeline *pipeline;
  qn_reproducer reproducer; /* that is run, or empty */
  qn_run_options run;
  qn_text_options text;
} opt_job;

/* Reads, runs and prints each part. The worst outcome of all parts counts. */
cli_exit opt_run(cli *c, const opt_job *job);

#endif
