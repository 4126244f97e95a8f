/* The answers of a model to samples.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EVAL_ANSWERS_H
#define QN_CLI_EVAL_ANSWERS_H

#include "cli/eval/samples.h"
#include "cli/tensors/digest.h"

typedef struct answer {
  bool made;     /* false if the sample could not be read */
  int64_t best;  /* class with the largest score; of equal ones the first */
  double margin; /* real score of the best class minus that of the second */
  /* number of classes that rank before the true one; -1 if it is unknown */
  int64_t place;
  char digest[DIGEST_HEX]; /* digest of all outputs; with --report only */
} answer;

/* Compiles a model and runs it on all samples; threads read images concurrently. *out_answers has
 * an answer per sample; the caller frees it. The result is CLI_INVALID if some samples can't be
 * read, which are reported. *out_answers is NULL if the model can't be run, or a limit stopped the
 * evaluation. Samples without an answer in `before` (NULL: none) are skipped, so that an unreadable
 * sample is reported once. */
cli_exit answers_make(cli *c, const char *model, const samples *all, const answer *before,
                      answer **out_answers);

#endif
