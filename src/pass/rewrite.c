/* The greedy pattern driver. The worklist holds every op that a pattern may begin at once;
 * rewriting an op adds its neighbours again, so that a chain is rewritten in time linear in its
 * length. Ops that no pattern begins at are not added, because in a graph that exceeds the CPU
 * caches, loading an op dominates the cost.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/rewrite.h"

#include "base/array.h"
#include "ir/ops/forms.h"
#include "ir/walk.h"
#include "pass/explain.h"

/* First the ops in program order; then, as a stack
 * that goes before, those that came back. */
typedef struct qn_worklist {
  QN_ARRAY(qn_op *)
  ops; /* NULL where an op was taken out; the mark of others is their position + 1 */
  size_t at, standing;      /* of those that stood there: the next one, and how many there were */
  bool begins[QN_OP_COUNT]; /* by kind: whether there is anything to do at such an op */
} qn_worklist;

enum { AHEAD = 8 }; /* so many ops before their turn memory is asked for them */

static void push(qn_worklist *list, qn_op *op) {
  if (op->mark || !list->begins[op->kind]) return;
  qn_array_push(&list->ops, op);
  QN_ASSERT(list->ops.count <= UINT32_MAX);
  op->mark = (uint32_t)list->ops.count;
}

static void drop(qn_worklist *list, qn_op *op) {
  if (op->mark == 0) return;
  list->ops.data[op->mark - 1] = NULL;
  op->mark = 0;
}

static qn_op *next_standing(qn_worklist *list) {
  if (list->at + AHEAD < list->standing) __builtin_prefetch(list->ops.data[list->at + AHEAD]);
  return list->ops.data[list->at++];
}

static qn_op *pop(qn_worklist *list) {
  while (list->ops.count > list->standing || list->at < list->standing) {
    bool again = list->ops.count > list->standing;
    qn_op *op = again ? list->ops.data[--list->ops.count] : next_standing(list);
    if (!op) continue;
    op->mark = 0;
    return op;
  }
  return NULL;
}

static void push_users(qn_worklist *list, const qn_value *value) {
  for (const qn_use *use = value->first_use; use; use = use->next) push(list, use->owner);
}

static void push_producers(qn_worklist *list, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++)
    if (qn_op_operand(op, i)->op) push(list, qn_op_operand(op, i)->op);
}

/* ---- what patterns call ---- */

void qn_rewriter_touched(qn_rewriter *rw, qn_op *op) {
  rw->pc->changed = true;
  push(rw->worklist, op);
  for (uint32_t i = 0; i < op->result_count; i++) push_users(rw->worklist, &op->results[i]);
}

static bool forget(qn_op *op, void *user) {
  qn_rewriter *rw = user;
  drop(rw->worklist, op);
  if (rw->options->erasing) rw->options->erasing(rw, op);
  return true;
}

void qn_rewriter_erase(qn_rewriter *rw, qn_op *op) {
  rw->pc->changed = true;
  push_producers(rw->worklist, op);
  qn_walk_pre(op, forget, rw);
  qn_op_erase(rw->module, op);
}

/* Moves the record of model tensors from `op` to the new op that replaces it. */
static void move_tensors(qn_rewriter *rw, const qn_op *op, qn_value *const *values) {
  qn_op *to = op->result_count ? values[0]->op : NULL;
  const qn_attr *tensors = qn_op_find(op, QN_A_TENSORS);
  if (!tensors || !to || values[0]->id < rw->first_new || to->result_count != op->result_count)
    return;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (values[i] != &to->results[i]) return;
  qn_op_set_attr(rw->module, to, qn_attr_decls[QN_A_TENSORS].name, tensors);
}

void qn_rewriter_replace(qn_rewriter *rw, qn_op *op, qn_value *const *values) {
  move_tensors(rw, op, values);
  rw->made = op->result_count ? values[0] : NULL;
  for (uint32_t i = 0; i < op->result_count; i++) {
    push_users(rw->worklist, &op->results[i]);
    if (values[i]->op) push(rw->worklist, values[i]->op);
    qn_value_replace_all_uses(&op->results[i], values[i]);
  }
  qn_rewriter_erase(rw, op);
}

/* ---- the driver ---- */

typedef struct driver {
  qn_rewriter rw;
  qn_worklist list;
  const qn_pattern *patterns;
  uint32_t count;
  uint64_t ops; /* below the root, and the root */
} driver;

/* Whether the op uses its own result, directly or through one other op. Such ops are skipped,
 * because patterns assume that they match a tree. Rewriting reduces longer cycles to these. Cycles
 * exist only in graph regions and in unreachable blocks. */
static bool is_in_circle(const qn_op *op) {
  const qn_region *region = op->block->region;
  if (region->first == region->last && !qn_op_has_free_order(region->owner)) return false;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_op *producer = qn_op_operand(op, i)->op;
    if (producer == op) return true;
    for (uint32_t k = 0; producer && k < producer->operand_count; k++)
      if (qn_op_operand(producer, k)->op == op) return true;
  }
  return false;
}

/* Reports a change. `name` and `loc` are passed separately, because the op may have been erased. */
static void tell(const qn_rewriter *rw, qn_str name, const qn_loc *loc) {
  const qn_value *by = rw->made;
  const char *rule = rw->pattern->name;
  if (by && by->op)
    qn_explain(rw->pc, loc, "'%.*s' gives way to %s '%.*s' (%s)", QN_STR_ARG(name),
               by->id >= rw->first_new ? "a new" : "the result of", QN_STR_ARG(by->op->name), rule);
  else
    qn_explain(rw->pc, loc, by ? "'%.*s' gives way to an argument (%s)" : "'%.*s' is changed (%s)",
               QN_STR_ARG(name), rule);
}

static bool apply(qn_rewriter *rw, qn_op *op) {
  bool explains = qn_explains(rw->pc, op);
  qn_str name = op->name;
  const qn_loc *loc = op->loc;
  rw->first_new = rw->module->value_count;
  rw->made = NULL;
  rw->builder = qn_builder_before(rw->module, op);
  if (!rw->pattern->apply(rw, op)) return false;
  if (explains) tell(rw, name, loc);
  return true;
}

static void visit(driver *d, qn_op *op) {
  bool keeps = qn_pass_keeps(d->rw.pc, op);
  if (d->rw.options->remove_dead && !keeps && qn_op_is_dead(op)) {
    if (qn_explains(d->rw.pc, op))
      qn_explain(d->rw.pc, op->loc, "'%.*s' goes: nothing uses it", QN_STR_ARG(op->name));
    qn_rewriter_erase(&d->rw, op);
    d->rw.rewrites++;
    return;
  }
  if (is_in_circle(op)) return;
  for (uint32_t i = 0; i < d->count; i++) {
    const qn_pattern *pattern = &d->patterns[i];
    if (pattern->root != QN_OP_UNREGISTERED && pattern->root != op->kind) continue;
    if (keeps && !pattern->rule) continue;
    d->rw.pattern = pattern;
    if (!apply(&d->rw, op)) continue;
    d->rw.pc->changed = true;
    d->rw.rewrites++;
    return; /* the op may be gone; what remains of it is on the list again */
  }
}

/* ---- why a pattern does not apply ---- */

typedef struct question {
  qn_rewriter *rw;
  const qn_pattern *patterns;
  uint32_t count;
} question;

static bool begins_at(const qn_pattern *pattern, const qn_op *op) {
  return pattern->root == QN_OP_UNREGISTERED || pattern->root == op->kind;
}

static void say_roots(const question *q, const qn_op *op) {
  qn_text roots = {0};
  for (uint32_t i = 0; i < q->count; i++) {
    bool again = false;
    for (uint32_t k = 0; k < i; k++) again |= q->patterns[k].root == q->patterns[i].root;
    if (!again)
      qn_text_format(&roots, "%s'%s'", i ? ", " : "", qn_op_infos[q->patterns[i].root].name);
  }
  qn_explain(q->rw->pc, op->loc, "no rule begins at '%.*s', but at %s", QN_STR_ARG(op->name),
             roots.data ? roots.data : "no op");
  qn_text_deinit(&roots);
}

static void ask(const question *q, const qn_pattern *pattern, qn_op *op) {
  qn_rewriter *rw = q->rw;
  qn_text why = {0};
  rw->pattern = pattern;
  rw->why = &why;
  if (pattern->rule)
    (void)pattern->apply(rw, op);
  else if (qn_pass_keeps(rw->pc, op))
    qn_text_puts(&why, "its tensor has to stay");
  else
    qn_text_puts(&why, "it was looked at, and a condition does not hold");
  rw->why = NULL;
  qn_explain(rw->pc, op->loc, "'%s' does not apply to '%.*s': %s", pattern->name,
             QN_STR_ARG(op->name), why.data);
  qn_text_deinit(&why);
}

static bool ask_op(qn_op *op, void *user) {
  const question *q = user;
  if (!qn_explains_why_not(q->rw->pc, op)) return true;
  bool any = false;
  for (uint32_t i = 0; i < q->count; i++) {
    if (!begins_at(&q->patterns[i], op)) continue;
    any = true;
    ask(q, &q->patterns[i], op);
  }
  if (!any) say_roots(q, op);
  return true;
}

/* Reports why no pattern applies to the ops that are explained. To be called after the last
 * rewrite. */
static void ask_all(qn_rewriter *rw, qn_op *root, const qn_pattern *patterns, uint32_t count) {
  question q = {rw, patterns, count};
  if (rw->pc->explain && rw->pc->explain[0] && count > 0) qn_walk_pre(root, ask_op, &q);
}

/* ---- running ---- */

static bool collect(qn_op *op, void *user) {
  driver *d = user;
  if (d->ops++ > 0) push(&d->list, op); /* but the root */
  return true;
}

/* Whether any function of the module has an op that a pattern may begin at. */
static bool note_beginnings(driver *d) {
  bool any = d->rw.options->remove_dead, is = false;
  for (uint32_t i = 0; i < d->count; i++) any |= d->patterns[i].root == QN_OP_UNREGISTERED;
  for (uint32_t i = 0; i < d->count; i++) d->list.begins[d->patterns[i].root] = true;
  for (uint32_t kind = 0; kind < QN_OP_COUNT; kind++) {
    d->list.begins[kind] |= any;
    is |= d->list.begins[kind] && d->rw.module->made[kind];
  }
  return is;
}

qn_status qn_rewrite_greedily(qn_pass_context *pc, qn_op *root, const qn_pattern *patterns,
                              uint32_t count, const qn_greedy_options *options) {
  driver d = {.patterns = patterns, .count = count};
  d.rw = (qn_rewriter){.pc = pc,
                       .module = pc->module,
                       .cx = pc->cx,
                       .worklist = &d.list,
                       .options = options,
                       .state = options->state};
  if (note_beginnings(&d)) qn_walk_pre(root, collect, &d);
  d.list.standing = d.list.ops.count;
  uint64_t limit = 10000 + 100 * d.ops;
  qn_status status = QN_OK;
  for (qn_op *op = pop(&d.list); op && status == QN_OK; op = pop(&d.list)) {
    visit(&d, op);
    if (d.rw.rewrites > limit)
      status = qn_error(&pc->cx->diag, root->loc, QN_INTERNAL,
                        "rewriting does not end: the last pattern was '%s'",
                        d.rw.pattern ? d.rw.pattern->name : "removal of dead ops");
  }
  while (pop(&d.list)) continue; /* after an error: marks are gone */
  if (status == QN_OK) ask_all(&d.rw, root, patterns, count);
  qn_array_free(&d.list.ops);
  return status;
}
