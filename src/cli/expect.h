/* --verify-diagnostics: comments in the input that announce diagnostics.
 *   // expected-error@+1 {{text}}      also -warning, -note, -remark
 *   // expected-error-re@above {{text with {{a regular expression}} in it}}
 * The diagnostic is expected on the line of the comment. @above and @below mean the nearest line
 * without such a comment, @+N and @-N count from this line, @unknown is for diagnostics without a
 * location.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EXPECT_H
#define QN_CLI_EXPECT_H

#include "cli/cli.h"

typedef struct expectation expectation;
typedef struct expectations {
  const char *name; /* name of the input */
  expectation *rows;
  size_t count, capacity;
  bool only_expected; /* diagnostics that are not announced are not errors */
  bool failed;        /* an unexpected diagnostic occurred */
} expectations;

/* Reads the comments in a part of the input that starts at line `line`, from 1. */
cli_exit expect_read(cli *c, const char *name, const char *text, size_t size, uint32_t line,
                     expectations *out_expected);
/* Handler for messages (qn_message_parts_fn); `user` is the expectations. Reports diagnostics that
 * were not announced. */
void expect_take(void *user, const qn_message *message);
/* Reports announced diagnostics that did not occur. Returns CLI_MISMATCH if anything differed.
 * Frees the expectations. */
cli_exit expect_end(expectations *expected);

#endif
