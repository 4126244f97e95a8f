/* What other files ask about chains.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/chain.h"

typedef qn_fusion_link link;

void qn_fusion_destroy(qn_fusion *fusion) {
  if (fusion) qn_map_deinit(&fusion->links);
}

const qn_op *qn_fusion_root(const qn_loops *lo, const qn_op *op) {
  const link *l = qn_fusion_link_of(lo->fusion, op);
  return l && l->root != op ? l->root : qn_producer_consumer(lo, op);
}

bool qn_fusion_is_consumed(const qn_loops *lo, const qn_op *op) {
  const link *l = qn_fusion_link_of(lo->fusion, op);
  return (l && (l->next || l->concat)) || qn_producer_consumer(lo, op);
}

/* The last link of the chain of `root`; NULL if it has none. */
static const link *last_link(const qn_loops *lo, const qn_op *root) {
  const link *l = qn_fusion_link_of(lo->fusion, root);
  while (l && l->next) l = l->next;
  return l;
}

const qn_value *qn_fusion_result(const qn_loops *lo, const qn_op *root) {
  const link *last = last_link(lo, root);
  return &(!last ? root : last->concat ? last->concat : last->op)->results[0];
}

const qn_op *qn_fusion_concat(const qn_loops *lo, const qn_op *root, int64_t *out_first) {
  const link *last = last_link(lo, root);
  *out_first = 0;
  if (!last || !last->concat) return NULL;
  for (uint32_t i = 0; qn_op_operand(last->concat, i) != &last->op->results[0]; i++) {
    const qn_type *before = qn_op_operand(last->concat, i)->type;
    *out_first += before->shaped.dims[before->shaped.rank - 1];
  }
  return last->concat;
}

const qn_op *qn_fusion_part(const qn_loops *lo, const qn_op *op, uint32_t i) {
  const qn_op *from = qn_op_operand(op, i)->op;
  const link *l = from ? qn_fusion_link_of(lo->fusion, from) : NULL;
  return l && l->concat == op ? l->root : NULL;
}

const qn_op *qn_fusion_pad(const qn_loops *lo, const qn_op *root) {
  const qn_op *last = qn_fusion_result(lo, root)->op;
  return last != root && qn_fusion_post_op(last) == QN_POST_OP_PAD ? last : NULL;
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
