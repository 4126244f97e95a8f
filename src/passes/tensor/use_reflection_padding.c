/* use-reflection-padding: replaces a concat of a tensor with slices that mirror its ends by a
 * mirror_pad.
 *
 *   x = [p q r s]:  concat(slice(x, 2), slice(x, 1), x, slice(x, -2))
 *     ->
 *   "ml.mirror_pad"(%x) {mode = "reflect", pad = array<i64: ..., 2, 1>}    of [r q p q r s r]
 *
 * Each slice has size 1 along the axis of the concat, at the index that mirrors its position, and
 * covers all other dimensions; no other op reads it. Each end of the tensor can have any number of
 * slices below the tensor's size, also none. There is one element type with one scale.
 * dead-code-elimination removes the slices.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/graph.h"
#include "ir/ops/forms.h"

/* Whether `part` is the slice of x at `index` along the axis, and only the concat reads it. */
static bool is_slice_at(const qn_value *part, const qn_value *x, int64_t axis, int64_t index) {
  const qn_op *slice = part->op;
  if (!slice || slice->kind != QN_OP_ML_SLICE_BY_INDEX || qn_op_operand(slice, 0) != x ||
      !qn_value_has_one_use(part) || part->type->shaped.element != x->type->shaped.element)
    return false;
  for (uint32_t i = 0; i < qn_rank(x); i++) {
    bool along = i == axis;
    if (qn_dim(part, i) != (along ? 1 : qn_dim(x, i)) ||
        qn_op_begin(slice).data[i] != (along ? index : 0) ||
        (!along && qn_dim(x, i) > 1 && qn_op_stride(slice).data[i] != 1))
      return false;
  }
  return true;
}

/* The index of the operand of the concat whose slice the first operand is; 0 if the first operand
 * is not a slice of another operand. */
static uint32_t source_of(const qn_op *concat) {
  const qn_op *slice = qn_op_operand(concat, 0)->op;
  if (!slice || slice->kind != QN_OP_ML_SLICE_BY_INDEX) return 0;
  for (uint32_t i = 1; i < concat->operand_count; i++)
    if (qn_op_operand(concat, i) == qn_op_operand(slice, 0)) return i;
  return 0;
}

static bool mirrors(const qn_op *concat, uint32_t at) {
  const qn_value *x = qn_op_operand(concat, at);
  int64_t axis = qn_op_axis(concat), size = qn_dim(x, (uint32_t)axis);
  uint32_t after = concat->operand_count - 1 - at;
  if (at + after == 0 || at >= size || after >= size) return false;
  for (uint32_t i = 1; i <= at; i++)
    if (!is_slice_at(qn_op_operand(concat, at - i), x, axis, i)) return false;
  for (uint32_t i = 1; i <= after; i++)
    if (!is_slice_at(qn_op_operand(concat, at + i), x, axis, size - 1 - i)) return false;
  return true;
}

static qn_value *padded(qn_rewriter *rw, const qn_matched *m) {
  const qn_op *concat = m->op[0];
  const qn_type *type = m->value[0]->type;
  if (concat->operand_count < 2) return NULL;
  uint32_t at = source_of(concat);
  if (!mirrors(concat, at)) return NULL;
  qn_value *x = qn_op_operand(concat, at);
  if (x->type->shaped.element != type->shaped.element || !qn_is_position_free(type)) return NULL;
  int64_t pad[2 * QN_ML_MAX_RANK] = {0};
  pad[2 * qn_op_axis(concat)] = at;
  pad[2 * qn_op_axis(concat) + 1] = concat->operand_count - 1 - at;
  return qn_build_1(&rw->builder, QN_OP_ML_MIRROR_PAD, type, QN_VALUES(x),
                    QN_ATTRS({"mode", qn_attr_string(rw->cx, qn_str_of("reflect"))},
                             {"pad", qn_attr_i64s(rw->cx, pad, 2 * qn_rank(x))}));
}

static const qn_graph_rule rule = {.rows = {{.kinds = {QN_OP_ML_CONCAT}}}, .rewrite = padded};
static const qn_pattern patterns[] = {QN_GRAPH_RULE("mirrored-ends", QN_OP_ML_CONCAT, rule)};

const qn_pass qn_pass_use_reflection_padding = {
    .name = "use-reflection-padding",
    .summary = "pad what is joined with slices that mirror its ends",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .patterns = patterns,
    .pattern_count = QN_COUNT(patterns),
};
