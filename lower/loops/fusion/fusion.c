/* What other files ask about chains.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/chain.h"

typedef qn_fusion_link link;

const qn_op *qn_fusion_root(const qn_loops *lo, const qn_op *op) {
  const link *l = qn_fusion_link_of(lo->fusion, op);
  return l && l->root != op ? l->root : qn_producer_consumer(lo, op);
}

bool qn_fusion_is_consumed(const qn_loops *lo, const qn_op *op) {
  const link *l = qn_fusion_link_of(lo->fusion, op);
  return (l && (l->next || l->place)) || qn_producer_consumer(lo, op);
}

/* The last link of the chain of `root`; NULL if it has none. */
static const link *last_link(const qn_loops *lo, const qn_op *root) {
  const link *l = qn_fusion_link_of(lo->fusion, root);
  while (l && l->next) l = l->next;
  return l;
}

const qn_value *qn_fusion_result(const qn_loops *lo, const qn_op *root) {
  const link *last = last_link(lo, root);
  if (!last) return &root->results[0];
  return last->place ? last->place->in : &last->op->results[0];
}

const qn_op *qn_fusion_pad(const qn_loops *lo, const qn_op *root) {
  const link *last = last_link(lo, root);
  bool padded = last && last->op != root && qn_fusion_post_op(last->op) == QN_POST_OP_PAD;
  return padded ? last->op : NULL;
}

qn_placement qn_fusion_placement(const qn_loops *lo, const qn_op *root) {
  const link *last = last_link(lo, root);
  if (last && last->place) return *last->place;
  qn_placement at = qn_placement_whole(qn_fusion_result(lo, root));
  const qn_op *pad = qn_fusion_pad(lo, root);
  const bool found = !pad || qn_schedule_of(pad)->place(pad, 0, &at);
  QN_ASSERT(found);
  return at;
}

bool qn_fusion_is_dense(const qn_loops *lo, const qn_op *root) {
  const link *last = last_link(lo, root);
  return !last || (!last->place && !qn_fusion_pad(lo, root));
}

bool qn_fusion_is_placed(const qn_loops *lo, const qn_op *op, uint32_t i) {
  const qn_op *from = qn_op_operand(op, i)->op;
  const link *l = from ? qn_fusion_link_of(lo->fusion, from) : NULL;
  return l && l->place;
}

const qn_op *qn_fusion_next(const qn_loops *lo, const qn_op *op) {
  const link *l = qn_fusion_next_link(qn_fusion_link_of(lo->fusion, op));
  return l ? l->op : NULL;
}

bool qn_fusion_is_unary(const qn_loops *lo, const qn_op *root) {
  const link *l = qn_fusion_link_of(lo->fusion, root);
  while ((l = qn_fusion_next_link(l)))
    if (qn_fusion_post_op(l->op) == QN_POST_OP_BINARY) return false;
  return true;
}
