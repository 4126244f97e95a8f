/* The sections of the Markdown page of ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef CLI_LIST_OPS_H
#define CLI_LIST_OPS_H

#include <jansson.h>

/* Prints rows of qn_list("ops") as Markdown, a section per dialect, in the order of the table. */
void list_print_ops(const json_t *rows);

#endif
