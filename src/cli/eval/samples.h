/* The samples of an evaluation: images and arrays of a folder, and the class of each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EVAL_SAMPLES_H
#define QN_CLI_EVAL_SAMPLES_H

#include "cli/cli.h"
#include "cli/labels.h"

typedef struct sample {
  char *path;
  const char *name; /* the path inside of the folder */
  int64_t truth;    /* the class, -1 unknown */
  bool is_array;    /* an .npy file, else an image */
} sample;

typedef struct samples {
  sample *items; /* in the order of their names */
  size_t count;
  size_t skipped; /* files that are neither images nor arrays, or that the table leaves out */
  bool known;     /* every sample has a class */
} samples;

/* The images and .npy files of a folder. Their classes are said by a table `truth`, lines of
 * "name,class", or, without one, by the folders inside the folder, one per class. A class is a
 * number or one of the names. */
cli_exit samples_read(cli *c, const char *folder, const char *truth_or_null, const labels *names,
                      samples *out_samples);
void samples_free(samples *all);

#endif
