/* merge-consecutive-relus: removes a relu of a relu that has no other reader.
 *
 *   %0 = "ml.relu"(%x)
 *   %1 = "ml.relu"(%0)          ->   uses of %1 become %0
 *
 * Both results have the same type: between two quantized types the second relu also requantizes.
 * The type is float, or quantized to 8 bits with one scale; then a relu keeps every non-negative
 * value exactly in every profile.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

static qn_value *first_relu(qn_rewriter *rw, const qn_matched *m) {
  (void)rw;
  const qn_type *type = m->value[1]->type, *element = qn_type_element(type);
  if (type != m->value[0]->type || !qn_is_position_free(type)) return NULL;
  return element->kind == QN_TYPE_FLOAT || qn_ml_is_8bit(type) ? m->value[1] : NULL;
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_RELU}, .operands = {1}},
             {.kinds = {QN_OP_ML_RELU}, .flags = QN_ONLY_USE}},
    .rewrite = first_relu,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("relu-of-relu", QN_OP_ML_RELU, rule)};

const qn_pass qn_pass_merge_consecutive_relus = {
    .name = "merge-consecutive-relus",
    .summary = "one relu in the place of several in a row",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
