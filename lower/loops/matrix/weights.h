/* What a convolution, depthwise convolution or matrix product of the integer stage multiplies with,
 * in one form for all schedules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_WEIGHTS_H
#define QN_LOWER_LOOPS_WEIGHTS_H

#include "ir/ops/infer/matmul.h"
#include "lower/loops/loops.h"
#include "plan/plan.h"
#include "quant/bounds.h"

typedef struct qn_weights {
  const qn_plan_matrix *plan; /* what the op says, read once */
  int64_t channels, taps;     /* output channels, weights per channel */
  bool constant;              /* weights and bias are; else: */
  const int32_t *values;      /* [channel][tap]; NULL */
  const int32_t *bias;        /* [channel]; NULL */
  bool x_unsigned;            /* x is ui8, else i8 */
  bool wide;                  /* weights have more than 8 bits */
  const qn_interval *sums;    /* [channel]: accumulators that can occur, before any wrap */
} qn_weights;

/* Reads an integer_conv, integer_depthwise_conv or integer_linear into `scratch`. The schedules
 * need what materialize-padding leaves: pad 0; and for constant weights what fold-zero-points
 * leaves: zero points of x and weights 0. Anything else is QN_UNSUPPORTED, reported at the op. */
QN_NODISCARD qn_status qn_weights_read(qn_loops *lo, const qn_op *op, qn_weights *out_weights);

/* What is known of them without a look at their values, which are NULL; false: QN_UNSUPPORTED. */
bool qn_weights_describe(const qn_loops *lo, const qn_op *op, qn_weights *out_weights);

/* The same of an integer_matmul, of which `m` tells which batches are taken together. Its second
 * operand is constant where each of its elements is one weight only. */
QN_NODISCARD qn_status qn_weights_read_pair(qn_loops *lo, const qn_op *op, const qn_matmul *m,
                                            qn_weights *out_weights);
bool qn_weights_describe_pair(const qn_loops *lo, const qn_op *op, const qn_matmul *m,
                              qn_weights *out_weights);

static inline const int32_t *qn_weights_of(const qn_weights *weights, int64_t channel) {
  return weights->values + channel * weights->taps;
}

#endif
