/* What a model answers to each sample.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_EVAL_ANSWERS_H
#define QN_CLI_EVAL_ANSWERS_H

#include "cli/eval/samples.h"
#include "cli/tensors/digest.h"

typedef struct answer {
  bool made;               /* false: the sample can't be read */
  int64_t best;            /* the class with the largest score, of equal ones the first */
  double margin;           /* real score of the best class less that of the second */
  int64_t place;           /* how many classes come before the true one; -1: it is unknown */
  char digest[DIGEST_HEX]; /* of all outputs, with --report */
} answer;

/* Runs a model, compiled once, on all samples: images are read by all threads at once. An answer
 * per sample, to be freed with free, also when samples that can't be read make the code
 * CLI_INVALID; NULL when the model can't be run at all, or a limit ended that. Samples without an
 * answer `before` are left out, so that each is complained of once; NULL: none are. */
cli_exit answers_make(cli *c, const char *model, const samples *all, const answer *before,
                      answer **out_answers);

#endif
