/* --verify-diagnostics: comments that say which diagnostics must come.
 *   // expected-error@+1 {{text}}      also -warning, -note, -remark
 *   // expected-error-re@above {{text with {{a regular expression}} in it}}
 * Without a place it is the comment's own line; @above and @below are the nearest lines without
 * such a comment, @+N and @-N count from this one, @unknown is for diagnostics without a place.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EXPECT_H
#define QN_CLI_EXPECT_H

#include "cli/cli.h"

typedef struct expectation expectation;
typedef struct expectations {
  const char *name; /* of the input */
  expectation *rows;
  size_t count, capacity;
  bool only_expected; /* others are let pass */
  bool failed;        /* an unexpected diagnostic occurred */
} expectations;

/* Reads the comments of a part of the input that begins at a line (from 1). */
cli_exit expect_read(cli *c, const char *name, const char *text, size_t size, uint32_t line,
                     expectations *out_expected);
/* A qn_message_parts_fn; its user is the expectations. Reports what was not expected. */
void expect_take(void *user, const qn_message *message);
/* Reports what did not come; CLI_MISMATCH when anything differed. Frees. */
cli_exit expect_end(expectations *expected);

#endif
