/* Folds constants into ops that are affine in their input: convolutions and linear.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_AFFINE_H
#define QN_PASSES_SUPPORT_AFFINE_H

#include "passes/support/graph.h"
#include "ir/ops/forms.h"

/* Rows of a rule: a root that combines the result of an affine op, without other readers, and a
 * constant. */
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

/* Whether a constant has one element, or one per channel in its last dimension. */
bool qn_is_per_channel(const qn_value *constant, int64_t channels);

/* Returns a float constant as a vector, if it broadcasts along one dimension of `tensor` without
 * making the result larger; the constant itself if it has one element and rank 0 or 1; NULL
 * otherwise. */
qn_value *qn_build_per_channel(qn_rewriter *rw, qn_value *constant, const qn_value *tensor,
                               uint32_t dimension);

/* affine + k, affine - k and k - affine: folds k into the bias; for k - affine, weights and bias
 * are negated. Requires floats of one type, k with one element or one per output channel, constant
 * weights if they change, constant bias, and a result no larger than the affine op's. */
qn_graph_rewrite qn_fuse_into_bias;
/* affine * k, affine / k: multiplies weights and bias. Requirements as for qn_fuse_into_bias; every
 * divisor must have an inverse (qn_float_inverse). */
qn_graph_rewrite qn_fuse_into_weights;
/* batch_norm(affine) with constant parameters: multiplies the weights, and folds the other terms
 * into the bias. Requirements as for qn_fuse_into_bias; the axis is the last dimension. */
qn_graph_rewrite qn_fuse_batch_norm;

#endif
