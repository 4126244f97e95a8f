/* Layout of the weights of an output channel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PLAN_CHANNELS_H
#define QN_PLAN_CHANNELS_H

#include "ir/op.h"

typedef struct qn_channel_layout {
  int64_t channels, taps; /* taps: weights per output channel */
  bool channels_last;     /* element (tap, channel) instead of (channel, tap) */
} qn_channel_layout;
static inline int64_t qn_channel_index(const qn_channel_layout *layout, int64_t channel,
                                       int64_t tap) {
  return layout->channels_last ? tap * layout->channels + channel : channel * layout->taps + tap;
}
/* Layout of the weights of an op that has weights (ir/weights.h). */
qn_channel_layout qn_channel_layout_of(const qn_op *op);
/* Upper bounds of work on weights, because a splat constant can claim any size. */
enum { QN_MAX_CHANNELS = 1 << 20, QN_MAX_WEIGHTS = 1 << 28 };
static inline bool qn_channel_layout_fits(const qn_channel_layout *layout) {
  return layout->channels > 0 && layout->channels <= QN_MAX_CHANNELS &&
         layout->taps <= QN_MAX_WEIGHTS / layout->channels;
}

#endif
