/* Walks ops without recursion or a stack: ops, blocks and regions have parent pointers, so the next
 * op of either order follows from the current one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"

static qn_op *first_op_from_block(qn_block *block) {
  while (block && !block->first) block = block->next;
  return block ? block->first : NULL;
}

/* The first op in the regions of `op` from index `region` on; NULL if none. */
static qn_op *first_op_from_region(const qn_op *op, uint32_t region) {
  for (; region < op->region_count; region++) {
    qn_op *first = first_op_from_block(op->regions[region].first);
    if (first) return first;
  }
  return NULL;
}

/* The next op with the same parent, in this or a later block or region; NULL if none. */
static qn_op *next_below_parent(const qn_op *op) {
  if (op->next) return op->next;
  const qn_region *region = op->block->region;
  qn_op *next = first_op_from_block(op->block->next);
  return next
             ? next
             : first_op_from_region(region->owner, (uint32_t)(region - region->owner->regions) + 1);
}

static qn_op *next_pre(const qn_op *op, const qn_op *root) {
  qn_op *inner = first_op_from_region(op, 0);
  if (inner) return inner;
  for (; op != root; op = qn_op_parent(op)) {
    qn_op *next = next_below_parent(op);
    if (next) return next;
  }
  return NULL;
}

bool qn_walk_pre(qn_op *root, qn_walk_fn *visit, void *user) {
  for (qn_op *op = root; op; op = next_pre(op, root)) {
    if (!visit(op, user)) return false;
  }
  return true;
}

qn_op *qn_nested_first(const qn_op *root) { return first_op_from_region(root, 0); }

qn_op *qn_nested_next(const qn_op *op, const qn_op *root) {
  qn_op *inner = qn_op_has(op, QN_CONTROL) ? first_op_from_region(op, 0) : NULL;
  if (inner) return inner;
  for (; op != root; op = qn_op_parent(op)) {
    qn_op *next = next_below_parent(op);
    if (next) return next;
  }
  return NULL;
}

/* The op that comes first in post-order among `op` and everything in it. */
static qn_op *innermost_first(qn_op *op) {
  for (qn_op *inner = op; inner; inner = first_op_from_region(op, 0)) op = inner;
  return op;
}

static qn_op *next_post(const qn_op *op, const qn_op *root) {
  if (op == root) return NULL;
  qn_op *next = next_below_parent(op);
  return next ? innermost_first(next) : qn_op_parent(op);
}

bool qn_walk_post(qn_op *root, qn_walk_fn *visit, void *user) {
  qn_op *next = NULL;
  for (qn_op *op = innermost_first(root); op; op = next) {
    next = next_post(op, root); /* before the visit, which may erase the op */
    if (!visit(op, user)) return false;
  }
  return true;
}
