/* Lowers blocks, branches and loops:
 *
 *   %r = scf.if %c -> (tensor<8xi8>) { ... scf.yield %a } else { ... scf.yield %b }
 *
 * becomes an scf.if without results. Its blocks end with launches that write the buffer of %r, or
 * with a copy to it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "lower/loops/control/control.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/memory/memrefs.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/ops/movement.h"
#include "lower/loops/schedule.h"

/* Copies the values that `op` yields or returns and that are in another buffer than their slot. */
static void make_copies(qn_loops *lo, const qn_op *op) {
  const qn_memory_plan *plan = lo->plan;
  uintptr_t first = (uintptr_t)qn_map_get(&plan->first_copy, op);
  for (size_t i = first; i > 0 && i <= plan->copies.count; i++) {
    const qn_result_copy *copy = &plan->copies.data[i - 1];
    if (copy->at != op) return;
    const qn_type *type = copy->tensor->type;
    qn_value *from = copy->from == QN_NO_BUFFER ? qn_loops_buffer(lo, copy->tensor)
                                                : qn_memref_of(lo, copy->from, type);
    qn_movement_copy(lo, op, copy->tensor, from, qn_memref_of(lo, copy->to, type));
  }
}

/* ---- scalars that branches and loops receive, yield and return ---- */

static void set_scalar(const qn_loops *lo, const qn_value *from, qn_value *to) {
  lo->scalars[from->id] = to;
}

static uint32_t scalars_of(qn_loops *lo, const qn_op *op, qn_value **out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_value *v = qn_op_operand(op, i);
    if (!qn_type_is_shaped(v->type)) out[count++] = qn_loops_scalar(lo, v);
  }
  return count;
}

static qn_op *begin(qn_loops *lo, const qn_op *op) {
  qn_value **operands = QN_NEW_ARRAY(lo->scratch, (size_t)op->operand_count + 1, qn_value *);
  const qn_type **types = QN_NEW_ARRAY(lo->scratch, (size_t)op->result_count + 1, const qn_type *);
  uint32_t operand_count = scalars_of(lo, op, operands), results = 0;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!qn_type_is_shaped(op->results[i].type)) types[results++] = op->results[i].type;
  qn_op *made = qn_build(&lo->main, (qn_op_state){.kind = op->kind,
                                                  .operands = operands,
                                                  .operand_count = operand_count,
                                                  .result_types = types,
                                                  .result_count = results,
                                                  .region_count = op->region_count});
  results = 0;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!qn_type_is_shaped(op->results[i].type))
      set_scalar(lo, &op->results[i], &made->results[results++]);
  return made;
}

static qn_status fill(qn_loops *lo, const qn_block *from, qn_region *region) {
  qn_block *block = qn_block_create(lo->module);
  qn_block_append(block, region);
  for (uint32_t i = 0; i < from->arg_count; i++) {
    const qn_value *v = from->args[i];
    if (!qn_type_is_shaped(v->type))
      set_scalar(lo, v, qn_block_add_arg(lo->module, block, v->type, lo->main.loc));
  }
  lo->main = qn_builder_at_end(lo->module, block, lo->main.loc);
  qn_status status = qn_loops_lower_block(lo, from);
  const qn_op *last = from->last;
  qn_value **values = QN_NEW_ARRAY(lo->scratch, (size_t)last->operand_count + 1, qn_value *);
  qn_build_0(&lo->main, last->kind, values, scalars_of(lo, last, values), NULL);
  return status;
}

/* Lowers a branch or loop. Recursive: check.c limits the depth. */
static qn_status lower_control(qn_loops *lo, const qn_op *op) {
  make_copies(lo, op);
  qn_op *made = begin(lo, op);
  qn_builder behind = lo->main;
  bool outermost = !lo->outermost;
  qn_status status = QN_OK;
  if (outermost) lo->outermost = made;
  for (uint32_t i = 0; i < op->region_count; i++) {
    if (!op->regions[i].first) continue;
    qn_status s = fill(lo, op->regions[i].first, &made->regions[i]);
    if (status == QN_OK) status = s;
  }
  if (outermost) lo->outermost = NULL;
  lo->main = behind;
  return status;
}

/* ---- blocks ---- */

/* Resets `scratch` after each op, because the unpacked weights of all layers would take several
 * times the size of the model. */
static qn_status build_kernels(qn_loops *lo, qn_op *op, qn_loops_fn *lower) {
  qn_arena own;
  qn_arena_init(&own);
  lo->scratch = &own;
  const qn_op *pad = qn_fusion_pad(lo, op); /* the op's kernel stores to its interior */
  if (pad) qn_movement_border(lo, pad);
  qn_status status = lower(lo, op);
  lo->scratch = lo->kept;
  qn_arena_deinit(&own);
  return status;
}

static qn_status lower_op(qn_loops *lo, qn_op *op) {
  lo->main.loc = op->loc;
  if (qn_op_has(op, QN_CONTROL)) return lower_control(lo, op);
  qn_loops_fn *lower = qn_schedule_of(op)->lower;
  if (!lower || qn_fusion_root(lo, op)) return QN_OK;
  return build_kernels(lo, op, lower);
}

qn_status qn_loops_lower_block(qn_loops *lo, const qn_block *block) {
  qn_status status = QN_OK;
  QN_FOR_EACH_OP(op, block) {
    qn_status s = lower_op(lo, op);
    if (status == QN_OK) status = s;
  }
  make_copies(lo, block->last);
  return status;
}
