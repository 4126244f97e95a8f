/* Values that apply to several runs of an executable: dynamic sizes, and states.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_PERSISTENT_H
#define QN_CLI_PERSISTENT_H

#include "cli/cli.h"

/* cli_set_sizes applies --size, before buffers are allocated; cli_read_states applies --state. */
cli_exit cli_set_sizes(cli *c, qn_executable *executable);
cli_exit cli_read_states(cli *c, qn_executable *executable);

#endif
