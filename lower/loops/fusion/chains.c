/* Finds the chains of post-ops.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/verify/check.h"
#include "ir/walk.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/fusion/chain.h"

/* Each post-op reads at most one buffer and one table. */
enum { MAX_FOLLOWERS = QN_FUSION_BUFFERS / 2 };

typedef qn_fusion_link link;

/* Whether `v` is computed before the kernel of `root` runs; `steps`: program points of the ops. */
static bool is_ready(const qn_fusion *fusion, const int64_t *steps, const qn_value *v,
                     const qn_op *root) {
  if (!v->op || qn_op_has(v->op, QN_CONSTANT)) return true;
  const link *made_by = qn_fusion_link_of(fusion, v->op);
  const qn_op *runs_with = made_by ? made_by->root : v->op;
  return steps[runs_with->results[0].id] < steps[root->results[0].id];
}

/* Whether the kernel of `root` can store into the result of this pad: only rows and columns are
 * padded. */
static bool can_pad(const qn_op *pad, const qn_op *root) {
  if (!qn_schedule_of(root)->borders) return false;
  qn_i64s amounts = qn_op_pad(pad);
  return amounts.count == 8 && amounts.data[0] == 0 && amounts.data[1] == 0 &&
         amounts.data[6] == 0 && amounts.data[7] == 0;
}

/* Whether the op's result has 8-bit elements, which every post-op on bytes requires. */
static bool makes_bytes(const qn_op *op) {
  return qn_type_bytes(qn_type_element(op->results[0].type)) == 1;
}

/* Whether the kernel of `root` computes functions of its float results. */
static bool gives_floats(const qn_op *root) {
  const qn_schedule *schedule = qn_schedule_of(root);
  return schedule->gives_floats && schedule->gives_floats(root);
}

/* Whether the kernel of `root` stores the real values of its result faster than a kernel after it:
 * if they are many, stores to caches beyond L2 take time, which products hide. */
static bool takes_real(const qn_loops *lo, const qn_op *root, const qn_op *user) {
  enum { SHARE = 4 /* of L2, which other tensors need, too */ };
  const qn_type *real = user->results[0].type;
  bool can = qn_schedule_of(root)->dequantizes && lo->target->dequantizes &&
             qn_type_is_float(qn_type_element(real), QN_F32);
  return can && qn_type_size(real) > lo->target->l2_bytes / SHARE;
}

/* The post-op that can follow `op` in the chain of `root`; NULL if none. */
static const qn_op *find_post_op(qn_loops *lo, const qn_fusion *fusion, const int64_t *steps,
                                 const qn_op *op, const qn_op *root) {
  const qn_value *result = &op->results[0];
  if (!qn_value_has_one_use(result)) return NULL;
  const qn_op *user = result->first_use->owner;
  if (user->result_count == 0 || user->block != op->block) return NULL;
  if (qn_fusion_post_op(user) == QN_POST_OP_PAD) return can_pad(user, root) ? user : NULL;
  if (qn_fusion_post_op(user) == QN_POST_OP_FLOATS)
    return gives_floats(root) && qn_elements_is_function(user, result) ? user : NULL;
  if (!qn_schedule_of(root)->leads || !makes_bytes(op)) return NULL;
  if (qn_fusion_post_op(user) == QN_POST_OP_DEQUANTIZE)
    return takes_real(lo, root, user) ? user : NULL;
  if (!makes_bytes(user)) return NULL;
  if (qn_fusion_post_op(user) == QN_POST_OP_UNARY)
    return qn_op_operand(user, 0) == result ? user : NULL;
  if (qn_fusion_post_op(user) != QN_POST_OP_BINARY) return NULL;
  const qn_value *other = qn_op_operand(user, qn_op_operand(user, 0) == result ? 1 : 0);
  bool same = qn_same_shape(other->type, result->type) &&
              qn_same_shape(user->results[0].type, result->type);
  if (!same || !is_ready(fusion, steps, other, root)) return NULL;
  return qn_schedule_of(root)->parts && lo->target->adds_apart ? NULL : user;
}

qn_fusion_link *qn_fusion_add_link(qn_loops *lo, qn_fusion *fusion, const qn_op *op,
                                   const qn_op *root, const qn_value *from) {
  link *l = QN_NEW(lo->kept, link);
  l->op = op;
  l->root = root ? root : op;
  l->side = from && qn_op_operand(op, 0) != from ? 1 : 0;
  if (from && qn_fusion_post_op(op) == QN_POST_OP_BINARY) {
    qn_binary *binary = QN_NEW(lo->kept, qn_binary);
    *binary = qn_binary_of(lo, op);
    l->binary = binary;
  }
  qn_map_set(&fusion->links, op, l);
  return l;
}

static void find_chain(qn_loops *lo, qn_fusion *fusion, const int64_t *steps, const qn_op *root) {
  link *first = NULL, *last = NULL;
  const qn_op *op = root;
  for (uint32_t n = 0; n < MAX_FOLLOWERS; n++) {
    const qn_op *post_op = find_post_op(lo, fusion, steps, op, root);
    if (!post_op) return;
    if (!first) first = last = qn_fusion_add_link(lo, fusion, root, NULL, NULL);
    last->next = qn_fusion_add_link(lo, fusion, post_op, root, &op->results[0]);
    last = last->next;
    op = post_op;
    if (qn_fusion_ends(op)) return;
  }
}

void qn_fusion_find_chains(qn_loops *lo, qn_fusion *fusion, const qn_op *func) {
  int64_t *steps = QN_NEW_ARRAY(lo->scratch, lo->module->value_count, int64_t), step = 0;
  QN_FOR_EACH_NESTED_OP(op, func) {
    for (uint32_t i = 0; i < op->result_count; i++) steps[op->results[i].id] = step;
    step++;
  }
  QN_FOR_EACH_NESTED_OP(op, func) {
    const qn_schedule *schedule = qn_schedule_of(op);
    bool is_root = schedule->leads || schedule->borders || gives_floats(op);
    if (is_root && !qn_fusion_link_of(fusion, op)) find_chain(lo, fusion, steps, op);
  }
}
