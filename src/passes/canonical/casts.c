/* Pairs of casts that are the identity.
 *
 *   trunci(extsi(x)), trunci(extui(x)), index_cast(index_cast(x)), bitcast(bitcast(x)),
 *   scast(scast(x)), tensor.cast(tensor.cast(x))     always, if x has the type of the result
 *   qcast(dcast(x))   if quantizing to nearest restores every stored value
 *   scast(constant)   of a quantized type: its stored integers
 *   dcast(qcast(x))   only with upstream-compatible: the pair rounds and saturates
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/canonical/patterns.h"

#include <string.h>

#include "ir/types/float_format.h"
#include "ir/types/quant_cast.h"

typedef enum condition { ALWAYS, IF_STORED_VALUES_SURVIVE, IF_RELAXED } condition;

static const struct {
  qn_op_kind outer, inner;
  condition when;
} pairs[] = {
    {QN_OP_ARITH_TRUNCI, QN_OP_ARITH_EXTSI, ALWAYS},
    {QN_OP_ARITH_TRUNCI, QN_OP_ARITH_EXTUI, ALWAYS},
    {QN_OP_ARITH_BITCAST, QN_OP_ARITH_BITCAST, ALWAYS},
    {QN_OP_VECTOR_BITCAST, QN_OP_VECTOR_BITCAST, ALWAYS},
    {QN_OP_QUANT_SCAST, QN_OP_QUANT_SCAST, ALWAYS},
    {QN_OP_QUANT_QCAST, QN_OP_QUANT_DCAST, IF_STORED_VALUES_SURVIVE},
    {QN_OP_QUANT_DCAST, QN_OP_QUANT_QCAST, IF_RELAXED},
};

/* Whether scale * (q - z) / scale rounds to q - z for every stored value q. The error is below half
 * a step if |q - z| has at least two bits less than the significand of the float type, and no
 * product may be infinite. */
bool qn_canonical_survives(const qn_type *quantized) {
  const qn_quant_uniform *quant = qn_type_quant(quantized);
  if (!quant) return false;
  const qn_float_format *expressed = qn_float_format_of(quant->expressed->float_kind);
  if (expressed->significand < 2) return false;
  int64_t limit = INT64_C(1) << (expressed->significand - 2 > 40 ? 40 : expressed->significand - 2);
  for (uint32_t i = 0; i < quant->count; i++) {
    int64_t below = quant->zero_points[i] - quant->min, above = quant->max - quant->zero_points[i];
    int64_t most = below > above ? below : above;
    if (most > limit ||
        (double)most * qn_quant_expressed_scale(quant, quant->scales[i]) > expressed->largest)
      return false;
  }
  return true;
}

bool qn_canonical_cast_pair(qn_rewriter *rw, qn_op *op) {
  const qn_canonical *state = rw->state;
  if (!qn_op_has(op, QN_CAST) && op->kind != QN_OP_VECTOR_BITCAST) return false;
  qn_op *inner = qn_op_operand(op, 0)->op;
  if (!inner || inner->operand_count != 1) return false;
  qn_value *source = qn_op_operand(inner, 0);
  if (source->type != op->results[0].type) return false;
  for (size_t i = 0; i < QN_COUNT(pairs); i++) {
    if (op->kind != pairs[i].outer || inner->kind != pairs[i].inner) continue;
    bool holds = pairs[i].when == ALWAYS || state->relaxed ||
                 (pairs[i].when == IF_STORED_VALUES_SURVIVE && qn_canonical_survives(source->type));
    if (!holds) return false;
    qn_rewriter_replace(rw, op, &source);
    return true;
  }
  return false;
}

bool qn_canonical_stored_constant(qn_rewriter *rw, qn_op *op) {
  qn_canonical *state = rw->state;
  qn_op *constant = qn_op_operand(op, 0)->op;
  const qn_type *type = op->results[0].type;
  if (!constant || constant->kind != QN_OP_ARITH_CONSTANT || qn_type_quant(type)) return false;
  const qn_attr *value = qn_value_constant(qn_op_operand(op, 0));
  if (!value) return false;
  uint32_t size = qn_type_bytes(qn_type_element(type)),
           width = qn_type_element(type)->integer.width;
  int64_t count = value->dense.splat ? 1 : qn_type_elements(type);
  uint8_t *data = qn_arena_array(rw->pc->scratch, (size_t)count, size);
  for (int64_t i = 0; i < count; i++) {
    int64_t stored = qn_low_bits(qn_dense_int(value, i), width, true);
    memcpy(data + (size_t)i * size, &stored, size); /* little-endian */
  }
  qn_bytes bytes = {data, (size_t)count * size};
  const qn_attr *attr = qn_attr_dense(rw->cx, type, bytes, false);
  qn_value *integers = qn_constants_get(&state->constants, op, attr, type);
  qn_rewriter_replace(rw, op, &integers);
  return true;
}
