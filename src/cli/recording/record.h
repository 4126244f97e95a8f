/* Writes golden directories.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_RECORD_H
#define QN_CLI_RECORD_H

#include "cli/cli.h"

/* verify --record: writes a case with the given inputs, and cases with random inputs. */
cli_exit record_cases(cli *c);
/* The same for a model that is loaded, without a line per case on standard output. */
cli_exit record_model(cli *c, const qn_model *model);

#endif
