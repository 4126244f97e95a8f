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

static link *add_link(qn_loops *lo, qn_fusion *fusion, const qn_op *op, link *root,
                      const qn_value *from) {
  link *l = QN_NEW(lo->kept, link);
  l->op = op;
  l->root = root ? root->op : op;
  l->side = from && qn_op_operand(op, 0) != from ? 1 : 0;
  if (from && qn_fusion_post_op(op) == QN_POST_OP_BINARY) {
    qn_binary *binary = QN_NEW(lo->kept, qn_binary);
    *binary = qn_binary_of(lo, op);
    l->binary = binary;
  }
  qn_map_set(&fusion->links, op, l);
  return l;
}

static bool ends(const qn_op *post_op) {
  return qn_fusion_post_op(post_op) == QN_POST_OP_PAD ||
         qn_fusion_post_op(post_op) == QN_POST_OP_DEQUANTIZE;
}

static void find_chain(qn_loops *lo, qn_fusion *fusion, const int64_t *steps, const qn_op *root) {
  link *first = NULL, *last = NULL;
  const qn_op *op = root;
  for (uint32_t n = 0; n < MAX_FOLLOWERS; n++) {
    const qn_op *post_op = find_post_op(lo, fusion, steps, op, root);
    if (!post_op) return;
    if (!first) first = last = add_link(lo, fusion, root, NULL, NULL);
    last->next = add_link(lo, fusion, post_op, first, &op->results[0]);
    last = last->next;
    op = post_op;
    if (ends(op)) return;
  }
}

/* The concatenation of channels to which the kernel of `root` can store the result of `last`, the
 * end of its chain; NULL if there is none. If all parts are contiguous, buffer assignment places
 * them (memory/views.c). */
static const qn_op *find_concat(const qn_op *root, const qn_op *last) {
  const qn_value *part = &last->results[0];
  if (!qn_schedule_of(root)->joins || ends(last) || !qn_value_has_one_use(part)) return NULL;
  const qn_op *concat = part->first_use->owner;
  bool joins = qn_schedule_of(concat)->sharing == QN_SHARES_JOINED;
  if (!joins || concat->block != last->block) return NULL;
  const qn_value *whole = &concat->results[0];
  int64_t axis = whole->type->shaped.rank - 1, row = whole->type->shaped.dims[axis];
  bool by_rows = qn_op_axis(concat) == axis && qn_type_elements(whole->type) > row;
  bool padded =
      qn_value_has_one_use(whole) && qn_fusion_post_op(whole->first_use->owner) == QN_POST_OP_PAD;
  return by_rows && !padded ? concat : NULL;
}

static void join(qn_loops *lo, qn_fusion *fusion, const qn_op *root) {
  link *last = qn_fusion_link_of(fusion, root);
  while (last && last->next) last = last->next;
  const qn_op *concat = find_concat(root, last ? last->op : root);
  if (!concat) return;
  if (!last) last = add_link(lo, fusion, root, NULL, NULL);
  last->concat = concat;
}

qn_fusion *qn_fusion_find(qn_loops *lo, const qn_op *func) {
  qn_fusion *fusion = QN_NEW(lo->kept, qn_fusion);
  if (lo->keep_tensors) return fusion;
  int64_t *steps = QN_NEW_ARRAY(lo->scratch, lo->module->value_count, int64_t), step = 0;
  QN_FOR_EACH_NESTED_OP(op, func) {
    for (uint32_t i = 0; i < op->result_count; i++) steps[op->results[i].id] = step;
    step++;
  }
  QN_FOR_EACH_NESTED_OP(op, func) {
    const qn_schedule *schedule = qn_schedule_of(op);
    bool is_root = schedule->leads || schedule->borders || gives_floats(op);
    if (!is_root || qn_fusion_link_of(fusion, op)) continue;
    find_chain(lo, fusion, steps, op);
    join(lo, fusion, op);
  }
  return fusion;
}
