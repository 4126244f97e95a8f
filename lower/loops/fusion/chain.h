/* Chains of post-ops, as all files of this folder see them. chains.c finds them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_LOWER_LOOPS_FUSION_CHAIN_H
#define QN_LOWER_LOOPS_FUSION_CHAIN_H

#include "base/map.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/ops/binary.h"
#include "lower/loops/schedule.h"

/* One op of a chain. */
typedef struct qn_fusion_link {
  const qn_op *op, *root;
  struct qn_fusion_link *next;
  uint32_t side;           /* index of the operand that is the previous value of the chain */
  const qn_binary *binary; /* parameters of add and sub */
  const qn_op *concat;     /* of the last op: whose result the kernel stores a part of, or NULL */
} qn_fusion_link;

struct qn_fusion {
  qn_map links; /* op -> qn_fusion_link */
};

static inline qn_post_op_kind qn_fusion_post_op(const qn_op *op) {
  return qn_schedule_of(op)->post_op;
}

static inline qn_fusion_link *qn_fusion_link_of(const qn_fusion *fusion, const qn_op *op) {
  return qn_map_get(&fusion->links, op);
}

/* The next elementwise post-op of a chain; NULL at a pad or at the end. */
static inline const qn_fusion_link *qn_fusion_next_link(const qn_fusion_link *l) {
  l = l ? l->next : NULL;
  return l && qn_fusion_post_op(l->op) != QN_POST_OP_PAD ? l : NULL;
}

#endif
