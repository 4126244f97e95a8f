/* Modules, ops and their place in blocks; blocks and regions are in block.c. Use lists change only
 * in the first part of this file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/module.h"

#include <stdlib.h>

#include "base/guard.h"
#include "ir/walk.h"

/* ---- uses ---- */

static void link_use(qn_use *use, qn_op *owner, qn_value *value) {
  QN_ASSERT(value);
  *use = (qn_use){.value = value, .owner = owner, .next = value->first_use};
  if (use->next) use->next->prev = use;
  value->first_use = use;
}

static void unlink_use(qn_use *use) {
  if (!use->value) return;
  if (use->prev) use->prev->next = use->next;
  if (!use->prev) use->value->first_use = use->next;
  if (use->next) use->next->prev = use->prev;
  *use = (qn_use){.owner = use->owner};
}

void qn_op_set_operand(qn_op *op, uint32_t index, qn_value *value) {
  QN_ASSERT(index < op->operand_count);
  unlink_use(&op->operands[index]);
  link_use(&op->operands[index], op, value);
}

void qn_op_set_operands(qn_module *module, qn_op *op, qn_value *const *values, uint32_t count) {
  /* Copied before the old uses are removed, because the values may come from the op's own operands.
   */
  qn_use *uses = QN_NEW_ARRAY(&module->arena, count, qn_use);
  for (uint32_t i = 0; i < count; i++) link_use(&uses[i], op, values[i]);
  for (uint32_t i = 0; i < op->operand_count; i++) unlink_use(&op->operands[i]);
  op->operands = uses;
  op->operand_count = count;
}

void qn_value_replace_all_uses(qn_value *value, qn_value *with) {
  if (value == with) return;
  while (value->first_use) {
    qn_use *use = value->first_use;
    qn_op *owner = use->owner;
    unlink_use(use);
    link_use(use, owner, with);
  }
}

static bool drop_operands(qn_op *op, void *user) {
  (void)user;
  for (uint32_t i = 0; i < op->operand_count; i++) unlink_use(&op->operands[i]);
  return true;
}

/* ---- modules ---- */

static void release_files(void *owner) {
  const qn_module *module = owner;
  for (uint32_t i = 0; i < module->file_count; i++) qn_file_release(module->files[i]);
}

qn_module *qn_module_create(qn_ir_context *cx, const qn_loc *loc) {
  qn_module *module = qn_heap_own(sizeof *module, release_files);
  module->cx = cx;
  qn_arena_init(&module->arena);
  module->op =
      qn_op_create(module, &(qn_op_state){.kind = QN_OP_MODULE, .loc = loc, .region_count = 1});
  qn_block_append(qn_block_create(module), &module->op->regions[0]);
  return module;
}

void qn_module_destroy(qn_module *module) {
  if (!module) return;
  release_files(module);
  qn_heap_free(module->files);
  qn_arena_deinit(&module->arena);
  qn_heap_free(module);
}

void qn_module_retain_file(qn_module *module, qn_file *file) {
  size_t count = module->file_count + 1;
  module->files = qn_heap_resize(module->files, count * sizeof(qn_file *));
  qn_file_retain(file);
  module->files[module->file_count++] = file;
}

qn_file *qn_module_file_of(const qn_module *module, qn_bytes bytes) {
  for (uint32_t i = 0; i < module->file_count; i++) {
    qn_bytes all = qn_file_bytes(module->files[i]);
    if (all.data == bytes.data && all.size == bytes.size) return module->files[i];
  }
  return NULL;
}

/* ---- ops ---- */

static int by_name(const void *a, const void *b) {
  return qn_str_compare(((const qn_named_attr *)a)->name, ((const qn_named_attr *)b)->name);
}

/* Copies the attributes to op->attrs, which has the capacity. */
static void fill_attrs(qn_module *module, qn_op *op, const qn_named_attr *attrs, uint32_t count) {
  bool sorted = true;
  for (uint32_t i = 0; i < count; i++) {
    op->attrs[i].name = qn_intern(module->cx, attrs[i].name);
    op->attrs[i].value = attrs[i].value;
    sorted = sorted && (i == 0 || by_name(&op->attrs[i - 1], &op->attrs[i]) <= 0);
  }
  if (!sorted) qsort(op->attrs, count, sizeof *op->attrs, by_name);
  op->attr_count = count;
}

static void set_successors(qn_module *module, qn_op *op, const qn_op_state *state) {
  uint32_t count = state->successor_count;
  op->successor_count = count;
  op->successors = qn_arena_copy(&module->arena, state->successors, count * sizeof(qn_block *));
  op->successor_operand_counts = QN_NEW_ARRAY(&module->arena, count, uint32_t);
  for (uint32_t i = 0; i < count && state->successor_operand_counts; i++) {
    op->successor_operand_counts[i] = state->successor_operand_counts[i];
  }
}

/* Allocates an op and its arrays as one block, for locality. */
static qn_op *allocate(qn_arena *arena, const qn_op_state *state) {
  size_t operands = state->operand_count * sizeof(qn_use);
  size_t results = state->result_count * sizeof(qn_value);
  size_t attrs = state->attr_count * sizeof(qn_named_attr);
  size_t regions = state->region_count * sizeof(qn_region);
  char *at = qn_arena_alloc(arena, sizeof(qn_op) + operands + results + attrs + regions);
  qn_op *op = (qn_op *)at;
  op->operands = (qn_use *)(at += sizeof *op);
  op->results = (qn_value *)(at += operands);
  op->attrs = (qn_named_attr *)(at += results);
  op->regions = (qn_region *)(at + attrs);
  op->operand_count = state->operand_count;
  op->result_count = state->result_count;
  op->attr_capacity = state->attr_count;
  op->region_count = state->region_count;
  return op;
}

/* Creates an op. The time limit is checked here, because reading, lowering and rewriting all create
 * ops. */
qn_op *qn_op_create(qn_module *module, const qn_op_state *state) {
  qn_guard_check_time();
  qn_op *op = allocate(&module->arena, state);
  op->kind = state->kind;
  module->made[state->kind] = true;
  op->name = state->kind == QN_OP_UNREGISTERED ? qn_intern(module->cx, state->name)
                                               : qn_str_of(qn_op_infos[state->kind].name);
  op->loc = state->loc ? state->loc : module->cx->diag.unknown;
  for (uint32_t i = 0; i < state->operand_count; i++) {
    link_use(&op->operands[i], op, state->operands[i]);
  }
  for (uint32_t i = 0; i < state->result_count; i++) {
    op->results[i] = (qn_value){
        .type = state->result_types[i], .op = op, .index = i, .id = module->value_count++};
  }
  fill_attrs(module, op, state->attrs, state->attr_count);
  for (uint32_t i = 0; i < state->region_count; i++) op->regions[i].owner = op;
  if (state->successor_count) set_successors(module, op, state);
  return op;
}

void qn_op_unlink(qn_op *op) {
  if (!op->block) return;
  if (op->prev) op->prev->next = op->next;
  if (!op->prev) op->block->first = op->next;
  if (op->next) op->next->prev = op->prev;
  if (!op->next) op->block->last = op->prev;
  op->block = NULL;
  op->prev = op->next = NULL;
}

void qn_op_erase(qn_module *module, qn_op *op) {
  (void)module; /* the memory is released with the arena */
  for (uint32_t i = 0; i < op->result_count; i++) QN_ASSERT(!op->results[i].first_use);
  qn_walk_post(op, drop_operands, NULL);
  qn_op_unlink(op);
}

/* Links a detached op between two neighbours, either of which may be NULL. */
static void link_between(qn_op *op, qn_block *block, qn_op *prev, qn_op *next) {
  QN_ASSERT(!op->block);
  op->block = block;
  op->prev = prev;
  op->next = next;
  if (prev) prev->next = op;
  if (!prev) block->first = op;
  if (next) next->prev = op;
  if (!next) block->last = op;
}

void qn_op_insert_before(qn_op *op, qn_op *before) {
  link_between(op, before->block, before->prev, before);
}

void qn_op_insert_after(qn_op *op, qn_op *after) {
  link_between(op, after->block, after, after->next);
}

void qn_op_append(qn_op *op, qn_block *block) { link_between(op, block, block->last, NULL); }

/* ---- attributes ---- */

/* Grows the capacity to `count`; attributes stay. Doubling bounds the memory that one op leaves
 * unused in the arena by the size of its attributes. */
static void reserve_attrs(qn_module *module, qn_op *op, uint32_t count) {
  if (count <= op->attr_capacity) return;
  uint32_t capacity = 2 * op->attr_capacity > count ? 2 * op->attr_capacity : count;
  qn_named_attr *attrs = QN_NEW_ARRAY(&module->arena, capacity, qn_named_attr);
  if (op->attr_count) memcpy(attrs, op->attrs, op->attr_count * sizeof *attrs);
  op->attrs = attrs;
  op->attr_capacity = capacity;
}

/* Index of the first attribute whose name is not less than `name`. */
static uint32_t find_attr(const qn_op *op, qn_str name) {
  uint32_t low = 0, high = op->attr_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (qn_str_compare(op->attrs[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void qn_op_set_attr(qn_module *module, qn_op *op, const char *name, const qn_attr *value_or_null) {
  qn_str key = qn_str_of(name);
  uint32_t i = find_attr(op, key);
  bool exists = i < op->attr_count && qn_str_equal(op->attrs[i].name, key);
  if (exists && value_or_null) {
    op->attrs[i].value = value_or_null;
  } else if (exists) {
    op->attr_count--;
    memmove(&op->attrs[i], &op->attrs[i + 1], (op->attr_count - i) * sizeof *op->attrs);
  } else if (value_or_null) {
    reserve_attrs(module, op, op->attr_count + 1);
    memmove(&op->attrs[i + 1], &op->attrs[i], (op->attr_count - i) * sizeof *op->attrs);
    op->attrs[i] = (qn_named_attr){qn_intern(module->cx, key), value_or_null};
    op->attr_count++;
  }
}

void qn_op_set_attrs(qn_module *module, qn_op *op, const qn_named_attr *attrs, uint32_t count) {
  reserve_attrs(module, op, count);
  fill_attrs(module, op, attrs, count);
}

void qn_value_set_type(qn_value *value, const qn_type *type) { value->type = type; }

/* ---- symbols ---- */

qn_op *qn_module_lookup(const qn_module *module, qn_str symbol) {
  QN_FOR_EACH_OP(op, qn_op_body(module->op)) {
    if (qn_op_has(op, QN_SYMBOL) && qn_str_equal(qn_op_sym_name(op), symbol)) {
      return op;
    }
  }
  return NULL;
}

qn_op *qn_module_main(const qn_module *module) {
  qn_op *main = qn_module_lookup(module, qn_str_of("main"));
  if (main) return main->kind == QN_OP_FUNC ? main : NULL;
  qn_op *only = NULL;
  QN_FOR_EACH_OP(op, qn_op_body(module->op)) {
    bool is_public = qn_symbol_is_public(op);
    if (op->kind != QN_OP_FUNC || !is_public) continue;
    if (only) return NULL;
    only = op;
  }
  return only;
}
