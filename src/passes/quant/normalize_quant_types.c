/* normalize-quant-types: replaces sub-channel quantized types by per-layer or per-axis types that
 * are equivalent.
 *
 *   tensor<?x?x!quant.uniform<i8:f32:{0:1,1:4}, {{2.0:10}}>>          one scale: per layer
 *     -> tensor<?x?x!quant.uniform<i8:f32, 2.0:10>>
 *   tensor<?x?x!quant.uniform<i8:f32:{0:1,1:4}, {{2.0}, {3.0}}>>      one scale per index: per axis
 *     -> tensor<?x?x!quant.uniform<i8:f32:0, {2.0,3.0}>>
 *   tensor<?x?x!quant.uniform<i8:f32:{0:2}, {{2.0}, {3.0}}>>          blocks of 2: stays
 *
 * Changes the types of results and block arguments in a function, and the function's type. Scalars,
 * and types in attributes of other ops, stay.
 *
 * Needs: nothing.  Keeps: all ops.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/module.h"
#include "ir/walk.h"
#include "pass/pass.h"
#include "passes/quant/type_map.h"

/* The only dimension along which scales differ; -1 if there are several. */
static int32_t only_axis(const qn_quant_uniform *q) {
  int32_t axis = -1;
  for (uint32_t i = 0; i < q->grid_rank; i++) {
    if (q->grid_dims[i] == 1) continue;
    if (axis >= 0) return -1;
    axis = (int32_t)i;
  }
  return axis;
}

static const qn_type *normalize(qn_ir_context *cx, const qn_type *type) {
  const qn_quant_uniform *q = type->kind == QN_TYPE_TENSOR ? qn_type_quant(type) : NULL;
  if (!q || q->scheme != QN_SUB_CHANNEL) return type;
  qn_quant_uniform simpler = *q;
  simpler.grid_rank = simpler.block_count = 0;
  simpler.scheme = q->count == 1 ? QN_PER_LAYER : QN_PER_AXIS;
  if (simpler.scheme == QN_PER_AXIS) {
    simpler.axis = only_axis(q);
    if (simpler.axis < 0 || qn_quant_block_size(q, (uint32_t)simpler.axis) != 1) return type;
  }
  return qn_type_with_element(cx, type, qn_type_uniform(cx, &simpler));
}

static void normalize_value(qn_pass_context *pc, qn_value *value) {
  const qn_type *type = qn_map_type(pc->cx, value->type, normalize);
  if (type == value->type) return;
  qn_value_set_type(value, type);
  pc->changed = true;
}

static bool normalize_op(qn_op *op, void *user) {
  qn_pass_context *pc = user;
  for (uint32_t i = 0; i < op->result_count; i++) normalize_value(pc, &op->results[i]);
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r])
  for (uint32_t i = 0; i < block->arg_count; i++) normalize_value(pc, block->args[i]);
  if (op->kind != QN_OP_FUNC) return true;
  const qn_attr *type = qn_op_find(op, QN_A_FUNCTION_TYPE);
  const qn_attr *mapped = qn_map_attr_types(pc->cx, type, normalize);
  if (mapped == type) return true;
  qn_op_set_attr(pc->module, op, "function_type", mapped);
  pc->changed = true;
  return true;
}

static qn_status run(qn_pass_context *pc) {
  qn_walk_pre(pc->root, normalize_op, pc);
  return QN_OK;
}

const qn_pass qn_pass_normalize_quant_types = {
    .name = "normalize-quant-types",
    .summary = "turn sub-channel types into per-layer or per-axis ones where they say the same",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "all ops",
    .run = run,
};
