/* dequantize-to-constexpr: turns a dequantized constant of integers into a compressed constant.
 *
 *   %c = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2xi8>
 *   %q = quant.scast %c : tensor<2xi8> to tensor<2x!quant.uniform<i8:f32, 0.5>>
 *   %0 = quant.dcast %q
 *     ->
 *   %q = "ml.const"() {value = dense<[1, 2]> : tensor<2xi8>} : () -> tensor<2x!quant.uniform<...>>
 *   %0 = quant.dcast %q
 *
 * A compressed weight is a quant.dcast of a quantized constant: const-elimination does not expand
 * it, and other passes search for it. Because scales and zero points are in the type, only the
 * integer constant needs the quantized type. All integers must be stored values of the type, whose
 * range can be smaller than that of its storage type. Other readers keep the integers and their
 * cast.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"

enum { DCAST, SCAST, INTEGERS };

static bool holds(const qn_quant_uniform *q, const qn_attr *payload) {
  uint32_t width = q->storage->integer.width;
  int64_t count = payload->dense.splat ? 1 : qn_type_elements(payload->type);
  if (!qn_type_is_int(qn_type_element(payload->type), width)) return false;
  for (int64_t i = 0; i < count; i++) {
    int64_t stored = qn_low_bits(qn_dense_int(payload, i), width, q->is_signed);
    if (stored < q->min || stored > q->max) return false;
  }
  return true;
}

static qn_value *compressed(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *type = m->value[SCAST]->type;
  const qn_quant_uniform *q = qn_type_quant(type);
  const qn_attr *payload = qn_value_constant(m->value[INTEGERS]);
  bool fits = q && type->kind == QN_TYPE_TENSOR && qn_ml_holds(type) && payload &&
              qn_attr_is_elements(payload) && holds(q, payload);
  if (!fits) return NULL;
  qn_value *constant =
      qn_build_1(&rw->builder, QN_OP_ML_CONST, type, NULL, 0, QN_ATTRS({"value", payload}));
  return qn_build_like(rw, m->op[DCAST], QN_VALUES(constant), m->value[DCAST]->type);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_QUANT_DCAST}, .operands = {SCAST}},
             {.kinds = {QN_OP_QUANT_SCAST}, .operands = {INTEGERS}},
             {.flags = QN_ANY_VALUE | QN_LITERAL}},
    .rewrite = compressed,
};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("known-integers", QN_OP_QUANT_DCAST, rule)};

const qn_pass qn_pass_dequantize_to_constexpr = {
    .name = "dequantize-to-constexpr",
    .summary = "make compressed constants of dequantized integers that are known",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
