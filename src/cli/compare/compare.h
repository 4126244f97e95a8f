/* Comparing two recordings: from their tensors to a report, from the report to a table, JSON or a
 * page.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_COMPARE_H
#define QN_CLI_COMPARE_H

#include "cli/recording/recording.h"

/* Pairs of tensors from --map; without, by number, else by name. */
typedef struct tensor_map {
  json_t *names; /* of A to those of B; NULL: there is no map */
} tensor_map;
cli_exit tensor_map_read(cli *c, const char *path, tensor_map *out_map);
void tensor_map_free(tensor_map *map);
/* What stands for a tensor of A in B; NULL when there is none. */
recorded *tensor_map_find(const tensor_map *map, const recorded *a, const recording *b);

/* Each tensor of A beside that of B. `alone`, or NULL, has what B's operators make of A's tensors,
 * or with `a_fed` A's of B's. */
cli_exit compare_recordings(cli *c, const recording *a, const recording *b, const recording *alone,
                            bool a_fed, const tensor_map *map, json_t **out_report);
void compare_print(const json_t *report, bool all, FILE *to);
/* A page that needs no other file; malloc'ed, NULL: out of memory. */
char *compare_page(const json_t *report);

/* Small views of a report. */
double compare_number(const json_t *row, const char *key);    /* NAN for null */
const char *compare_text(const json_t *row, const char *key); /* "" for null */
/* "[0, 3, 5]" */
void compare_coordinate(const json_t *at, char *out, size_t size);
/* "5 CONV_2D", or what else the operator is called. */
void compare_operator(const json_t *row, char *out, size_t size);

#endif
