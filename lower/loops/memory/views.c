/* Tensors that are ranges of other tensors: results that are views of operands, and operands that
 * are parts of a concatenation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/views.h"

#include "lower/loops/fusion/fusion.h"

/* Makes the result a view at byte `offset` of the operand. A view of an input or state requires
 * byte elements, because memref.view does. */
static void view_operand(const qn_assigner *a, const qn_value *result, const qn_value *operand,
                         int64_t offset) {
  qn_buffer_slice place = qn_memory_place(a->plan, operand);
  bool whole = qn_tensor_bytes(result->type) == a->plan->buffers.data[place.buffer].bytes;
  qn_memory_space space = a->plan->buffers.data[place.buffer].space;
  bool outside = space == QN_SPACE_INPUT || space == QN_SPACE_STATE;
  if (whole || qn_memory_has_offsets(space) || (outside && qn_tensor_is_bytes(operand->type)))
    qn_memory_merge(a->plan, a->buffer_of[result->id], place.buffer, place.offset + offset);
}

void qn_view_reshape(const qn_assigner *a, const qn_op *op) {
  view_operand(a, &op->results[0], qn_op_operand(op, 0), 0);
}

void qn_view_split(const qn_assigner *a, const qn_op *op) {
  uint32_t axis = (uint32_t)qn_op_axis(op);
  if (qn_tensor_extent(qn_op_operand(op, 0)->type, 0, axis) != 1) return;
  int64_t offset = 0;
  for (uint32_t i = 0; i < op->result_count; i++) {
    view_operand(a, &op->results[i], qn_op_operand(op, 0), offset);
    offset += qn_tensor_bytes(op->results[i].type);
  }
}

/* A slice is contiguous if all dimensions after the first one that is longer than 1 in the result
 * are taken whole. */
static bool is_contiguous(const qn_op *slice, int64_t *out_offset) {
  const qn_type *in = qn_op_operand(slice, 0)->type, *out = slice->results[0].type;
  qn_i64s begin = qn_op_begin(slice), stride = qn_op_stride(slice);
  int64_t offset = 0;
  bool inside = false;
  for (uint32_t i = 0; i < in->shaped.rank; i++) {
    bool single = out->shaped.dims[i] == 1;
    if (inside && out->shaped.dims[i] != in->shaped.dims[i]) return false;
    if (!single && stride.data[i] != 1) return false;
    inside = inside || !single;
    offset += begin.data[i] * qn_tensor_extent(in, i + 1, in->shaped.rank);
  }
  *out_offset = offset * qn_type_bytes(in->shaped.element);
  return true;
}

void qn_view_slice(const qn_assigner *a, const qn_op *op) {
  int64_t offset;
  if (is_contiguous(op, &offset)) view_operand(a, &op->results[0], qn_op_operand(op, 0), offset);
}

bool qn_memory_is_view(const qn_memory_plan *plan, const qn_op *slice) {
  qn_buffer_slice from = qn_memory_place(plan, qn_op_operand(slice, 0)),
                  to = qn_memory_place(plan, &slice->results[0]);
  int64_t offset;
  return from.buffer == to.buffer && is_contiguous(slice, &offset) &&
         from.offset + offset == to.offset;
}

void qn_place_parts(const qn_assigner *a, const qn_op *op) {
  const qn_value *result = &op->results[0];
  uint32_t axis = (uint32_t)qn_op_axis(op);
  if (qn_tensor_extent(result->type, 0, axis) != 1 || qn_fusion_pad(a->lo, op)) return;
  if (qn_fusion_is_consumed(a->lo, op)) return;
  int64_t offset = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *part = qn_op_operand(op, i);
    qn_buffer_slice from = qn_memory_place(a->plan, part), to = qn_memory_place(a->plan, result);
    if (qn_memory_is_movable(a->plan, part) && from.buffer != to.buffer)
      qn_memory_merge(a->plan, from.buffer, to.buffer, to.offset + offset);
    offset += qn_tensor_bytes(part->type);
  }
}
