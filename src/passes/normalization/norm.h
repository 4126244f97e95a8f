/* The normalization that a matched group of ops computes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_NORMALIZATION_NORM_H
#define QN_PASSES_NORMALIZATION_NORM_H

#include "passes/support/graph.h"

typedef struct qn_spelled_norm {
  qn_value *x;
  /* the two reductions; must have the same axes and keep dimensions */
  const qn_op *mean, *variance;
  const qn_value *gamma, *beta; /* constants; both NULL if there are none */
  const qn_value *epsilon;      /* a constant */
  bool beta_first;              /* computes (n + beta) * gamma instead of n * gamma + beta */
} qn_spelled_norm;

/* Builds ml.instance_norm for means over rows and columns with parameters per channel (channels
 * first or last), or ml.layer_norm for parameters over the reduced dimensions. NULL if types, axes
 * or parameters fit neither. */
qn_value *qn_build_norm(qn_rewriter *rw, const qn_matched *m, const qn_spelled_norm *n);

#endif
