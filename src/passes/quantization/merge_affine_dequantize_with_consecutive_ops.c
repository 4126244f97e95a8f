/* merge-affine-dequantize-with-consecutive-ops: applies changes of layout after a compressed
 * constant to its stored bytes.
 *
 *   %0 = quant.dcast (ml.const : tensor<2x3x!quant.uniform<i8:f32:1, {...}>>)
 *   %1 = "ml.transpose"(%0) {perm = array<i64: 1, 0>}
 *     ->
 *   %1 = quant.dcast (ml.const : tensor<3x2x!quant.uniform<i8:f32:0, {...}>>)
 *
 * Applies to transpose, reshape, squeeze and expand_dims of a type with one scale, and to transpose
 * of a type with a scale per channel, whose axis moves along. Ops are merged one by one, so the
 * longest possible start of a chain is merged. No other op reads the constant, the dequantized
 * values or the moved values in between. The storage type has 8 bits.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/stored.h"

/* Byte i of the result is the byte of the operand at the position that the transpose reads. */
static uint8_t *transposed(qn_rewriter *rw, const qn_op *op, const uint8_t *bytes, int64_t count) {
  const qn_type *x = qn_op_operand(op, 0)->type, *y = op->results[0].type;
  qn_i64s perm = qn_op_perm(op);
  int64_t strides[QN_ML_MAX_RANK], index[QN_ML_MAX_RANK] = {0}, stride = 1;
  for (uint32_t d = x->shaped.rank; d-- > 0; stride *= x->shaped.dims[d]) strides[d] = stride;
  uint8_t *moved = QN_NEW_ARRAY(rw->pc->scratch, count, uint8_t);
  for (int64_t i = 0; i < count; i++) {
    int64_t from = 0;
    for (uint32_t d = 0; d < perm.count; d++) from += index[d] * strides[perm.data[d]];
    moved[i] = bytes[from];
    for (uint32_t d = perm.count; d-- > 0 && ++index[d] == y->shaped.dims[d];) index[d] = 0;
  }
  return moved;
}

/* The element type after the op; NULL if the op would change which scale applies to an element. */
static const qn_type *element_behind(qn_rewriter *rw, const qn_op *op, const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  if (q->scheme == QN_PER_LAYER) return type->shaped.element;
  if (q->scheme != QN_PER_AXIS || op->kind != QN_OP_ML_TRANSPOSE) return NULL;
  qn_i64s perm = qn_op_perm(op);
  qn_quant_uniform moved = *q;
  for (uint32_t i = 0; i < perm.count; i++)
    if (perm.data[i] == q->axis) moved.axis = (int32_t)i;
  return qn_type_uniform(rw->cx, &moved);
}

static qn_value *merge(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *op = m->op[0];
  const qn_type *type = m->value[2]->type;
  const qn_quant_uniform *q = qn_type_quant(type);
  if (!q || q->storage->integer.width != 8) return NULL;
  const qn_type *element = element_behind(rw, op, type);
  if (!element) return NULL;
  int64_t count;
  uint8_t *bytes = qn_stored_bytes(rw, m->value[2], &count);
  if (op->kind == QN_OP_ML_TRANSPOSE) bytes = transposed(rw, op, bytes, count);
  const qn_type *to = qn_type_with_element(rw->cx, m->value[0]->type, element);
  qn_value *constant = qn_build_stored(rw, to, bytes, count);
  return qn_build_like(rw, m->op[1], QN_VALUES(constant), m->value[0]->type);
}

static const qn_graph_rule rule = {
    .rows = {{.kinds = {QN_OP_ML_TRANSPOSE, QN_OP_ML_RESHAPE, QN_OP_ML_SQUEEZE,
                        QN_OP_ML_EXPAND_DIMS},
              .operands = {1}},
             {.kinds = {QN_OP_QUANT_DCAST}, .flags = QN_ONLY_USE, .operands = {2}},
             {.kinds = {QN_OP_ML_CONST}, .flags = QN_ONLY_USE | QN_LITERAL}},
    .rewrite = merge,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("transpose-stored", QN_OP_ML_TRANSPOSE, rule),
    QN_GRAPH_RULE("reshape-stored", QN_OP_ML_RESHAPE, rule),
    QN_GRAPH_RULE("squeeze-stored", QN_OP_ML_SQUEEZE, rule),
    QN_GRAPH_RULE("expand-dims-stored", QN_OP_ML_EXPAND_DIMS, rule),
};

const qn_pass qn_pass_merge_affine_dequantize_with_consecutive_ops = {
    .name = "merge-affine-dequantize-with-consecutive-ops",
    .summary = "lay compressed weights out again at compile time",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
