/* Copies IR: one walk creates the ops; then operands that are used before their definition (cycles
 * in the control flow graph, module level) are set.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/clone.h"

#include "base/array.h"
#include "ir/walk.h"

typedef struct pending {
  qn_op *op;
  uint32_t index;
} pending;

typedef struct cloner {
  qn_module *module;
  qn_map *values; /* original value -> copy */
  qn_map blocks;  /* original block -> copy */
  const qn_op *root;
  qn_op *copy_of_root;
  QN_ARRAY(pending) pending;
  QN_ARRAY(qn_value *) operands;
  QN_ARRAY(const qn_type *) types;
  QN_ARRAY(qn_block *) successors;
} cloner;

static void clone_blocks(cloner *c, const qn_region *from, qn_region *to) {
  QN_FOR_EACH_BLOCK(block, from) {
    qn_block *copy = qn_block_create(c->module);
    qn_block_append(copy, to);
    qn_map_set(&c->blocks, block, copy);
    for (uint32_t i = 0; i < block->arg_count; i++) {
      const qn_value *arg = block->args[i];
      qn_map_set(c->values, arg, qn_block_add_arg(c->module, copy, arg->type, arg->loc));
    }
  }
}

/* Clones the op with empty blocks in its regions. */
static qn_op *clone_shallow(cloner *c, const qn_op *op) {
  c->operands.count = c->types.count = c->successors.count = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    qn_value *mapped = qn_map_get(c->values, qn_op_operand(op, i));
    qn_array_push(&c->operands, mapped ? mapped : qn_op_operand(op, i));
  }
  for (uint32_t i = 0; i < op->result_count; i++) qn_array_push(&c->types, op->results[i].type);
  for (uint32_t i = 0; i < op->successor_count; i++) {
    qn_block *mapped = qn_map_get(&c->blocks, op->successors[i]);
    qn_array_push(&c->successors, mapped ? mapped : op->successors[i]);
  }
  qn_op *copy = qn_op_create(
      c->module, &(qn_op_state){.kind = op->kind,
                                .name = op->name,
                                .loc = op->loc,
                                .operands = c->operands.data,
                                .operand_count = op->operand_count,
                                .result_types = c->types.data,
                                .result_count = op->result_count,
                                .attrs = op->attrs,
                                .attr_count = op->attr_count,
                                .region_count = op->region_count,
                                .successors = c->successors.data,
                                .successor_operand_counts = op->successor_operand_counts,
                                .successor_count = op->successor_count});
  for (uint32_t i = 0; i < op->region_count; i++) {
    clone_blocks(c, &op->regions[i], &copy->regions[i]);
  }
  return copy;
}

static bool clone_one(qn_op *op, void *user) {
  cloner *c = user;
  qn_op *copy = clone_shallow(c, op);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    if (!qn_map_get(c->values, qn_op_operand(op, i))) {
      qn_array_push(&c->pending, ((pending){copy, i}));
    }
  }
  for (uint32_t i = 0; i < op->result_count; i++) {
    qn_map_set(c->values, &op->results[i], &copy->results[i]);
  }
  if (op == c->root) {
    c->copy_of_root = copy;
  } else {
    qn_op_append(copy, qn_map_get(&c->blocks, op->block));
  }
  return true;
}

qn_op *qn_op_clone(qn_module *module, const qn_op *op, qn_map *values) {
  cloner c = {.module = module, .values = values, .root = op};
  qn_walk_pre((qn_op *)(uintptr_t)op, clone_one, &c);
  for (size_t i = 0; i < c.pending.count; i++) {
    const pending *p = &c.pending.data[i];
    qn_value *mapped = qn_map_get(values, qn_op_operand(p->op, p->index));
    if (mapped) qn_op_set_operand(p->op, p->index, mapped);
  }
  qn_map_deinit(&c.blocks);
  qn_array_free(&c.pending);
  qn_array_free(&c.operands);
  qn_array_free(&c.types);
  qn_array_free(&c.successors);
  return c.copy_of_root;
}

qn_module *qn_module_clone(const qn_module *module) {
  qn_module *copy = qn_module_create(module->cx, module->op->loc);
  qn_map values = {0};
  copy->op = qn_op_clone(copy, module->op, &values);
  qn_map_deinit(&values);
  for (uint32_t i = 0; i < module->file_count; i++) qn_module_retain_file(copy, module->files[i]);
  return copy;
}
