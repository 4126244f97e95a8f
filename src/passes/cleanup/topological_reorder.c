/* topological-reorder: moves transposes and casts down to right before their first use.
 *
 *   %0 = "ml.transpose"(%x)         %1 = "ml.relu"(%x)
 *   %1 = "ml.relu"(%x)         ->   %0 = "ml.transpose"(%x)
 *   %2 = "ml.tanh"(%0)              %2 = "ml.tanh"(%0)
 *
 * A use in a nested region counts as a use by the op that owns the region. Movable ops that only
 * the last op of the block uses, usually a terminator, are placed right before it, in the order of
 * its operands: after movable ops without uses and before those that only other blocks use.
 *
 * The block is rebuilt: its other ops keep their order, each preceded by the movable ops that it
 * needs. Every op is visited once, so the time is linear.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "base/map.h"
#include "ir/walk.h"
#include "pass/pass.h"

typedef struct layout {
  qn_pass_context *pc;
  qn_block *block;
  qn_map waiting;            /* movable ops of the block without a new position yet */
  QN_ARRAY(qn_op *) ordered; /* the new order of the block */
  QN_ARRAY(qn_op *) needed;  /* stack: an op is appended to `ordered` after its own operands */
} layout;

static bool is_movable(const qn_op *op) {
  return (op->kind == QN_OP_ML_TRANSPOSE || qn_op_has(op, QN_CAST)) && qn_op_has(op, QN_PURE) &&
         op->region_count == 0;
}

static bool is_waiting(const layout *l, const qn_op *op) {
  return op && op->block == l->block && qn_map_get(&l->waiting, op);
}

/* Appends a movable op after the movable ops that it needs. Uses an explicit stack, because chains
 * can be long. */
static void put_with_producers(layout *l, qn_op *op) {
  qn_array_push(&l->needed, op);
  while (l->needed.count > 0) {
    qn_op *top = l->needed.data[l->needed.count - 1];
    qn_op *first = NULL;
    for (uint32_t i = 0; i < top->operand_count && !first; i++)
      if (is_waiting(l, qn_op_operand(top, i)->op)) first = qn_op_operand(top, i)->op;
    if (first) {
      qn_array_push(&l->needed, first);
      continue;
    }
    l->needed.count--;
    if (!is_waiting(l, top)) continue;
    qn_map_set(&l->waiting, top, NULL);
    qn_array_push(&l->ordered, top);
  }
}

static bool put_operands(qn_op *op, void *user) {
  layout *l = user;
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (is_waiting(l, qn_op_operand(op, i)->op)) put_with_producers(l, qn_op_operand(op, i)->op);
  return true;
}

static void put_unused(layout *l) {
  QN_FOR_EACH_OP(op, l->block)
  if (is_waiting(l, op) && qn_op_is_dead(op)) put_with_producers(l, op);
}

/* Appends the remaining movable ops, which only other blocks use. */
static void put_rest(layout *l) {
  QN_FOR_EACH_OP(op, l->block)
  if (is_waiting(l, op)) put_with_producers(l, op);
}

static void apply(layout *l) {
  size_t at = 0;
  bool same = true;
  QN_FOR_EACH_OP(op, l->block) {
    QN_ASSERT(at < l->ordered.count);
    same &= l->ordered.data[at++] == op;
  }
  QN_ASSERT(at == l->ordered.count); /* each op of the block stands somewhere, once */
  if (same) return;
  for (size_t i = 0; i < l->ordered.count; i++) {
    qn_op_unlink(l->ordered.data[i]);
    qn_op_append(l->ordered.data[i], l->block);
  }
  l->pc->changed = true;
}

static void reorder(layout *l, qn_block *block) {
  l->block = block;
  l->ordered.count = 0;
  QN_FOR_EACH_OP(op, block)
  if (is_movable(op)) qn_map_set(&l->waiting, op, op);
  QN_FOR_EACH_OP(op, block) {
    if (is_movable(op)) continue;
    if (op == block->last) put_unused(l);
    qn_walk_pre(op, put_operands, l);
    if (op == block->last) put_rest(l);
    qn_array_push(&l->ordered, op);
  }
  put_rest(l);
  apply(l);
}

static bool visit(qn_op *owner, void *user) {
  if (qn_op_has_free_order(owner)) return true;
  for (uint32_t r = 0; r < owner->region_count; r++)
    QN_FOR_EACH_BLOCK(block, &owner->regions[r]) reorder(user, block);
  return true;
}

static qn_status run(qn_pass_context *pc) {
  layout l = {.pc = pc};
  qn_walk_post(pc->root, visit, &l);
  qn_map_deinit(&l.waiting);
  qn_array_free(&l.ordered);
  qn_array_free(&l.needed);
  return QN_OK;
}

const qn_pass qn_pass_topological_reorder = {
    .name = "topological-reorder",
    .summary = "move transposes and casts down to their first use",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
