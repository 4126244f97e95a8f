/* nullify-redundant-quantization-zero-point: changes the signedness of 8-bit types so that a zero
 * point of -128 (i8) or 128 (u8) becomes 0.
 *
 *   quant.dcast (ml.const dense<[-128, 0, 127]> : !quant.uniform<i8:f32, 0.5:-128>)
 *     ->
 *   quant.dcast (ml.const dense<[0, 128, 255]> : !quant.uniform<u8:f32, 0.5>)
 *
 *   quant.dcast (quant.qcast %x : to !quant.uniform<i8:f32, 0.1:-128>)
 *     ->
 *   quant.dcast (quant.qcast %x : to !quant.uniform<u8:f32, 0.1>)
 *
 * All zero points of the type must be -128 (i8) or 128 (u8). The dcast is the only reader of the
 * constant or the qcast; in particular they are not returned. Both casts keep their meaning: the
 * differences to the zero point stay, and the storage range moves by the same offset.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/stored.h"

/* The type with opposite signedness and zero points 0; NULL if the zero points are not -128 (i8) or
 * 128 (u8). */
static const qn_type *other_sign(qn_ir_context *cx, const qn_type *type) {
  const qn_quant_uniform *q = qn_type_quant(type);
  if (!q || q->storage->integer.width != 8 || q->storage->integer.sign != QN_SIGNLESS) return NULL;
  int64_t offset = q->is_signed ? -128 : 128;
  for (uint32_t i = 0; i < q->count; i++)
    if (q->zero_points[i] != offset) return NULL;
  qn_quant_uniform other = *q;
  other.is_signed = !q->is_signed;
  other.min -= offset;
  other.max -= offset;
  int64_t *zeros = qn_arena_array(&cx->arena, q->count, sizeof *zeros);
  for (uint32_t i = 0; i < q->count; i++) zeros[i] = 0;
  other.zero_points = zeros;
  const qn_type *element = qn_type_uniform(cx, &other);
  return qn_type_is_shaped(type) ? qn_type_with_element(cx, type, element) : element;
}

static qn_value *of_constant(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *type = other_sign(rw->cx, m->value[1]->type);
  if (!type || m->op[1]->kind != QN_OP_ML_CONST) return NULL;
  int64_t count;
  uint8_t *bytes = qn_stored_bytes(rw, m->value[1], &count);
  for (int64_t i = 0; i < count; i++) bytes[i] ^= 0x80;
  qn_value *constant = qn_build_stored(rw, type, bytes, count);
  return qn_build_like(rw, m->op[0], QN_VALUES(constant), m->value[0]->type);
}

static qn_value *of_pair(qn_rewriter *rw, const qn_matched *m) {
  const qn_type *type = other_sign(rw->cx, m->value[1]->type);
  if (!type) return NULL;
  qn_value *quantized = qn_build_like(rw, m->op[1], QN_VALUES(m->value[2]), type);
  return qn_build_like(rw, m->op[0], QN_VALUES(quantized), m->value[0]->type);
}

static const qn_graph_rule constant = {
    .rows = {{.kinds = {QN_OP_QUANT_DCAST}, .operands = {1}},
             {.kinds = {QN_OP_ML_CONST}, .flags = QN_ONLY_USE | QN_LITERAL}},
    .rewrite = of_constant,
};
static const qn_graph_rule pair = {
    .rows = {{.kinds = {QN_OP_QUANT_DCAST}, .operands = {1}},
             {.kinds = {QN_OP_QUANT_QCAST}, .flags = QN_ONLY_USE, .operands = {2}},
             {.flags = QN_ANY_VALUE}},
    .rewrite = of_pair,
};
static const qn_pattern patterns[] = {
    QN_GRAPH_RULE("constant-of-other-sign", QN_OP_QUANT_DCAST, constant),
    QN_GRAPH_RULE("pair-of-other-sign", QN_OP_QUANT_DCAST, pair),
};

const qn_pass qn_pass_nullify_redundant_quantization_zero_point = {
    .name = "nullify-redundant-quantization-zero-point",
    .summary = "turn zero points at the end of 8 bits into 0 with the other sign",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
