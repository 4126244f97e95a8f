/* A line on standard error while an operation takes longer than two seconds. It is shown on a
 * terminal, or with -v. A thread of its own prints it, so that long calls into the library need not
 * cooperate.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_PROGRESS_H
#define QN_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct cli_progress cli_progress;

/* Starts a progress line. Returns NULL if nothing is to be shown; every function accepts NULL.
 * `what` must stay valid until cli_progress_end. */
cli_progress *cli_progress_begin(const char *what, bool verbose);
/* Sets the numbers in "what: done of total". Before the first call only the seconds are shown. */
void cli_progress_set(cli_progress *progress, int64_t done, int64_t total);
/* Removes the line from the terminal, so that other text can be printed. */
void cli_progress_clear(cli_progress *progress);
void cli_progress_end(cli_progress *progress);

#endif
