/* The list of passes as text: the rows of qn_list("passes").
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_LIST_PASSES_H
#define QN_CLI_LIST_PASSES_H

#include <jansson.h>
#include <stdbool.h>

void list_print_passes(const json_t *rows, bool markdown);

#endif
