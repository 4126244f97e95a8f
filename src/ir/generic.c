/* linalg.generic with one output, built in two steps around its body.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/generic.h"

#include "ir/ops/linalg.h"

const qn_attr *qn_generic_map_of(qn_ir_context *cx, uint32_t loops,
                                 const qn_affine_expr *const *results, uint32_t count) {
  return qn_attr_affine_map(cx, &(qn_affine_map){loops, 0, count, results});
}

const qn_attr *qn_generic_identity(qn_ir_context *cx, uint32_t loops) {
  const qn_affine_expr *results[QN_GENERIC_MAX_LOOPS];
  for (uint32_t i = 0; i < loops; i++) results[i] = qn_affine_dim(cx, i);
  return qn_generic_map_of(cx, loops, results, loops);
}

static const qn_attr *iterator_types(qn_ir_context *cx, const qn_generic *g) {
  const qn_attr *items[QN_GENERIC_MAX_LOOPS];
  for (uint32_t i = 0; i < g->loops; i++) {
    const char *kind = g->reductions >> i & 1 ? "reduction" : "parallel";
    items[i] = qn_attr_opaque(cx, qn_arena_format(&cx->arena, "%s%s>", qn_iterator_prefix, kind));
  }
  return qn_attr_array(cx, items, g->loops);
}

qn_op *qn_generic_open(qn_builder *b, const qn_generic *g) {
  QN_ASSERT(g->operand_count > 0 && g->operand_count <= QN_GENERIC_MAX_OPERANDS &&
            g->loops <= QN_GENERIC_MAX_LOOPS);
  const qn_type *type = g->operands[g->operand_count - 1]->type;
  const int64_t segments[] = {g->operand_count - 1, 1};
  const qn_named_attr attrs[] = {
      {qn_str_of("indexing_maps"), qn_attr_array(b->cx, g->maps, g->operand_count)},
      {qn_str_of("iterator_types"), iterator_types(b->cx, g)},
      {qn_str_of("operandSegmentSizes"),
       qn_attr_dense_array(b->cx, qn_type_i(b->cx, 32), segments, NULL, 2)},
  };
  qn_op *op = qn_build(b, (qn_op_state){.kind = QN_OP_LINALG_GENERIC,
                                        .operands = g->operands,
                                        .operand_count = g->operand_count,
                                        .result_types = &type,
                                        .result_count = 1,
                                        .attrs = attrs,
                                        .attr_count = (uint32_t)QN_COUNT(attrs),
                                        .region_count = 1});
  qn_block *body = qn_block_create(b->module);
  qn_block_append(body, &op->regions[0]);
  for (uint32_t i = 0; i < g->operand_count; i++)
    qn_block_add_arg(b->module, body, qn_type_element(g->operands[i]->type), b->loc);
  b->block = body;
  b->before = NULL;
  return op;
}

qn_value *qn_generic_close(qn_builder *b, qn_op *op, qn_value *value) {
  qn_build_0(b, QN_OP_LINALG_YIELD, QN_VALUES(value), NULL);
  b->block = op->block;
  b->before = op->next;
  return qn_op_result(op, 0);
}
