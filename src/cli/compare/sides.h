/* The two sides A and B of a comparison, from the command line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_SIDES_H
#define QN_CLI_SIDES_H

#include "cli/compare/feed.h"

typedef enum side_name { SIDE_A, SIDE_B } side_name;

/* Whether a path is a directory, which is a recording; else the path is a model. */
bool side_is_folder(const char *path);
/* Where a model's inputs come from. */
typedef struct side_inputs {
  /* recording of the other side that has the inputs; NULL: from the command line, else random:1 */
  const recording *from;
  /* the other side if it is a model: inputs that it encodes differently get its real values */
  const recording *peer;
  const cli_range *ranges; /* [range_count] ranges of random floats; NULL if none */
  uint32_t range_count;
} side_inputs;
/* Reads the recording, or runs the model with the options of that side. */
cli_exit side_open(cli *c, side_name side, const char *path, const side_inputs *inputs,
                   recording *out_recording);
/* Returns the ranges that the inputs of a model can represent. The caller frees *out_ranges. */
cli_exit side_ranges(cli *c, side_name side, const char *path, cli_range **out_ranges,
                     uint32_t *out_count);
/* Records the result of each operator of a model when it reads the tensors of `fed` (feed.h). */
cli_exit side_alone(cli *c, side_name side, const char *path, feed *fed, const side_inputs *inputs,
                    recording *out_recording);

/* One element of a tensor that an operator writes. */
typedef struct side_element {
  const recorded *tensor;
  size_t element;
} side_element;
/* The result for one element, as a stored value, under the given profile. NAN without a message if
 * the model can't be compiled for this profile. */
double side_answer(const cli *c, side_name side, const char *path, feed *fed,
                   const side_inputs *inputs, const char *profile, const side_element *of);

#endif
