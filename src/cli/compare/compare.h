/* Compares two recordings. The result is a report in JSON, from which the table and the HTML page
 * are made.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_COMPARE_H
#define QN_CLI_COMPARE_H

#include "cli/recording/recording.h"

/* Pairs of tensors from --map. Without --map, tensors are paired by index, else by name. */
typedef struct tensor_map {
  json_t *names; /* names of A's tensors -> names of B's; NULL if there is no map */
} tensor_map;
cli_exit tensor_map_read(cli *c, const char *path, tensor_map *out_map);
void tensor_map_free(tensor_map *map);
/* The tensor of B that corresponds to a tensor of A; NULL if there is none. */
recorded *tensor_map_find(const tensor_map *map, const recorded *a, const recording *b);

typedef struct compare_how {
  /* results of B's operators when they read A's tensors; NULL if not wanted */
  const recording *alone;
  const struct feed *fed; /* tensors that B's operators read in that case */
  bool a_fed;             /* the other way round: A's operators read B's tensors */
  bool loss;              /* also reports the loss of B's quantized tensors against A's floats */
  const tensor_map *map;
} compare_how;

/* Compares each tensor of A with the corresponding tensor of B. */
cli_exit compare_recordings(cli *c, const recording *a, const recording *b, const compare_how *how,
                            json_t **out_report);
/* The loss of a quantized tensor of B against the float tensor of A. `alone` is the result of B's
 * operator on A's floats, or NULL. Returns NULL if there is nothing to report. */
json_t *compare_loss(recorded *a, recorded *b, recorded *alone);
/* The value of "inputs" in the report: model inputs that the two sides encode differently; with
 * `loss`, the loss of A's float inputs in B. */
json_t *compare_inputs(const recording *a, const recording *b, bool loss);
/* The value of "ranked" in the report: rows of tensors, largest loss first, each with the loss of
 * the inputs of its operator. */
json_t *compare_ranked(const json_t *tensors, const json_t *inputs);
void compare_print_losses(const json_t *report, FILE *to);
void compare_print(const json_t *report, bool all, FILE *to);
/* Returns an HTML page that needs no other files. The caller frees it; NULL if out of memory. */
char *compare_page(const json_t *report);

/* Pass lines of text to `put`, at most `most`: compare_tell_encodings a line per tensor or input
 * that the sides encode differently, the other function a line per reason why operators have no
 * "alone". Both return the total number of lines. */
typedef void compare_line(void *user, const char *line);
size_t compare_tell_encodings(const json_t *report, size_t most, compare_line *put, void *user);
size_t compare_tell_unfed(const json_t *report, size_t most, compare_line *put, void *user);

/* Accessors of a report. */
double compare_number(const json_t *row, const char *key);    /* NAN for null */
const char *compare_text(const json_t *row, const char *key); /* "" for null */
/* Writes "[0, 3, 5]". */
void compare_coordinate(const json_t *at, char *out, size_t size);
/* Writes "5 CONV_2D", or another identification of the operator. */
void compare_operator(const json_t *row, char *out, size_t size);

#endif
