/* What holds for more than one run of an executable: sizes of dimensions, and states.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_PERSISTENT_H
#define QN_CLI_PERSISTENT_H

#include "cli/cli.h"

/* Applies --size, before buffers are made, and --state. */
cli_exit cli_set_sizes(cli *c, qn_executable *executable);
cli_exit cli_read_states(cli *c, qn_executable *executable);

#endif
