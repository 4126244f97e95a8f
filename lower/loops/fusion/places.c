/* Finds results that kernels store where data movement leads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "lower/loops/fusion/chain.h"
#include "lower/loops/memory/buffers.h"

typedef qn_fusion_link link;

typedef struct finder {
  qn_loops *lo;
  qn_fusion *fusion;
  bool commits; /* else it only tries */
} finder;

/* Whether the kernel of `op` only moves elements, so that its operands may be placed in its result.
 * A limit for concatenations keeps the time linear. */
static bool moves(const qn_op *op) {
  enum { MOST_OPERANDS = 256 };
  return qn_schedule_of(op)->place && op->operand_count <= MOST_OPERANDS;
}

static bool pads(const qn_op *op) { return qn_fusion_post_op(op) == QN_POST_OP_PAD; }

static void set_place(const finder *f, link *l, const qn_placement *at) {
  qn_placement *place = QN_NEW(f->lo->kept, qn_placement);
  *place = *at;
  l->place = place;
}

/* Places the result of the chain that ends with `op`; returns its root, or NULL. */
static const qn_op *place_chain(const finder *f, const qn_op *op, const qn_placement *at) {
  link *last = qn_fusion_link_of(f->fusion, op);
  if (last && (last->next || last->place || qn_fusion_ends(op))) return NULL;
  const qn_op *root = last ? last->root : op;
  const qn_schedule *schedule = qn_schedule_of(root);
  if (!schedule->stores_at || !schedule->stores_at(f->lo, root, at)) return NULL;
  if (f->commits) {
    if (!last) last = qn_fusion_add_link(f->lo, f->fusion, root, NULL, NULL);
    set_place(f, last, at);
  }
  return root;
}

/* Places operand `i` of `op`, whose result is `at`. An op that moves elements needs a place for all
 * of its operands. Returns a root whose kernel stores there, or NULL. Recursive to a limited
 * depth. */
static const qn_op *place_operand(const finder *f, const qn_op *op, uint32_t i, qn_placement at,
                                  uint32_t depth) {
  enum { MOST_DEPTH = 8 };
  const qn_value *v = qn_op_operand(op, i);
  const qn_op *from = v->op, *root = NULL;
  if (depth == MOST_DEPTH || !from || from->block != op->block) return NULL;
  if (!qn_value_has_one_use(v) || !qn_schedule_of(op)->place(op, i, &at)) return NULL;
  if (!moves(from)) return place_chain(f, from, &at);
  if (qn_fusion_link_of(f->fusion, from) || pads(from)) return NULL;
  for (uint32_t k = 0; k < from->operand_count; k++) {
    const qn_op *one = place_operand(f, from, k, at, depth + 1);
    if (!one) return NULL;
    if (!root) root = one;
  }
  if (root && f->commits) set_place(f, qn_fusion_add_link(f->lo, f->fusion, from, root, NULL), &at);
  return root;
}

/* Whether operands may be placed in the result of `op`, or in what pads that. Views need no place,
 * and buffer assignment places contiguous parts of a concatenation (memory/views.c). */
static bool is_destination(const qn_fusion *fusion, const qn_op *op) {
  const link *l = qn_fusion_link_of(fusion, op);
  const qn_sharing sharing = qn_schedule_of(op)->sharing;
  if (l) return l->root == op && l->next && pads(l->next->op);
  if (sharing != QN_SHARES_JOINED) return sharing != QN_SHARES_WHOLE;
  return qn_tensor_extent(op->results[0].type, 0, (uint32_t)qn_op_axis(op)) > 1;
}

static void place_operands(finder *f, const qn_op *op) {
  const qn_placement at = qn_fusion_placement(f->lo, op);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    f->commits = false;
    if (!place_operand(f, op, i, at, 0)) continue;
    f->commits = true;
    place_operand(f, op, i, at, 0);
  }
}

/* The last op on a path of data movement comes first, so that paths are as long as possible. */
void qn_fusion_place_results(qn_loops *lo, qn_fusion *fusion, const qn_op *func) {
  finder f = {.lo = lo, .fusion = fusion};
  uint32_t count = 0;
  QN_FOR_EACH_NESTED_OP(op, func) count += moves(op);
  const qn_op **ops = QN_NEW_ARRAY(lo->scratch, count + 1, const qn_op *);
  count = 0;
  QN_FOR_EACH_NESTED_OP(op, func) {
    if (moves(op)) ops[count++] = op;
  }
  while (count-- > 0)
    if (is_destination(fusion, ops[count])) place_operands(&f, ops[count]);
}
