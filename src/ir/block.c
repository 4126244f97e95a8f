/* Blocks and their arguments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/module.h"
#include "ir/walk.h"

qn_block *qn_block_create(qn_module *module) { return QN_NEW(&module->arena, qn_block); }

static void link_between(qn_block *block, qn_region *region, qn_block *prev, qn_block *next) {
  QN_ASSERT(!block->region);
  block->region = region;
  block->prev = prev;
  block->next = next;
  if (prev) prev->next = block;
  if (!prev) region->first = block;
  if (next) next->prev = block;
  if (!next) region->last = block;
}

void qn_block_append(qn_block *block, qn_region *region) {
  link_between(block, region, region->last, NULL);
}

void qn_block_insert_before(qn_block *block, qn_block *before) {
  link_between(block, before->region, before->prev, before);
}

static void unlink_block(qn_block *block) {
  qn_region *region = block->region;
  if (!region) return;
  if (block->prev) block->prev->next = block->next;
  if (!block->prev) region->first = block->next;
  if (block->next) block->next->prev = block->prev;
  if (!block->next) region->last = block->prev;
  block->region = NULL;
  block->prev = block->next = NULL;
}

void qn_block_erase(qn_module *module, qn_block *block) {
  /* Users before what they use: an op's uses inside of the block are gone when its turn comes. */
  while (block->last) qn_op_erase(module, block->last);
  for (uint32_t i = 0; i < block->arg_count; i++) QN_ASSERT(!block->args[i]->first_use);
  unlink_block(block);
}

qn_value *qn_block_add_arg(qn_module *module, qn_block *block, const qn_type *type,
                           const qn_loc *loc) {
  if (block->arg_count == block->arg_capacity) {
    uint32_t capacity = block->arg_capacity ? 2 * block->arg_capacity : 4;
    qn_value **args = QN_NEW_ARRAY(&module->arena, capacity, qn_value *);
    if (block->arg_count) memcpy(args, block->args, block->arg_count * sizeof *args);
    block->args = args;
    block->arg_capacity = capacity;
  }
  qn_value *arg = QN_NEW(&module->arena, qn_value);
  *arg = (qn_value){.type = type,
                    .block = block,
                    .index = block->arg_count,
                    .id = module->value_count++,
                    .loc = loc ? loc : module->cx->diag.unknown};
  block->args[block->arg_count++] = arg;
  return arg;
}

void qn_block_remove_arg(qn_module *module, qn_block *block, uint32_t index) {
  (void)module; /* the memory goes with the arena */
  QN_ASSERT(index < block->arg_count && !block->args[index]->first_use);
  block->arg_count--;
  for (uint32_t i = index; i < block->arg_count; i++) {
    block->args[i] = block->args[i + 1];
    block->args[i]->index = i;
  }
}
