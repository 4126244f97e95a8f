/* Results that overwrite an operand at its last use.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/in_place.h"

#include "ir/ops/linalg.h"
#include "ir/verify/check.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/schedule.h"

/* Whether element i of the operand is read only for element i of the result, given equal shapes.
 * For a linalg.generic this holds if operand and result have the same indexing map, a permutation
 * of all loops. */
static bool is_in_step(const qn_op *op, uint32_t operand) {
  if (op->kind != QN_OP_LINALG_GENERIC) return true;
  const qn_affine_map *x = qn_generic_map(op, operand);
  const qn_affine_map *y = qn_generic_map(op, qn_generic_inputs(op));
  if (x->result_count != y->result_count || x->result_count != qn_generic_loops(op)) return false;
  uint64_t walked = 0;
  for (uint32_t d = 0; d < x->result_count; d++) {
    const qn_affine_expr *e = x->results[d], *f = y->results[d];
    if (e->kind != QN_AFFINE_DIM || f->kind != QN_AFFINE_DIM || e->value != f->value) return false;
    if (walked >> e->value & 1) return false;
    walked |= UINT64_C(1) << e->value;
  }
  return true;
}

/* Whether both tensors have the same element type in memory. */
static bool has_elements_of(qn_ir_context *cx, const qn_type *x, const qn_type *y) {
  return qn_elements_memory_element(cx, x->shaped.element) ==
         qn_elements_memory_element(cx, y->shaped.element);
}

bool qn_reads_out_of_step(const qn_assigner *a, const qn_op *op, uint32_t buffer,
                          const qn_type *result) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    if (qn_memory_place(a->plan, v).buffer == buffer &&
        (!qn_same_shape(v->type, result) || !is_in_step(op, i)))
      return true;
  }
  return false;
}

/* Whether result 1 of the op may overwrite `buffer`, which only operand 1 is in (schedule.h). */
static bool updates(const qn_assigner *a, const qn_op *op, uint32_t buffer,
                    const qn_value *result) {
  if (!qn_schedule_of(op)->updates || result != &op->results[1]) return false;
  if (!qn_same_shape(qn_op_operand(op, 1)->type, result->type)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    bool inside = qn_memory_place(a->plan, qn_op_operand(op, i)).buffer == buffer;
    if (inside != (i == 1)) return false;
  }
  return true;
}

bool qn_works_in_place(const qn_assigner *a, const qn_op *op, uint32_t buffer,
                       const qn_value *result) {
  if (updates(a, op, buffer, result)) return true;
  if (qn_fusion_root(a->lo, op) || qn_fusion_result(a->lo, op) != result) return false;
  return qn_schedule_of(op)->sharing == QN_SHARES_LAST_USE &&
         !qn_reads_out_of_step(a, op, buffer, result->type);
}

/* Moves the whole arena buffer of `tensor` to slice `to`. Returns false if `to` is a slot, which
 * other ops also write, or a buffer of @main that cannot be viewed in the parts that the buffer
 * has. */
static bool move_to(const qn_assigner *a, const qn_value *tensor, qn_buffer_slice to) {
  uint32_t from = qn_memory_place(a->plan, tensor).buffer;
  bool in_arena = a->plan->buffers.data[to.buffer].space == QN_SPACE_ARENA;
  if (a->plan->buffers.data[to.buffer].shared) return false;
  if (a->has_parts[from] && !in_arena && !qn_tensor_is_bytes(tensor->type)) return false;
  a->has_parts[to.buffer] |= a->has_parts[from];
  qn_memory_merge(a->plan, from, to.buffer, to.offset);
  return true;
}

/* The kernel loads each lane before it stores it, so the result can overwrite an operand at its
 * last use. */
void qn_place_in_operand(const qn_assigner *a, const qn_op *op) {
  if (qn_fusion_root(a->lo, op)) return;
  const qn_value *result = qn_fusion_result(a->lo, op);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *operand = qn_op_operand(op, i);
    if (!is_in_step(op, i) || !has_elements_of(a->lo->cx, operand->type, result->type)) continue;
    if (!qn_same_shape(operand->type, result->type) || !qn_memory_is_movable(a->plan, operand))
      continue;
    if (qn_memory_top(a->plan, result)->space == QN_SPACE_STATE)
      continue; /* other ops may still read the old state */
    qn_buffer_slice from = qn_memory_place(a->plan, operand), to = qn_memory_place(a->plan, result);
    if (from.buffer == to.buffer ||
        qn_memory_top(a->plan, operand)->last != a->plan->def_step[result->id])
      continue;
    if (qn_reads_out_of_step(a, op, from.buffer, result->type)) continue;
    if (move_to(a, operand, to)) return;
  }
}

/* A linalg.generic starts from the initial value of its output, in the same memory if no other op
 * needs that value. */
static void place_in_output(const qn_assigner *a, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++) {
    uint32_t output = qn_generic_inputs(op) + i;
    const qn_value *operand = qn_op_operand(op, output);
    if (!qn_memory_is_movable(a->plan, operand) ||
        qn_memory_top(a->plan, &op->results[i])->space == QN_SPACE_STATE)
      continue;
    qn_buffer_slice from = qn_memory_place(a->plan, operand),
                    to = qn_memory_place(a->plan, &op->results[i]);
    bool alone = from.buffer != to.buffer &&
                 qn_memory_top(a->plan, operand)->last == a->plan->def_step[op->results[i].id];
    for (uint32_t k = 0; k < op->operand_count && alone; k++)
      alone = k == output || qn_memory_place(a->plan, qn_op_operand(op, k)).buffer != from.buffer;
    if (alone) move_to(a, operand, to);
  }
}

void qn_place_generic(const qn_assigner *a, const qn_op *op) {
  place_in_output(a, op);
  if (op->result_count != 1) return;
  const qn_value *initial = qn_op_operand(op, qn_generic_inputs(op));
  if (!qn_memory_same_place(a->plan, &op->results[0], initial)) qn_place_in_operand(a, op);
}
