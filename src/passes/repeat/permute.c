/* Permutes ops: carries out what the op tables say about operands whose dimensions are in another
 * order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/repeat/permute.h"

#include <stdlib.h>

#include "ir/ops/infer/infer.h"

/* ---- shapes ---- */

const qn_type *qn_type_before(qn_ir_context *cx, const qn_type *type, qn_i64s perm) {
  QN_ASSERT(perm.count == type->shaped.rank && perm.count <= QN_ML_MAX_RANK);
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t i = 0; i < perm.count; i++) dims[perm.data[i]] = type->shaped.dims[i];
  return qn_type_with_dims(cx, type, perm.count, dims);
}

/* Size of dimension i, if the tensor is extended to `rank` with leading dimensions of size 1. */
static int64_t extended_dim(const qn_type *type, uint32_t rank, uint32_t i) {
  QN_ASSERT(i < rank && type->shaped.rank <= rank);
  uint32_t missing = rank - type->shaped.rank;
  return i < missing ? 1 : type->shaped.dims[i - missing];
}

/* Whether the inverse transpose keeps the order of all dimensions other than those of size 1, so
 * that a reshape has the same effect. */
static bool is_reshape(const qn_type *type, qn_i64s perm) {
  int64_t last = -1;
  for (uint32_t i = 0; i < perm.count; i++) {
    if (extended_dim(type, perm.count, i) == 1) continue;
    if (perm.data[i] < last) return false;
    last = perm.data[i];
  }
  return true;
}

static const qn_type *other_type(qn_ir_context *cx, const qn_type *type, qn_i64s perm) {
  int64_t dims[QN_ML_MAX_RANK];
  for (uint32_t i = 0; i < perm.count; i++) dims[perm.data[i]] = extended_dim(type, perm.count, i);
  return qn_type_with_dims(cx, type, perm.count, dims);
}

/* ---- constants ---- */

/* Copies elements from the order of `from` to the order before the transpose. `size` is in
 * bytes. */
static void permute_elements(const qn_type *from, qn_i64s perm, uint32_t size, const uint8_t *in,
                             uint8_t *out) {
  const qn_type *t = from;
  int64_t strides[QN_ML_MAX_RANK], dims[QN_ML_MAX_RANK], at[QN_ML_MAX_RANK] = {0}, stride = 1;
  for (uint32_t i = perm.count; i-- > 0; stride *= extended_dim(t, perm.count, i)) {
    strides[perm.data[i]] = stride;
    dims[perm.data[i]] = extended_dim(t, perm.count, i);
  }
  QN_ASSERT(stride == qn_type_elements(t));
  for (int64_t n = 0; n < stride; n++) {
    int64_t offset = 0;
    for (uint32_t i = 0; i < perm.count; i++) offset += at[i] * strides[i];
    memcpy(out + (size_t)n * size, in + (size_t)offset * size, size);
    for (uint32_t i = perm.count; i-- > 0 && ++at[i] == dims[i];) at[i] = 0;
  }
}

static qn_value *turned_literal(qn_pass_context *pc, qn_builder *b, const qn_value *literal,
                                qn_i64s perm) {
  const qn_attr *old = qn_value_constant(literal);
  qn_bytes bytes = old->dense.bytes;
  if (!old->dense.splat) {
    uint8_t *data = QN_NEW_ARRAY(pc->scratch, bytes.size, uint8_t);
    int64_t count = qn_type_elements(literal->type);
    permute_elements(literal->type, perm, (uint32_t)(bytes.size / (size_t)count), bytes.data, data);
    bytes.data = data;
  }
  const qn_attr *value = qn_attr_dense(pc->cx, other_type(pc->cx, old->type, perm), bytes, false);
  return qn_build_1(b, literal->op->kind, other_type(pc->cx, literal->type, perm), NULL, 0,
                    QN_ATTRS({"value", value}));
}

/* ---- how ops change ---- */

static void permute_axis(qn_pass_context *pc, qn_op *op, qn_i64s perm) {
  int64_t axis = perm.data[qn_op_axis(op)];
  qn_op_set_attr(pc->module, op, "axis", qn_attr_i64(pc->cx, axis));
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void permute_axes(qn_pass_context *pc, qn_op *op, qn_i64s perm) {
  qn_i64s old = qn_op_axes(op);
  int64_t axes[QN_ML_MAX_RANK];
  QN_ASSERT(old.count <= perm.count && perm.count <= QN_ML_MAX_RANK);
  for (uint32_t i = 0; i < old.count; i++) axes[i] = perm.data[old.data[i]];
  qsort(axes, old.count, sizeof *axes, compare);
  qn_op_set_attr(pc->module, op, "axes", qn_attr_i64s(pc->cx, axes, old.count));
}

static void permute_pad(qn_pass_context *pc, qn_op *op, qn_i64s perm) {
  qn_i64s old = qn_op_pad(op);
  int64_t pad[2 * QN_ML_MAX_RANK];
  QN_ASSERT(old.count == 2 * perm.count && perm.count <= QN_ML_MAX_RANK);
  for (uint32_t i = 0; i < 2 * perm.count; i++) pad[2 * perm.data[i / 2] + i % 2] = old.data[i];
  qn_op_set_attr(pc->module, op, "pad", qn_attr_i64s(pc->cx, pad, old.count));
}

static void permute_others(qn_pass_context *pc, qn_op *op, const qn_map *permuted, qn_i64s perm) {
  qn_builder b = qn_builder_before(pc->module, op);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_value *x = qn_op_operand(op, i);
    if (qn_map_get(permuted, x) || qn_type_elements(x->type) == 1) continue;
    qn_value *with = qn_value_literal(x) ? turned_literal(pc, &b, x, perm)
                                         : qn_build_unary(&b, QN_OP_ML_RESHAPE, x,
                                                          other_type(pc->cx, x->type, perm));
    qn_op_set_operand(op, i, with);
  }
}

static void permute_nothing(qn_pass_context *pc, qn_op *op, qn_i64s perm) {
  (void)pc, (void)op, (void)perm;
}

/* ---- which ops can be permuted ---- */

/* Whether the operands that are not permuted can be adapted: constants always can; other operands
 * only if `reshapes`, which is true for ops that broadcast, and a reshape has the effect of the
 * transpose. */
static bool others_can_permute(const qn_op *op, const qn_map *permuted, qn_i64s perm,
                               bool reshapes) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *x = qn_op_operand(op, i);
    if (qn_map_get(permuted, x) || qn_value_literal(x)) continue;
    if (!reshapes || qn_rank(x) > perm.count || !is_reshape(x->type, perm)) return false;
  }
  return true;
}

static bool broadcast_can_turn(const qn_op *op, const qn_map *permuted, qn_i64s perm) {
  return others_can_permute(op, permuted, perm, true);
}
static bool all_can_turn(const qn_op *op, const qn_map *permuted, qn_i64s perm) {
  return others_can_permute(op, permuted, perm, false);
}
static bool vectors_stay(const qn_op *op, const qn_map *permuted, qn_i64s perm) {
  (void)perm;
  for (uint32_t i = 1; i < op->operand_count; i++)
    if (qn_map_get(permuted, qn_op_operand(op, i))) return false;
  return true;
}
/* Whether the reduced dimensions are in the same order before and after the transpose, ignoring
 * those of size 1. Then each result sums the same elements in the same order. */
static bool keeps_terms(const qn_op *op, qn_i64s perm) {
  qn_i64s axes = qn_op_axes(op);
  bool reduced[QN_ML_MAX_RANK] = {false};
  int64_t last = -1;
  for (uint32_t i = 0; i < axes.count; i++) reduced[axes.data[i]] = true;
  for (uint32_t i = 0; i < perm.count; i++) {
    if (!reduced[i] || qn_dim(qn_op_operand(op, 0), i) == 1) continue;
    if (perm.data[i] < last) return false;
    last = perm.data[i];
  }
  return true;
}
static bool reduction_can_turn(const qn_op *op, const qn_map *permuted, qn_i64s perm) {
  (void)permuted;
  return qn_op_keep_dims(op) &&
         (qn_ml_is_8bit(qn_op_operand(op, 0)->type) || keeps_terms(op, perm));
}
static bool elementwise_can_turn(const qn_op *op, const qn_map *permuted, qn_i64s perm) {
  (void)permuted, (void)perm;
  return qn_is_unary_elementwise(op);
}

/* Indexed by the op table's qn_permuting (ir/ops/infer/infer.h). */
static const struct {
  bool (*can)(const qn_op *op, const qn_map *permuted, qn_i64s perm);
  void (*permute)(qn_pass_context *pc, qn_op *op, qn_i64s perm);
  bool others_stay; /* operands that are not permuted are vectors and stay as they are */
} permutings[QN_TURNING_COUNT] = {
    [QN_PERMUTES_NOT] = {elementwise_can_turn, permute_nothing, false},
    [QN_PERMUTES_BROADCAST] = {broadcast_can_turn, permute_nothing, false},
    [QN_PERMUTES_AXIS] = {all_can_turn, permute_axis, false},
    [QN_PERMUTES_CHANNELS] = {vectors_stay, permute_axis, true},
    [QN_PERMUTES_BORDER] = {all_can_turn, permute_pad, false},
    [QN_PERMUTES_REDUCED] = {reduction_can_turn, permute_axes, false},
};

static bool is_permutable(const qn_value *value) {
  return value->type->kind == QN_TYPE_TENSOR && qn_type_is_static(value->type) &&
         qn_is_position_free(value->type);
}

static bool has_turnable_values(const qn_op *op, qn_i64s perm) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (!is_permutable(qn_op_operand(op, i))) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!is_permutable(&op->results[i]) || qn_rank(&op->results[i]) != perm.count) return false;
  return op->result_count > 0;
}

bool qn_can_permute(const qn_op *op, const qn_map *permuted, qn_i64s perm, bool reorders_sums) {
  qn_permuting permutes = qn_inference_of(op->kind)->permutes;
  if (!qn_op_has(op, QN_PURE) || op->region_count > 0 || !has_turnable_values(op, perm))
    return false;
  if (reorders_sums && permutes == QN_PERMUTES_REDUCED && qn_op_keep_dims(op)) return true;
  return permutings[permutes].can(op, permuted, perm);
}

void qn_permute(qn_pass_context *pc, qn_op *op, const qn_map *permuted, qn_i64s perm) {
  QN_ASSERT(has_turnable_values(op, perm));
  if (!permutings[qn_inference_of(op->kind)->permutes].others_stay)
    permute_others(pc, op, permuted, perm);
  permutings[qn_inference_of(op->kind)->permutes].permute(pc, op, perm);
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_value_set_type(&op->results[i], qn_type_before(pc->cx, op->results[i].type, perm));
  /* the result is no longer one of the model's tensors */
  qn_op_set_attr(pc->module, op, qn_attr_decls[QN_A_TENSORS].name, NULL);
}

/* ---- ops whose results are not permuted ---- */

/* Whether the dimensions that a reduction keeps are in the same order before and after the
 * transpose. */
static bool keeps_order(const qn_op *op, qn_i64s perm) {
  qn_i64s axes = qn_op_axes(op);
  int64_t last = -1;
  for (uint32_t i = 0, next = 0; i < perm.count; i++) {
    if (next < axes.count && axes.data[next] == i) {
      next++;
      continue;
    }
    if (perm.data[i] < last) return false;
    last = perm.data[i];
  }
  return true;
}

bool qn_can_absorb(const qn_op *op, qn_i64s perm) {
  if (qn_inference_of(op->kind)->permutes != QN_PERMUTES_REDUCED || qn_op_keep_dims(op))
    return false;
  return qn_op_is_of_floats(op) && keeps_order(op, perm);
}

void qn_absorb(qn_pass_context *pc, qn_op *op, qn_i64s perm) {
  QN_ASSERT(qn_can_absorb(op, perm));
  permute_axes(pc, op, perm);
}
