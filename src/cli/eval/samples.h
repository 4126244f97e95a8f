/* The samples of an evaluation: images and arrays in a directory, and their classes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EVAL_SAMPLES_H
#define QN_CLI_EVAL_SAMPLES_H

#include "cli/cli.h"
#include "cli/labels.h"

typedef struct sample {
  char *path;
  const char *name; /* path within the directory */
  int64_t truth;    /* class; -1 if unknown */
  bool is_array;    /* an .npy file; otherwise an image */
} sample;

typedef struct samples {
  sample *items; /* sorted by name */
  size_t count;
  /* files that are neither images nor arrays, or that the table does not name */
  size_t skipped;
  bool known;         /* every sample has a class */
  size_t part, parts; /* which part of how many these are; 0: all */
} samples;

/* Finds the images and .npy files in a directory. Their classes are in the table `truth`, with
 * lines "name,class"; without a table, each class has a subdirectory. A class is a number or one of
 * `names`. */
cli_exit samples_read(cli *c, const char *folder, const char *truth_or_null, const labels *names,
                      samples *out_samples);
/* Keeps part `number`, from 1 to `of`. Parts are contiguous, so all parts in order are all
 * samples. */
void samples_keep_part(samples *all, size_t number, size_t of);
void samples_free(samples *all);

#endif
