/* Finds the chains of post-ops and emits them in the root's kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/fusion.h"

#include "base/map.h"
#include "ir/verify/check.h"
#include "ir/walk.h"
#include "lower/loops/elements/elements.h"
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/ops/binary.h"
#include "lower/loops/ops/dequantize.h"
#include "lower/loops/ops/lut.h"
#include "lower/loops/schedule.h"
#include "lower/loops/vec.h"

/* Each post-op reads at most one buffer and one table. */
enum { MAX_FOLLOWERS = QN_FUSION_BUFFERS / 2 };

/* One op of a chain. */
typedef struct link {
  const qn_op *op, *root;
  struct link *next;
  uint32_t side;           /* index of the operand that is the previous value of the chain */
  const qn_binary *binary; /* parameters of add and sub */
  const qn_op *concat;     /* of the last op: whose result the kernel stores a part of, or NULL */
} link;

struct qn_fusion {
  qn_map links; /* op -> link */
};

static qn_post_op_kind post_op_of(const qn_op *op) { return qn_schedule_of(op)->post_op; }

static link *link_of(const qn_fusion *fusion, const qn_op *op) {
  return qn_map_get(&fusion->links, op);
}

/* Whether `v` is computed before the kernel of `root` runs; `steps`: program points of the ops. */
static bool is_ready(const qn_fusion *fusion, const int64_t *steps, const qn_value *v,
                     const qn_op *root) {
  if (!v->op || qn_op_has(v->op, QN_CONSTANT)) return true;
  const link *made_by = link_of(fusion, v->op);
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
  if (post_op_of(user) == QN_POST_OP_PAD) return can_pad(user, root) ? user : NULL;
  if (post_op_of(user) == QN_POST_OP_FLOATS)
    return gives_floats(root) && qn_elements_is_function(user, result) ? user : NULL;
  if (!qn_schedule_of(root)->leads || !makes_bytes(op)) return NULL;
  if (post_op_of(user) == QN_POST_OP_DEQUANTIZE) return takes_real(lo, root, user) ? user : NULL;
  if (!makes_bytes(user)) return NULL;
  if (post_op_of(user) == QN_POST_OP_UNARY) return qn_op_operand(user, 0) == result ? user : NULL;
  if (post_op_of(user) != QN_POST_OP_BINARY) return NULL;
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
  if (from && post_op_of(op) == QN_POST_OP_BINARY) {
    qn_binary *binary = QN_NEW(lo->kept, qn_binary);
    *binary = qn_binary_of(lo, op);
    l->binary = binary;
  }
  qn_map_set(&fusion->links, op, l);
  return l;
}

static bool ends(const qn_op *post_op) {
  return post_op_of(post_op) == QN_POST_OP_PAD || post_op_of(post_op) == QN_POST_OP_DEQUANTIZE;
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
      qn_value_has_one_use(whole) && post_op_of(whole->first_use->owner) == QN_POST_OP_PAD;
  return by_rows && !padded ? concat : NULL;
}

static void join(qn_loops *lo, qn_fusion *fusion, const qn_op *root) {
  link *last = link_of(fusion, root);
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
    if (!is_root || link_of(fusion, op)) continue;
    find_chain(lo, fusion, steps, op);
    join(lo, fusion, op);
  }
  return fusion;
}

void qn_fusion_destroy(qn_fusion *fusion) {
  if (fusion) qn_map_deinit(&fusion->links);
}

const qn_op *qn_fusion_root(const qn_loops *lo, const qn_op *op) {
  const link *l = link_of(lo->fusion, op);
  return l && l->root != op ? l->root : qn_producer_consumer(lo, op);
}

bool qn_fusion_is_consumed(const qn_loops *lo, const qn_op *op) {
  const link *l = link_of(lo->fusion, op);
  return (l && (l->next || l->concat)) || qn_producer_consumer(lo, op);
}

/* The last link of the chain of `root`; NULL if it has none. */
static const link *last_link(const qn_loops *lo, const qn_op *root) {
  const link *l = link_of(lo->fusion, root);
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
  const link *l = from ? link_of(lo->fusion, from) : NULL;
  return l && l->concat == op ? l->root : NULL;
}

const qn_op *qn_fusion_pad(const qn_loops *lo, const qn_op *root) {
  const qn_op *last = qn_fusion_result(lo, root)->op;
  return last != root && post_op_of(last) == QN_POST_OP_PAD ? last : NULL;
}

/* The next elementwise post-op of a chain; NULL at a pad or at the end. */
static const link *next_elementwise(const link *l) {
  l = l ? l->next : NULL;
  return l && post_op_of(l->op) != QN_POST_OP_PAD ? l : NULL;
}

const qn_op *qn_fusion_next(const qn_loops *lo, const qn_op *op) {
  const link *l = next_elementwise(link_of(lo->fusion, op));
  return l ? l->op : NULL;
}

bool qn_fusion_is_unary(const qn_loops *lo, const qn_op *root) {
  const link *l = link_of(lo->fusion, root);
  while ((l = next_elementwise(l)))
    if (post_op_of(l->op) == QN_POST_OP_BINARY) return false;
  return true;
}

uint32_t qn_fusion_buffers(qn_loops *lo, const qn_op *root, qn_value **out_buffers) {
  const link *l = link_of(lo->fusion, root);
  uint32_t count = 0;
  while ((l = next_elementwise(l))) {
    bool reads = post_op_of(l->op) == QN_POST_OP_UNARY || post_op_of(l->op) == QN_POST_OP_BINARY;
    if (!reads) continue; /* a function of floats, or real values */
    qn_value *table = l->binary ? qn_binary_table(lo, l->binary) : qn_lut_table(lo, l->op);
    if (l->binary) out_buffers[count++] = qn_loops_buffer(lo, qn_op_operand(l->op, 1 - l->side));
    if (table) out_buffers[count++] = table;
  }
  return count;
}

qn_value *qn_fusion_emit(qn_kernel *k, const qn_op *op, uint32_t first_arg, qn_value *bytes,
                         qn_value *element) {
  const link *l = link_of(k->lo->fusion, op);
  qn_builder *b = &k->b;
  k->has_post_ops = true;
  while ((l = next_elementwise(l))) {
    if (post_op_of(l->op) == QN_POST_OP_DEQUANTIZE) {
      bytes = qn_dequantize_emit(k->lo, b, l->op, bytes); /* the last one */
      continue;
    }
    if (!l->binary) {
      qn_value *of_lut = qn_lut_has_table(l->op) ? k->args[first_arg++] : NULL;
      bytes = qn_lut_emit(b, l->op, of_lut, bytes);
      continue;
    }
    QN_ASSERT(first_arg < k->given);
    qn_value *buffer = k->args[first_arg++];
    qn_value *other = qn_vec_load(b, buffer, element, 0, qn_vec_count(bytes));
    qn_value *table = qn_binary_has_table(l->binary) ? k->args[first_arg++] : NULL;
    bytes = l->side == 0 ? qn_binary_emit(b, l->binary, table, bytes, other)
                         : qn_binary_emit(b, l->binary, table, other, bytes);
  }
  QN_ASSERT(first_arg == k->given); /* the buffers of post-ops come last */
  return bytes;
}

/* Whether two vectors at once are faster. */
static bool overlaps(const link *root) {
  for (const link *l = root; (l = next_elementwise(l));)
    if (qn_elements_at_once(l->op) > 1) return true;
  return false;
}

static qn_value *emit_floats(qn_kernel *k, const link *root, qn_value *lanes) {
  const link *l = root, *next;
  for (; (next = next_elementwise(l)); l = next)
    lanes = qn_elements_function(k, next->op, &l->op->results[0], lanes);
  return lanes;
}

void qn_fusion_emit_floats(qn_kernel *k, const qn_op *op, qn_value **vectors, uint32_t count) {
  const link *root = link_of(k->lo->fusion, op);
  if (!next_elementwise(root)) return;
  const bool pairs = overlaps(root);
  for (uint32_t v = 0; v < count; v++) {
    const int64_t lanes = qn_vec_count(vectors[v]);
    if (!pairs || v + 1 == count || qn_vec_count(vectors[v + 1]) != lanes) {
      vectors[v] = emit_floats(k, root, vectors[v]);
      continue;
    }
    qn_value *both = emit_floats(k, root, qn_vec_join(&k->b, vectors[v], vectors[v + 1]));
    vectors[v] = qn_vec_slice(&k->b, both, 0, lanes);
    vectors[++v] = qn_vec_slice(&k->b, both, lanes, lanes);
  }
}

qn_fusion_float_add qn_fusion_float_add_of(const qn_loops *lo, const qn_op *root) {
  const link *l = next_elementwise(link_of(lo->fusion, root));
  if (!l || !l->binary || !l->binary->sum_form.proved) return (qn_fusion_float_add){.op = NULL};
  const qn_binary *n = l->binary;
  return (qn_fusion_float_add){.op = l->op,
                               .binary = n,
                               .is_second = l->side == 1,
                               .other_unsigned = l->side == 1 ? n->a_unsigned : n->b_unsigned,
                               .is_unsigned = n->is_unsigned,
                               .min = n->min,
                               .max = n->max};
}

qn_value *qn_fusion_add(qn_builder *b, const qn_fusion_float_add *sum, qn_value *x,
                        qn_value *other) {
  QN_ASSERT(sum->op && x->type == other->type);
  return sum->is_second ? qn_binary_sum_floats(b, sum->binary, other, x)
                        : qn_binary_sum_floats(b, sum->binary, x, other);
}
