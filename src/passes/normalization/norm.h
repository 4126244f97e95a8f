/* The normalization that a match spells out.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_NORMALIZATION_NORM_H
#define QN_PASSES_NORMALIZATION_NORM_H

#include "passes/support/graph.h"

typedef struct qn_spelled_norm {
  qn_value *x;
  const qn_op *mean, *variance; /* reductions, which have to have the same axes and to keep them */
  const qn_value *gamma, *beta; /* constants, or both NULL */
  const qn_value *epsilon;      /* a constant */
  bool beta_first;              /* (n + beta) * gamma, not n * gamma + beta */
} qn_spelled_norm;

/* ml.instance_norm for means over rows and columns with parameters per channel, wherever the
 * channels are; ml.layer_norm when the parameters are of the dimensions that are reduced. NULL
 * when it is none of them: types, axes and parameters don't fit. */
qn_value *qn_build_norm(qn_rewriter *rw, const qn_matched *m, const qn_spelled_norm *n);

#endif
