/* Ops whose second operand are weights, and a third, if there is one, a bias: sums of products over
 * all but their output channels, at every stage. Which ops these are is in the records of
 * ops/infer; what else is asked of them follows.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_WEIGHTS_H
#define QN_IR_WEIGHTS_H

#include "ir/op.h"

typedef enum qn_weights_layout {
  QN_NO_WEIGHTS,
  QN_CHANNELS_FIRST, /* the first dimension of the weights has the output channels */
  QN_CHANNELS_LAST,
} qn_weights_layout;

qn_weights_layout qn_op_weights(const qn_op *op);
static inline bool qn_op_has_weights(const qn_op *op) { return qn_op_weights(op) != QN_NO_WEIGHTS; }
/* The dimension of the output channels in weights of that rank. */
static inline uint32_t qn_weights_channel_dim(qn_weights_layout layout, uint32_t rank) {
  return layout == QN_CHANNELS_LAST ? rank - 1 : 0;
}

#endif
