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

typedef struct compare_how {
  const recording *alone; /* what B's operators make of A's tensors; or NULL */
  const struct feed *fed; /* those tensors */
  bool a_fed;             /* or A's of B's */
  bool loss;              /* what quantized tensors of B lose beside floats of A, too */
  const tensor_map *map;
} compare_how;

/* Each tensor of A beside that of B. */
cli_exit compare_recordings(cli *c, const recording *a, const recording *b, const compare_how *how,
                            json_t **out_report);
/* What a quantized tensor lost; `alone`, or NULL, is what its operator makes of floats. NULL: there
 * is nothing to tell. */
json_t *compare_loss(recorded *a, recorded *b, recorded *alone);
/* "inputs" of the report: those of the models that are encoded differently, or with `loss` what
 * floats of A lost in B. */
json_t *compare_inputs(const recording *a, const recording *b, bool loss);
/* "ranked" of the report: rows of its tensors, the largest loss first, which is told beside what
 * the inputs of each have lost before. */
json_t *compare_ranked(const json_t *tensors, const json_t *inputs);
void compare_print_losses(const json_t *report, FILE *to);
void compare_print(const json_t *report, bool all, FILE *to);
/* A page that needs no other file; malloc'ed, NULL: out of memory. */
char *compare_page(const json_t *report);

/* Lines for people, `most` of them at most: each tensor and input that is encoded differently; why
 * operators have no "alone". Both return how many there are. */
typedef void compare_line(void *user, const char *line);
size_t compare_tell_encodings(const json_t *report, size_t most, compare_line *put, void *user);
size_t compare_tell_unfed(const json_t *report, size_t most, compare_line *put, void *user);

/* Small views of a report. */
double compare_number(const json_t *row, const char *key);    /* NAN for null */
const char *compare_text(const json_t *row, const char *key); /* "" for null */
/* "[0, 3, 5]" */
void compare_coordinate(const json_t *at, char *out, size_t size);
/* "5 CONV_2D", or what else the operator is called. */
void compare_operator(const json_t *row, char *out, size_t size);

#endif
