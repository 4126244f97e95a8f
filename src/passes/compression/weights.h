/* Shared by the passes that compress weights: the pattern that finds weights, and an op with other
 * weights.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_COMPRESSION_WEIGHTS_H
#define QN_PASSES_COMPRESSION_WEIGHTS_H

#include "passes/support/graph.h"
#include "ir/ops/forms.h"

/* Rows of a rule: an op with weights, and its weights, which are a literal. */
enum { QN_WEIGHTS_OP, QN_WEIGHTS };
#define QN_WEIGHTS_ROWS                                                                            \
  {                                                                                                \
    {.kinds = {QN_OP_ML_CONV, QN_OP_ML_DEPTHWISE_CONV, QN_OP_ML_CONV_TRANSPOSE, QN_OP_ML_LINEAR},  \
     .operands = {0, QN_WEIGHTS}},                                                                 \
    {                                                                                              \
      .flags = QN_ANY_VALUE | QN_LITERAL                                                           \
    }                                                                                              \
  }
#define QN_WEIGHTS_PATTERNS(rule)                                                                  \
  {                                                                                                \
    QN_GRAPH_RULE("weights-of-convolution", QN_OP_ML_CONV, rule),                                  \
        QN_GRAPH_RULE("weights-of-depthwise", QN_OP_ML_DEPTHWISE_CONV, rule),                      \
        QN_GRAPH_RULE("weights-of-transposed", QN_OP_ML_CONV_TRANSPOSE, rule),                     \
        QN_GRAPH_RULE("weights-of-linear", QN_OP_ML_LINEAR, rule),                                 \
  }

/* A copy of the root with other weights; NULL if `weights` is NULL. */
qn_value *qn_with_weights(qn_rewriter *rw, const qn_matched *m, qn_value *weights);
/* All elements of a literal of floats of at most 32 bits, in scratch memory. NULL if an element is
 * not finite. */
double *qn_finite_weights(qn_rewriter *rw, const qn_value *weights);

#endif
