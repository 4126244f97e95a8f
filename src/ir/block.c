/* Blocks and their arguments.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/module.h"

qn_block *qn_block_create(qn_module *module) { return QN_NEW(&module->arena, qn_block); }

void qn_block_append(qn_block *block, qn_region *region) {
  QN_ASSERT(!block->region);
  block->region = region;
  block->prev = region->last;
  if (region->last) region->last->next = block;
  if (!region->first) region->first = block;
  region->last = block;
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

void qn_block_drop_unused_args(qn_block *block) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < block->arg_count; i++) {
    qn_value *arg = block->args[i];
    if (!arg->first_use) continue;
    arg->index = kept;
    block->args[kept++] = arg;
  }
  block->arg_count = kept;
}
