/* What stands for A and for B on the command line.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_SIDES_H
#define QN_CLI_SIDES_H

#include "cli/recording/recording.h"

typedef enum side_name { SIDE_A, SIDE_B } side_name;

/* Whether a path is a folder, so a recording; else it is a model. */
bool side_is_folder(const char *path);
/* Reads the recording, or runs the model with the options of that side on the inputs that
 * `inputs`, the other side, had; when it is NULL on those of the command line, random:1 where there
 * are none. */
cli_exit side_open(cli *c, side_name side, const char *path, const recording *inputs,
                   recording *out_recording);
/* What each operator of a model writes when it reads the tensors of `fed` (feed.h). */
cli_exit side_alone(cli *c, side_name side, const char *path, recording *fed,
                    const recording *inputs, recording *out_recording);

/* One element of a tensor that an operator writes. */
typedef struct side_element {
  const recorded *tensor;
  size_t element;
} side_element;
/* The same of one element, as a stored value, under that profile; NAN when the model is not taken
 * there, about which nothing is said. */
double side_answer(const cli *c, side_name side, const char *path, recording *fed,
                   const recording *inputs, const char *profile, const side_element *of);

#endif
