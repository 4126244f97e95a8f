/* Weights, bias and accumulator ranges of a convolution, depthwise convolution or matrix product of
 * the integer stage, in one format for all schedules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_WEIGHTS_H
#define QN_LOWER_LOOPS_WEIGHTS_H

#include "ir/ops/infer/matmul.h"
#include "lower/loops/loops.h"
#include "plan/plan.h"
#include "quant/bounds.h"

typedef struct qn_weights {
  const qn_plan_matrix *plan; /* parameters of the op */
  int64_t channels, taps;     /* N, K */
  bool constant;              /* weights and bias are constant; if not, values and bias are NULL */
  const int32_t *values;      /* [channel][tap]; NULL if not constant */
  const int32_t *bias;        /* [channel]; NULL if not constant */
  bool x_unsigned;            /* x is ui8, else i8 */
  bool wide;                  /* weights have more than 8 bits */
  const qn_interval
      *sums; /* [channel] range of the accumulator in exact arithmetic, before wrapping */
} qn_weights;

/* Reads an integer_conv, integer_depthwise_conv or integer_linear into `scratch`. Requires padding
 * 0 (materialize-padding) and, for constant weights, zero points of x and weights of 0
 * (fold-zero-points). Otherwise returns QN_UNSUPPORTED, reported at the op. */
QN_NODISCARD qn_status qn_weights_read(qn_loops *lo, const qn_op *op, qn_weights *out_weights);

/* As qn_weights_read, without values, bias and sums, which are NULL unless the target has products
 * whose cost depends on them. False where that would return QN_UNSUPPORTED. */
bool qn_weights_describe(qn_loops *lo, const qn_op *op, qn_weights *out_weights);

/* As qn_weights_read and qn_weights_describe, for an integer_matmul; `m` specifies which batch
 * dimensions are merged. The second operand is constant if each of its elements is exactly one
 * weight. */
QN_NODISCARD qn_status qn_weights_read_pair(qn_loops *lo, const qn_op *op, const qn_matmul *m,
                                            qn_weights *out_weights);
bool qn_weights_describe_pair(const qn_loops *lo, const qn_op *op, const qn_matmul *m,
                              qn_weights *out_weights);

static inline const int32_t *qn_weights_of(const qn_weights *weights, int64_t channel) {
  return weights->values + channel * weights->taps;
}

#endif
