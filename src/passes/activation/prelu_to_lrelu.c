/* prelu-to-lrelu: a prelu with one slope for all elements is a leaky relu.
 *
 *   %a = "ml.const"() {value = dense<0.25> : tensor<4xf32>}
 *   %0 = "ml.prelu"(%x, %a)     ->   %0 = "ml.leaky_relu"(%x) {alpha = 0.25 : f64}
 *
 * The slopes are finite and bitwise equal, and the result has the shape of x. A negative slope or
 * -0 stays: ml.prelu keeps zeros, but in some profiles ml.leaky_relu multiplies them, which would
 * turn +0 into -0. Applies to floats only: profiles round the two ops differently on quantized
 * tensors.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "passes/support/graph.h"
#include "ir/ops/forms.h"

enum { PRELU, X, ALPHA };

static qn_value *leaky(qn_rewriter *rw, const qn_matched *m) {
  if (m->value[PRELU]->type != m->value[X]->type || !qn_matched_floats(m)) return NULL;
  double alpha = qn_literal_real(m->value[ALPHA], 0);
  if (!isfinite(alpha) || signbit(alpha) || !qn_literal_is(m->value[ALPHA], alpha)) return NULL;
  return qn_build_leaky_relu(rw, m->value[X], alpha);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_PRELU}, .operands = {X, ALPHA}},
             {.flags = QN_ANY_VALUE},
             {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = leaky,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("one-slope", QN_OP_ML_PRELU, rule)};

const qn_pass qn_pass_prelu_to_lrelu = {
    .name = "prelu-to-lrelu",
    .summary = "make leaky relus of prelus with one slope",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
