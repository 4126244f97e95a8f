/* cse: replaces a pure op by an equal op that dominates it, and removes pure ops without uses.
 *
 *   %0 = arith.addi %a, %b         ->   %0 = arith.addi %a, %b
 *   %1 = arith.addi %a, %b              (uses of %1 become %0)
 *
 * In a region with several blocks, ops of the first block are available in the others. Ops of
 * enclosing blocks are available in nested regions, unless the owner of the region may be isolated
 * from above. As upstream does, ops that only dead ops use are left to canonicalize.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "base/hash.h"
#include "base/map.h"
#include "ir/walk.h"
#include "pass/explain.h"

typedef struct known {
  qn_op *op;
  uint64_t hash;
  size_t position; /* position in `scope` */
  /* op with the same hash that was entered before and is hidden by this one */
  struct known *shadowed;
} known;

typedef struct cse {
  qn_pass_context *pc;
  qn_map by_hash;          /* hash -> known */
  QN_ARRAY(known *) scope; /* entries in order, so that the end of a block can remove them */
  size_t barrier;          /* entries before this index are outside of an isolated op */
  QN_ARRAY(qn_op *) dead;
} cse;

/* A hash as map key; never NULL, because NULL is not a valid key. */
static const void *key(uint64_t hash) { return (const void *)(uintptr_t)(hash | 1); }

/* Whether an attribute is compared. The indices of the model's tensors distinguish ops only with
 * keep_tensors. */
static bool counts(const cse *c, const qn_named_attr *attr) {
  return c->pc->keep_tensors || !qn_str_is(attr->name, qn_attr_decls[QN_A_TENSORS].name);
}

static uint64_t hash_of(const cse *c, const qn_op *op) {
  uint64_t hash = (uint64_t)op->kind;
  for (uint32_t i = 0; i < op->operand_count; i++)
    hash = qn_hash_mix(hash, qn_op_operand(op, i)->id);
  for (uint32_t i = 0; i < op->attr_count; i++)
    if (counts(c, &op->attrs[i])) hash = qn_hash_mix(hash, qn_attr_hash(op->attrs[i].value));
  for (uint32_t i = 0; i < op->result_count; i++)
    hash = qn_hash_mix(hash, (uint64_t)(uintptr_t)op->results[i].type);
  return hash;
}

/* Compares attributes, which are sorted by name. */
static bool equal_attrs(const cse *c, const qn_op *a, const qn_op *b) {
  uint32_t i = 0, k = 0;
  for (;; i++, k++) {
    while (i < a->attr_count && !counts(c, &a->attrs[i])) i++;
    while (k < b->attr_count && !counts(c, &b->attrs[k])) k++;
    if (i == a->attr_count || k == b->attr_count) return i == a->attr_count && k == b->attr_count;
    if (!qn_str_equal(a->attrs[i].name, b->attrs[k].name) ||
        !qn_attr_equal(a->attrs[i].value, b->attrs[k].value))
      return false;
  }
}

static bool equal(const cse *c, const qn_op *a, const qn_op *b) {
  if (a->kind != b->kind || a->operand_count != b->operand_count ||
      a->result_count != b->result_count)
    return false;
  for (uint32_t i = 0; i < a->operand_count; i++)
    if (qn_op_operand(a, i) != qn_op_operand(b, i)) return false;
  for (uint32_t i = 0; i < a->result_count; i++)
    if (a->results[i].type != b->results[i].type) return false;
  return equal_attrs(c, a, b);
}

static void replace(cse *c, qn_op *op, qn_op *by) {
  QN_ASSERT(op != by && op->result_count == by->result_count);
  const char *tensors = qn_attr_decls[QN_A_TENSORS].name;
  if (!qn_op_find(by, QN_A_TENSORS))
    qn_op_set_attr(c->pc->module, by, tensors, qn_op_find(op, QN_A_TENSORS));
  if (qn_explains(c->pc, op))
    qn_explain(c->pc, op->loc, "'%.*s' gives way to an equal one before it", QN_STR_ARG(op->name));
  for (uint32_t i = 0; i < op->result_count; i++)
    qn_value_replace_all_uses(&op->results[i], &by->results[i]);
  qn_op_erase(c->pc->module, op);
  c->pc->changed = true;
}

/* Enters the op. Returns false if an equal op was found, which has replaced it. */
static bool enter(cse *c, qn_op *op) {
  uint64_t hash = hash_of(c, op);
  known *first = qn_map_get(&c->by_hash, key(hash));
  for (known *k = first; k && k->position >= c->barrier; k = k->shadowed) {
    if (!equal(c, k->op, op)) continue;
    replace(c, op, k->op);
    return false;
  }
  known *entry = QN_NEW(c->pc->scratch, known);
  *entry = (known){op, hash, c->scope.count, first};
  qn_map_set(&c->by_hash, key(hash), entry);
  qn_array_push(&c->scope, entry);
  return true;
}

static void leave(cse *c, size_t depth) {
  QN_ASSERT(depth <= c->scope.count);
  while (c->scope.count > depth) {
    known *entry = c->scope.data[--c->scope.count];
    qn_map_set(&c->by_hash, key(entry->hash), entry->shadowed);
  }
}

/* An entry of an explicit stack of blocks: recursion could overflow, because the input determines
 * the nesting. */
typedef struct frame {
  qn_op *next;      /* op to continue with */
  qn_block *others; /* remaining blocks of the region, if this is its first block */
  size_t depth;     /* size of `scope` when the block was entered */
  size_t barrier;
} frame;

typedef QN_ARRAY(frame) frames;

static void open_regions(cse *c, frames *stack, const qn_op *op) {
  size_t barrier = qn_op_may_isolate(op) ? c->scope.count : c->barrier;
  for (uint32_t r = 0; r < op->region_count; r++) {
    qn_block *first = op->regions[r].first;
    if (!first) continue;
    frame f = {first->first, first->next, c->scope.count, barrier};
    qn_array_push(stack, f);
  }
}

/* Ends a block. If it is the first of its region, the other blocks are visited before its ops leave
 * the scope, because it dominates them. */
static void end_block(cse *c, frames *stack) {
  frame *top = &stack->data[stack->count - 1];
  qn_block *block = top->others;
  size_t barrier = top->barrier;
  if (!block) {
    leave(c, top->depth);
    stack->count--;
    return;
  }
  top->others = NULL;
  for (; block; block = block->next) {
    frame f = {block->first, NULL, c->scope.count, barrier};
    qn_array_push(stack, f);
  }
}

static void erase_dead(cse *c) {
  for (size_t i = 0; i < c->dead.count; i++) {
    const qn_op *op = c->dead.data[i];
    if (qn_explains(c->pc, op))
      qn_explain(c->pc, op->loc, "'%.*s' goes: nothing uses it", QN_STR_ARG(op->name));
    qn_op_erase(c->pc->module, c->dead.data[i]);
  }
  c->pc->changed |= c->dead.count > 0;
  qn_array_free(&c->dead);
}

static qn_status run(qn_pass_context *pc) {
  cse c = {.pc = pc};
  frames stack = {0};
  open_regions(&c, &stack, pc->root);
  while (stack.count > 0) {
    frame *top = &stack.data[stack.count - 1];
    qn_op *op = top->next;
    c.barrier = top->barrier;
    if (!op) {
      end_block(&c, &stack);
      continue;
    }
    top->next = op->next;
    if (qn_op_is_dead(op) && !qn_pass_keeps(pc, op)) {
      qn_array_push(&c.dead, op);
      continue;
    }
    bool candidate = qn_op_has(op, QN_PURE) && !qn_op_has(op, QN_TERMINATOR) &&
                     op->region_count == 0 && op->result_count > 0;
    if (candidate && !enter(&c, op)) continue;
    if (op->region_count > 0) open_regions(&c, &stack, op);
  }
  erase_dead(&c);
  qn_array_free(&stack);
  qn_array_free(&c.scope);
  qn_map_deinit(&c.by_hash);
  return QN_OK;
}

const qn_pass qn_pass_cse = {
    .name = "cse",
    .title = "CSE",
    .summary = "replace pure ops by equal ones that come before, remove unused ones",
    .anchor = QN_ON_ANY,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
