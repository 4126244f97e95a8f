/* Walks over all ops within an op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IR_WALK_H
#define QN_IR_WALK_H

#include "ir/op.h"

/* Callback of a walk; returns false to stop. It may erase the op (post-order only). Walks use no
 * recursion and no stack: the next op follows from parent pointers. */
typedef bool qn_walk_fn(qn_op *op, void *user);
bool qn_walk_pre(qn_op *root, qn_walk_fn *visit, void *user);
bool qn_walk_post(qn_op *root, qn_walk_fn *visit, void *user);

#define QN_FOR_EACH_OP(op, block) for (qn_op *op = (block)->first; op; op = op->next)
/* Visits the ops of a block. The body may erase or move the op. */
#define QN_FOR_EACH_OP_SAFE(op, block)                                                             \
  for (qn_op *op = (block)->first, *op##_next = op ? op->next : NULL; op;                          \
       op = op##_next, op##_next = op ? op->next : NULL)
/* Visit all ops of a function, branch or loop, in order. The ops in branches and loops (QN_CONTROL)
 * follow their op; other regions are not entered. */
qn_op *qn_nested_first(const qn_op *root);
qn_op *qn_nested_next(const qn_op *op, const qn_op *root);
#define QN_FOR_EACH_NESTED_OP(op, root)                                                            \
  for (qn_op *op = qn_nested_first(root); op; op = qn_nested_next(op, root))
/* The body may erase or move the op, unless it has regions. */
#define QN_FOR_EACH_NESTED_OP_SAFE(op, root)                                                       \
  for (qn_op *op = qn_nested_first(root), *op##_next = op ? qn_nested_next(op, root) : NULL; op;   \
       op = op##_next, op##_next = op ? qn_nested_next(op, root) : NULL)
#define QN_FOR_EACH_BLOCK(block_, region)                                                          \
  for (qn_block *block_ = (region)->first; block_; block_ = block_->next)

#endif
