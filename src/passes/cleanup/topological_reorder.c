/* topological-reorder: transposes and casts move down to where they are first used.
 *
 *   %0 = "ml.transpose"(%x)         %1 = "ml.relu"(%x)
 *   %1 = "ml.relu"(%x)         ->   %0 = "ml.transpose"(%x)
 *   %2 = "ml.tanh"(%0)              %2 = "ml.tanh"(%0)
 *
 * Use in a nested region is use by the op that has the region. What only the last op uses, a
 * terminator as a rule, precedes it in the order of its operands, after what nothing
 * uses and before what other blocks use.
 *
 * A block is laid out again: its other ops in their order, each after the movable ops that it
 * needs. Every op is looked at once, so time is linear.
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
  qn_map waiting;            /* movable ops of the block that stand nowhere yet */
  QN_ARRAY(qn_op *) ordered; /* where ops stand from now on */
  QN_ARRAY(qn_op *) needed;  /* a stack: put before its owner once its own operands are */
} layout;

static bool is_movable(const qn_op *op) {
  return (op->kind == QN_OP_ML_TRANSPOSE || qn_op_has(op, QN_CAST)) && qn_op_has(op, QN_PURE) &&
         op->region_count == 0;
}

static bool is_waiting(const layout *l, const qn_op *op) {
  return op && op->block == l->block && qn_map_get(&l->waiting, op);
}

/* Puts a movable op and those that it needs; chains may be long. */
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

/* What other blocks use. */
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
