/* Constants folded into ops that are affine in their input: convolutions and linear.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_AFFINE_H
#define QN_PASSES_SUPPORT_AFFINE_H

#include "passes/support/graph.h"
#include "ir/ops/forms.h"

/* The rows of a rule: ROOT on the result of an affine op, which nothing else reads, and a constant.
 */
enum { QN_AFFINE_OP = 1, QN_AFFINE_CONSTANT = 2 };
#define QN_AFFINE_ROWS(affine_kinds, ...)                                                          \
  {                                                                                                \
    {.kinds = {__VA_ARGS__}, .flags = QN_EITHER_SIDE, .operands = {1, 2}},                         \
        {.kinds = affine_kinds, .flags = QN_ONLY_USE | QN_PLAIN}, {                                \
      .flags = QN_ANY_VALUE | QN_LITERAL                                                           \
    }                                                                                              \
  }
#define QN_CONVOLUTIONS                                                                            \
  { QN_OP_ML_CONV, QN_OP_ML_DEPTHWISE_CONV, QN_OP_ML_CONV_TRANSPOSE }

/* Whether a constant has one number, or one per channel, which is its last dimension. */
bool qn_is_per_channel(const qn_value *constant, int64_t channels);

/* A constant of floats that has one number per entry of one dimension of a tensor, with which it is
 * broadcast without making it larger, as a vector; itself when it has one number and is one or a
 * scalar; NULL when it is neither. */
qn_value *qn_build_per_channel(qn_rewriter *rw, qn_value *constant, const qn_value *tensor,
                               uint32_t dimension);

/* affine + k, affine - k and k - affine: k goes into the bias, and for the last the signs of
 * weights and bias turn. All floats of one type, k one number or one per output channel, weights
 * and bias known where they change, and the result no larger than the affine op's. */
qn_graph_rewrite qn_fuse_into_bias;
/* affine * k, affine / k: weights and bias are multiplied. The same conditions; every divisor has
 * an inverse (qn_float_inverse). */
qn_graph_rewrite qn_fuse_into_weights;
/* batch_norm(affine), whose parameters are known: weights are multiplied, and the rest goes into
 * the bias. The same conditions; the axis is the last one. */
qn_graph_rewrite qn_fuse_batch_norm;

#endif
