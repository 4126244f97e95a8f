/* Writes golden directories.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_RECORD_H
#define QN_CLI_RECORD_H

#include "cli/cli.h"

/* verify --record: writes a case with the given inputs, and cases with random inputs. */
cli_exit record_cases(cli *c);

#endif
