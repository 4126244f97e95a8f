/* reduce-transposes: moves transposes down through ops that can be computed without them, to
 * transposes that cancel them, and removes both.
 *
 *   %0 = "ml.transpose"(%x) {perm = array<i64: 0, 2, 3, 1>}
 *   %1 = "ml.relu"(%0)
 *   %2 = "ml.transpose"(%1) {perm = array<i64: 0, 3, 1, 2>}     ->   %2 = "ml.relu"(%x)
 *
 * Transposes whose values are operands of the same op form a group: either all of it moves, or
 * nothing. A group moves if that decreases the number of transposes: if another op, a nested block
 * or a terminator reads a value of the group, one transpose of this value is inserted for all its
 * readers. permute.h lists the ops through which transposes move, which include casts and other
 * elementwise ops. Each block is processed by itself. A transpose that remains is not moved further
 * down, so that a second run changes nothing. Transposes that compose to another one are left to
 * merge-consecutive-transposes. A reduction that keeps its dimensions lets transposes pass if it
 * then sums the same terms in the same order. With reorder-sums=true, other such reductions do too,
 * and a mean of floats that drops dimensions reads the value before the transpose if the remaining
 * dimensions keep their order. This file is longer than those of other passes, because it decides
 * on groups instead of single matches.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact, except for such sums with reorder-sums=true.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "ir/walk.h"
#include "pass/explain.h"
#include "passes/repeat/permute.h"

/* Transposes that move together or not at all (union-find), and the numbers of transposes that
 * moving removes and creates. */
typedef struct group {
  struct group *up; /* the group into which this one was merged; itself if none */
  int64_t removed, made;
} group;

/* A value that depends on a transpose `perm` of the group, and may be replaced by the value before
 * it. */
typedef struct lazy {
  qn_value *value;
  group *group;
  qn_i64s perm;
} lazy;

typedef enum role { ORIGIN = 1, MOVED, CANCELS } role;

typedef struct reduction {
  qn_pass_context *pc;
  bool reorders_sums;
  qn_map permuted;        /* value -> lazy */
  qn_map roles;           /* op -> role */
  QN_ARRAY(lazy *) order; /* values in the order of their ops */
  QN_ARRAY(qn_op *) ops;  /* ops with a role, in order */
} reduction;

static group *find(group *g) {
  while (g->up != g) g = g->up = g->up->up;
  return g;
}

static void join(group *a, group *b) {
  a = find(a), b = find(b);
  if (a == b) return;
  b->up = a;
  a->removed += b->removed;
}

static role role_of(const reduction *r, const qn_op *op) {
  return (role)(uintptr_t)qn_map_get(&r->roles, op);
}
static lazy *lazy_of(const reduction *r, const qn_value *value) {
  return qn_map_get(&r->permuted, value);
}

static void set_role(reduction *r, qn_op *op, role to) {
  QN_ASSERT(!role_of(r, op)); /* an op has one role */
  qn_map_set(&r->roles, op, (void *)(uintptr_t)to);
  qn_array_push(&r->ops, op);
}

static void add_lazy(reduction *r, qn_value *value, group *g, qn_i64s perm) {
  QN_ASSERT(!lazy_of(r, value) && perm.count == qn_rank(value));
  lazy *l = QN_NEW(r->pc->scratch, lazy);
  *l = (lazy){value, g, perm};
  qn_map_set(&r->permuted, value, l);
  qn_array_push(&r->order, l);
}

/* ---- which transposes could move ---- */

static bool undo_each_other(qn_i64s first, qn_i64s second) {
  QN_ASSERT(first.count == second.count); /* of one value */
  for (uint32_t i = 0; i < second.count; i++)
    if (first.data[second.data[i]] != i) return false;
  return true;
}

static void visit_transpose(reduction *r, qn_op *op) {
  lazy *x = lazy_of(r, qn_op_operand(op, 0));
  if (x && !undo_each_other(x->perm, qn_op_perm(op))) return;
  if (x) {
    find(x->group)->removed++;
    set_role(r, op, CANCELS);
    return;
  }
  if (!qn_is_position_free(op->results[0].type) ||
      op->results[0].type->shaped.element != qn_op_operand(op, 0)->type->shaped.element)
    return;
  group *g = QN_NEW(r->pc->scratch, group);
  *g = (group){.up = g, .removed = 1};
  set_role(r, op, ORIGIN);
  add_lazy(r, &op->results[0], g, qn_op_perm(op));
}

/* Whether all permuted operands of the op have the same permutation. *out_first is the first of
 * them; false if there is none. */
static bool agree(const reduction *r, const qn_op *op, lazy **out_first) {
  *out_first = NULL;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    lazy *l = lazy_of(r, qn_op_operand(op, i));
    if (!l) continue;
    if (!*out_first) *out_first = l;
    qn_i64s a = (*out_first)->perm, b = l->perm;
    if (a.count != b.count || memcmp(a.data, b.data, a.count * sizeof *a.data) != 0) return false;
  }
  return *out_first != NULL;
}

static void visit_op(reduction *r, qn_op *op) {
  lazy *first;
  if (qn_pass_keeps(r->pc, op)) return;
  if (op->kind == QN_OP_ML_TRANSPOSE) {
    visit_transpose(r, op);
    return;
  }
  if (!agree(r, op, &first)) return;
  if (r->reorders_sums && qn_can_absorb(op, first->perm)) {
    set_role(r, op, MOVED);
    return;
  }
  if (!qn_can_permute(op, &r->permuted, first->perm, r->reorders_sums)) return;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    lazy *l = lazy_of(r, qn_op_operand(op, i));
    if (l) join(first->group, l->group);
  }
  set_role(r, op, MOVED);
  for (uint32_t i = 0; i < op->result_count; i++)
    add_lazy(r, &op->results[i], first->group, first->perm);
}

/* ---- which groups reduce the number of transposes ---- */

/* Whether the op that reads a permuted value belongs to the group: it moves, or cancels the
 * transpose. */
static bool goes_along(const reduction *r, const qn_op *reader) {
  role of = role_of(r, reader);
  return of == MOVED || of == CANCELS;
}

static bool is_read_elsewhere(const reduction *r, const lazy *l) {
  for (const qn_use *use = l->value->first_use; use; use = use->next)
    if (!goes_along(r, use->owner)) return true;
  return false;
}

static bool pays(const lazy *l) {
  const group *g = find(l->group);
  return g->made < g->removed;
}

/* ---- moving ---- */

static qn_value *before(const reduction *r, const lazy *l) {
  return role_of(r, l->value->op) == ORIGIN ? qn_op_operand(l->value->op, 0) : l->value;
}

/* Inserts a transpose of the permuted value for all readers outside of the group. An origin needs
 * none, because it is a transpose already. */
static void materialize(reduction *r, const lazy *l, const qn_type *type) {
  qn_op *op = l->value->op;
  QN_ARRAY(qn_use *) uses = {0};
  for (qn_use *use = l->value->first_use; use; use = use->next)
    if (!goes_along(r, use->owner)) qn_array_push(&uses, use);
  qn_builder b = qn_builder_after(r->pc->module, op);
  qn_value *made = qn_build_1(&b, QN_OP_ML_TRANSPOSE, type, QN_VALUES(l->value),
                              QN_ATTRS({"perm", qn_attr_i64s(b.cx, l->perm.data, l->perm.count)}));
  for (size_t i = 0; i < uses.count; i++) {
    qn_op *reader = uses.data[i]->owner;
    for (uint32_t k = 0; k < reader->operand_count; k++)
      if (qn_op_operand(reader, k) == l->value) qn_op_set_operand(reader, k, made);
  }
  qn_array_free(&uses);
}

static void move(reduction *r, qn_op *op) {
  lazy *first;
  (void)agree(r, op, &first);
  QN_ASSERT(first); /* what is moved reads a permuted value */
  const qn_type **types = QN_NEW_ARRAY(r->pc->scratch, op->result_count, const qn_type *);
  for (uint32_t i = 0; i < op->result_count; i++) types[i] = op->results[i].type;
  bool absorbs = lazy_of(r, &op->results[0]) == NULL;
  if (absorbs)
    qn_absorb(r->pc, op, first->perm);
  else
    qn_permute(r->pc, op, &r->permuted, first->perm);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const lazy *l = lazy_of(r, qn_op_operand(op, i));
    if (l) qn_op_set_operand(op, i, before(r, l));
  }
  for (uint32_t i = 0; i < op->result_count && !absorbs; i++) {
    const lazy *l = lazy_of(r, &op->results[i]);
    if (is_read_elsewhere(r, l)) materialize(r, l, types[i]);
  }
}

/* Changes an op if it has the role `with` and its group reduces transposes. */
static void change(reduction *r, qn_op *op, role with) {
  bool cancels = with == CANCELS;
  const lazy *l = NULL;
  if (role_of(r, op) != with) return;
  for (uint32_t i = 0; i < op->operand_count && !l; i++) l = lazy_of(r, qn_op_operand(op, i));
  QN_ASSERT(l); /* an op of these roles reads a permuted value */
  if (!pays(l)) return;
  r->pc->changed = true;
  if (qn_explains(r->pc, op))
    qn_explain(r->pc, op->loc,
               cancels ? "'%.*s' goes with those that it undoes"
                       : "'%.*s' is computed before the transpose that it followed",
               QN_STR_ARG(op->name));
  if (cancels)
    qn_value_replace_all_uses(&op->results[0], before(r, l));
  else
    move(r, op);
}

static void erase_unused(reduction *r) {
  for (size_t i = r->ops.count; i-- > 0;) {
    qn_op *op = r->ops.data[i];
    if (role_of(r, op) != MOVED && qn_op_is_dead(op)) qn_op_erase(r->pc->module, op);
  }
}

/* ---- blocks ---- */

static void reduce(reduction *r, qn_block *block) {
  r->order.count = r->ops.count = 0;
  QN_FOR_EACH_OP(op, block) visit_op(r, op);
  for (size_t i = 0; i < r->order.count; i++)
    if (is_read_elsewhere(r, r->order.data[i])) find(r->order.data[i]->group)->made++;
  bool was = r->pc->changed;
  r->pc->changed = false;
  for (size_t i = 0; i < r->ops.count; i++) change(r, r->ops.data[i], MOVED);
  /* Cancelling transposes are removed after all ops have moved: their readers do not belong to the
   * group, but would read a permuted value. */
  for (size_t i = 0; i < r->ops.count; i++) change(r, r->ops.data[i], CANCELS);
  if (r->pc->changed) erase_unused(r);
  r->pc->changed |= was;
  qn_map_deinit(&r->permuted);
  qn_map_deinit(&r->roles);
}

static bool visit(qn_op *owner, void *user) {
  if (qn_op_has_free_order(owner)) return true;
  for (uint32_t g = 0; g < owner->region_count; g++)
    QN_FOR_EACH_BLOCK(block, &owner->regions[g]) reduce(user, block);
  return true;
}

static qn_status run(qn_pass_context *pc) {
  reduction r = {.pc = pc, .reorders_sums = qn_pass_bool(pc, "reorder-sums")};
  qn_walk_post(pc->root, visit, &r);
  qn_array_free(&r.order);
  qn_array_free(&r.ops);
  return QN_OK;
}

static const qn_option_spec options[] = {
    {"reorder-sums", QN_OPTION_BOOL, "false",
     "through means of floats, too, whose terms are then added in another order"},
    {NULL, 0, NULL, NULL},
};

const qn_pass qn_pass_reduce_transposes = {
    .name = "reduce-transposes",
    .summary = "move transposes down to those that undo them, and remove both",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .options = options,
    .run = run,
};
