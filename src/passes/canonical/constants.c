/* A pool of constants for each region that can be isolated from values outside: each constant
 * exists once in it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/canonical/constants.h"

typedef struct entry {
  qn_op *op; /* NULL once erased */
  struct entry *next;
} entry;

typedef struct qn_constant_pool {
  qn_map by_attr; /* attribute -> list of entries with different kinds and types */
  qn_op *last;    /* the constant after which new ones are inserted */
  struct qn_constant_pool *next;
} pool;

void qn_constants_init(qn_constants *constants, qn_module *module) {
  *constants = (qn_constants){.module = module};
  qn_arena_init(&constants->arena);
}

static pool *pool_of(qn_constants *constants, qn_op *at, qn_block **out_entry_block) {
  const qn_region *region = at->block->region;
  while (!qn_op_may_isolate(region->owner) && region->owner->block)
    region = region->owner->block->region;
  QN_ASSERT(region->first);
  *out_entry_block = region->first;
  pool *found = qn_map_get(&constants->pools, region);
  if (found) return found;
  found = QN_NEW(&constants->arena, pool);
  found->next = constants->first;
  constants->first = found;
  qn_map_set(&constants->pools, region, found);
  return found;
}

void qn_constants_deinit(qn_constants *constants) {
  for (pool *p = constants->first; p; p = p->next) qn_map_deinit(&p->by_attr);
  qn_map_deinit(&constants->pools);
  qn_arena_deinit(&constants->arena);
}

static entry *find(const pool *p, const qn_attr *attr, qn_op_kind kind, const qn_type *type) {
  for (entry *e = qn_map_get(&p->by_attr, attr); e; e = e->next)
    if (e->op && e->op->kind == kind && e->op->results[0].type == type) return e;
  return NULL;
}

static entry *entry_of(const pool *p, const qn_op *op) {
  if (!qn_op_has(op, QN_CONSTANT)) return NULL;
  entry *e = find(p, qn_op_find(op, QN_A_VALUE), op->kind, op->results[0].type);
  return e && e->op == op ? e : NULL;
}

/* Whether only entered constants precede `op` in the body. */
static bool is_at_start(const pool *p, const qn_block *block, const qn_op *op) {
  return op->block == block && (op == block->first || entry_of(p, op->prev));
}

/* Moves the constant `op` to the start of the body. If newest_first, a constant that was made for
 * `at` is placed right before `at` if only constants precede `at`. */
static void place(const qn_constants *constants, pool *p, qn_block *block, qn_op *at, qn_op *op) {
  if (p->last && !constants->newest_first)
    qn_op_insert_after(op, p->last);
  else if (at && constants->newest_first && is_at_start(p, block, at))
    qn_op_insert_before(op, at);
  else if (block->first)
    qn_op_insert_before(op, block->first);
  else
    qn_op_append(op, block);
  p->last = op;
}

static void add(qn_constants *constants, pool *p, const qn_attr *attr, qn_op *op) {
  entry *e = QN_NEW(&constants->arena, entry);
  *e = (entry){op, qn_map_get(&p->by_attr, attr)};
  qn_map_set(&p->by_attr, attr, e);
}

static bool has_constant(const qn_type *type) {
  const qn_type *element = qn_type_element(type);
  if (type->kind == QN_TYPE_MEMREF) return false;
  if (element->kind == QN_TYPE_INTEGER) return element->integer.sign == QN_SIGNLESS;
  return element->kind == QN_TYPE_INDEX || element->kind == QN_TYPE_FLOAT;
}

qn_value *qn_constants_get(qn_constants *constants, qn_op *at, const qn_attr *attr,
                           const qn_type *type) {
  if (!has_constant(type)) return NULL;
  qn_block *block;
  pool *p = pool_of(constants, at, &block);
  entry *e = find(p, attr, QN_OP_ARITH_CONSTANT, type);
  if (e) return &e->op->results[0];
  qn_named_attr value = {qn_str_of("value"), attr};
  qn_op *op = qn_op_create(constants->module, &(qn_op_state){.kind = QN_OP_ARITH_CONSTANT,
                                                             .loc = at->loc,
                                                             .result_types = &type,
                                                             .result_count = 1,
                                                             .attrs = &value,
                                                             .attr_count = 1});
  place(constants, p, block, at, op);
  add(constants, p, attr, op);
  return &op->results[0];
}

qn_value *qn_constants_enter(qn_constants *constants, qn_op *constant) {
  QN_ASSERT(qn_op_has(constant, QN_CONSTANT) && constant->result_count == 1);
  const qn_attr *attr = qn_op_find(constant, QN_A_VALUE);
  qn_block *block;
  pool *p = pool_of(constants, constant, &block);
  entry *e = find(p, attr, constant->kind, constant->results[0].type);
  if (e) return &e->op->results[0];
  if (is_at_start(p, block, constant)) {
    p->last = constant;
  } else {
    qn_op_unlink(constant);
    place(constants, p, block, NULL, constant);
  }
  add(constants, p, attr, constant);
  return &constant->results[0];
}

void qn_constants_forget(qn_constants *constants, qn_op *constant) {
  qn_block *block;
  pool *p = pool_of(constants, constant, &block);
  entry *e = entry_of(p, constant);
  if (!e) return;
  e->op = NULL;
  if (p->last == constant) p->last = constant->prev;
}
