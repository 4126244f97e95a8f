/* Ops with weights as operand 1 and optionally a bias as operand 2: sums of products over all
 * dimensions except the output channels, at every stage. The tables of ops/infer list these ops;
 * the queries below derive from them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_WEIGHTS_H
#define QN_IR_WEIGHTS_H

#include "ir/op.h"

typedef enum qn_weights_layout {
  QN_NO_WEIGHTS,
  QN_CHANNELS_FIRST, /* output channels are the first dimension of the weights */
  QN_CHANNELS_LAST,
} qn_weights_layout;

qn_weights_layout qn_op_weights(const qn_op *op);
static inline bool qn_op_has_weights(const qn_op *op) { return qn_op_weights(op) != QN_NO_WEIGHTS; }
/* The dimension of output channels in weights of rank `rank`. */
static inline uint32_t qn_weights_channel_dim(qn_weights_layout layout, uint32_t rank) {
  return layout == QN_CHANNELS_LAST ? rank - 1 : 0;
}

#endif
