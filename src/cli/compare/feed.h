/* Tensors of one side as the other side's model stores them: floats become the nearest stored
 * values, so that a quantized operator can be fed with what a float model computed.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_CLI_FEED_H
#define QN_CLI_FEED_H

#include "cli/compare/compare.h"

/* Copies of the tensors of `from` under the numbers that those of `to`, the side that runs, have;
 * what does not fit is left out. `map` is from A to B, and `from_a` says which is which. */
cli_exit feed_make(cli *c, recording *from, const recording *to, const tensor_map *map, bool from_a,
                   recording *out_fed);
/* For qn_executable_replace_tensors, with a recording that feed_make made. */
const void *feed_tensor(void *user, int64_t index, const void *data, size_t bytes);

/* The inputs of a model: from the files of a folder, or of what another model was given. */
cli_exit feed_inputs(cli *c, cli_tensors *t, const recording *from);
/* Keeps what a model was given. */
void feed_keep_inputs(const cli_tensors *t, recording *to);

#endif
