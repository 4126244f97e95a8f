/* quern opt --emit=interpret and --emit=run: executes a function and prints its results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_INTERPRET_H
#define QN_CLI_INTERPRET_H

#include "cli/cli.h"

/* Calls the function of --function with the values of --input, by name or in order, and prints the
 * results. */
cli_exit cli_interpret(cli *c, const qn_model *model, qn_engine engine, FILE *out);

#endif
