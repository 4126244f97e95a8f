/* Layout of the weights of an output channel, from the op's kind and the weights' shape.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "plan/channels.h"

#include "ir/weights.h"

qn_channel_layout qn_channel_layout_of(const qn_op *op) {
  const qn_type *weights = op->operands[1].value->type;
  bool last = qn_op_weights(op) == QN_CHANNELS_LAST;
  int64_t elements = qn_type_elements(weights);
  if (elements < 0 || weights->shaped.rank == 0) return (qn_channel_layout){0, INT64_MAX, last};
  int64_t channels =
      weights->shaped.dims[qn_weights_channel_dim(qn_op_weights(op), weights->shaped.rank)];
  int64_t taps = channels > 0 ? elements / channels : INT64_MAX;
  return (qn_channel_layout){channels, taps, last};
}
