/* Tensors of one side as the other side's model stores them: floats become the nearest stored
 * values, so that a quantized operator can be fed with what a float model computed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_FEED_H
#define QN_CLI_FEED_H

#include "cli/compare/compare.h"

typedef struct feed_how {
  const tensor_map *map; /* from A to B */
  bool from_a;           /* the tensors are A's */
  bool nearest;          /* values that the other side can't store become the nearest, */
  bool has_inputs;       /* the side that runs has the inputs of the other */
} feed_how;

/* What is in for the tensors of the side that runs. */
typedef struct feed {
  recording tensors;
  json_t *unfed; /* by number: why a tensor of both sides is not among them */
  bool has_inputs;
} feed;

/* Copies of the tensors of `from` under the numbers that those of `to`, the side that runs, have,
 * in its encodings. */
cli_exit feed_make(cli *c, recording *from, const recording *to, const feed_how *how,
                   feed *out_feed);
void feed_free(feed *f);
/* Malloc'ed: why the operator that writes a tensor of the side that runs was not fed with what it
 * reads; NULL: it was. */
char *feed_lacks(const feed *f, const recorded *runs);
/* For qn_executable_replace_tensors, with the tensors that feed_make made. */
const void *feed_tensor(void *user, int64_t index, const void *data, size_t bytes);

/* The inputs of a model: from the files of a folder, or of what another model was given. */
cli_exit feed_inputs(cli *c, cli_tensors *t, const recording *from);
/* Inputs that the peer, another model, stores in another encoding get its real values. */
void feed_align(cli_tensors *t, const recording *peer);
/* Reads the inputs of a folder. */
cli_exit feed_read_inputs(cli *c, recording *r);
/* Keeps what a model was given. */
void feed_keep_inputs(const cli_tensors *t, recording *to);

#endif
