/* CPUs by level.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_LIST_CPUS_H
#define QN_CLI_LIST_CPUS_H

#include <jansson.h>
#include <stdbool.h>

/* Prints, for each row of the list of targets, what a CPU needs and which CPUs have it. */
void list_print_cpus(const json_t *rows, bool markdown);

#endif
