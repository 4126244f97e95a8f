/* Inside quern reduce: what its two ways share.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_REDUCE_H
#define QN_CLI_REDUCE_H

#include "cli/cli.h"

typedef struct reduction {
  cli *c;
  qn_pipeline *pipeline;
  qn_bytes input;
  const char *name;
  char file[64]; /* that the check reads */
} reduction;

/* A handler that hides messages: what fails is tried again and again. */
void reduce_drop_message(void *user, const qn_message *message);
/* Makes the file, which is to be unlinked. */
cli_exit reduce_make_file(reduction *r);
/* Writes the module to the file and runs --check on it: whether its exit code is 0. */
cli_exit reduce_check(reduction *r, const qn_model *model, bool *out_good);
/* Takes ops away for as long as the passes, or the check after them, fail in the same way; prints
 * what is left. CLI_INVALID when nothing fails. */
cli_exit reduce_ops(reduction *r);

#endif
