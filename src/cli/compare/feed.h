/* Converts tensors of one side to the encodings of the other side's model. Floats become the
 * nearest stored values, so that a quantized operator can run on the tensors of a float model.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_FEED_H
#define QN_CLI_FEED_H

#include "cli/compare/compare.h"

typedef struct feed_how {
  const tensor_map *map; /* maps A's tensors to B's */
  bool from_a;           /* the copied tensors are A's, else B's */
  /* round values that the other side can't store to the nearest stored value */
  bool nearest;
  bool has_inputs; /* the model that runs has the inputs of the other side */
} feed_how;

/* The tensors that replace those of the model that runs. */
typedef struct feed {
  recording tensors;
  json_t *unfed; /* tensor index -> reason why a tensor of both sides is not replaced */
  bool has_inputs;
} feed;

/* Copies the tensors of `from`. The copies have the indices and encodings of the corresponding
 * tensors of `to`, the side that runs. */
cli_exit feed_make(cli *c, recording *from, const recording *to, const feed_how *how,
                   feed *out_feed);
void feed_free(feed *f);
/* The reason why the operator that writes tensor `runs` did not read replaced tensors (malloc'ed);
 * NULL if it did. */
char *feed_lacks(const feed *f, const recorded *runs);
/* Callback for qn_executable_replace_tensors; `user` is the feed. */
const void *feed_tensor(void *user, int64_t index, const void *data, size_t bytes);

/* Sets the inputs of a model from the recorded inputs of `from`: files of a directory, or the
 * inputs of another model. */
cli_exit feed_inputs(cli *c, cli_tensors *t, const recording *from);
/* Gives inputs that the peer, another model, encodes differently the real values of the peer's
 * inputs. */
void feed_align(cli_tensors *t, const recording *peer);
/* Reads the inputs of a recording from its directory. */
cli_exit feed_read_inputs(cli *c, recording *r);
/* Copies the inputs of a model into the recording. */
void feed_keep_inputs(const cli_tensors *t, recording *to);

#endif
