/* Internal to quern reduce: shared parts of its two methods.
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
  char file[64]; /* file that the check reads */
} reduction;

/* Message handler that drops messages, because failing attempts are repeated. */
void reduce_drop_message(void *user, const qn_message *message);
/* Creates the temporary file; the caller unlinks it. */
cli_exit reduce_make_file(reduction *r);
/* Writes the module to the file and runs the command of --check on it. *out_good: whether its exit
 * code is 0. */
cli_exit reduce_check(reduction *r, const qn_model *model, bool *out_good);
/* Removes ops as long as the passes, or the check after them, fail in the same way, and prints the
 * result. Returns CLI_INVALID if nothing fails. */
cli_exit reduce_ops(reduction *r);

#endif
