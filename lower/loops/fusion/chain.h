/* Chains of post-ops, as all files of this folder see them.
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
  /* Where the kernel stores the result, if `op` ends a chain or moves the result of one; NULL: in
   * the tensor of `op`. */
  const qn_placement *place;
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

/* Whether no other post-op may follow. */
static inline bool qn_fusion_ends(const qn_op *post_op) {
  const qn_post_op_kind kind = qn_fusion_post_op(post_op);
  return kind == QN_POST_OP_PAD || kind == QN_POST_OP_DEQUANTIZE;
}

/* The next elementwise post-op of a chain; NULL at a pad or at the end. */
static inline const qn_fusion_link *qn_fusion_next_link(const qn_fusion_link *l) {
  l = l ? l->next : NULL;
  return l && qn_fusion_post_op(l->op) != QN_POST_OP_PAD ? l : NULL;
}

/* Finds the chains (chains.c). */
void qn_fusion_find_chains(qn_loops *lo, qn_fusion *fusion, const qn_op *func);
/* Adds `op` to the chain of `root`; NULL: it is the root. `from`: the value of the chain that it
 * reads, or NULL. */
qn_fusion_link *qn_fusion_add_link(qn_loops *lo, qn_fusion *fusion, const qn_op *op,
                                   const qn_op *root, const qn_value *from);
/* Places results where data movement leads (places.c), once the chains exist. */
void qn_fusion_place_results(qn_loops *lo, qn_fusion *fusion, const qn_op *func);

#endif
