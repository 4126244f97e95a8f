/* Making golden folders.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_RECORD_H
#define QN_CLI_RECORD_H

#include "cli/cli.h"

/* verify --record: a case of the inputs that are given, and random ones. */
cli_exit record_cases(cli *c);

#endif
