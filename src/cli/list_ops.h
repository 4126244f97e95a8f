/* The sections of the page of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_LIST_OPS_H
#define CLI_LIST_OPS_H

#include <jansson.h>

/* Rows of qn_list("ops") as markdown, a section per dialect, in the order of the table. */
void list_print_ops(const json_t *rows);

#endif
