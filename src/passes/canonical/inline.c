/* inline: replaces calls of functions with one block by their bodies, callees first, and removes
 * private functions that are no longer called.
 *
 *   %1 = call @f(%x) : (i8) -> i8      ->   (the body of @f on %x)
 *
 * Functions that call themselves, directly or through others, are not inlined, nor are functions
 * with ops of unknown dialects. The size is bounded: a chain of thirty functions each of which
 * calls the next one twice would give 2^30 ops. Inlining ends with a warning after it has added a
 * million ops.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/array.h"
#include "ir/builder.h"
#include "ir/clone.h"
#include "ir/walk.h"
#include "pass/pass.h"

typedef enum visit_state { UNSEEN, ACTIVE, DONE } visit_state;

/* Maximum number of ops that inlining adds to a module. */
enum { MAX_ADDED = 1000000 };

typedef struct inliner {
  qn_pass_context *pc;
  qn_map sizes; /* function -> number of ops in its body + 1 */
  size_t added;
  bool full;
  qn_map states;               /* function -> visit_state */
  qn_str_map symbols;          /* symbols that the module's top-level ops define */
  qn_str_map references;       /* symbol -> number of attributes that name it */
  QN_ARRAY(qn_op *) functions; /* callees before callers */
} inliner;

static visit_state state_of(const inliner *in, const qn_op *func) {
  return (visit_state)(uintptr_t)qn_map_get(&in->states, func);
}

static qn_op *callee_of(const inliner *in, const qn_op *call) {
  qn_op *callee = qn_str_map_get(&in->symbols, qn_op_callee(call));
  return callee && callee->kind == QN_OP_FUNC ? callee : NULL;
}

typedef QN_ARRAY(qn_op *) calls;

static bool collect_call(qn_op *op, void *user) {
  calls *list = user;
  if (op->kind == QN_OP_FUNC_CALL) qn_array_push(list, op);
  return true;
}

/* Depth-first search over the call graph with an explicit stack: a function is appended after its
 * callees. */
static void order_from(inliner *in, qn_op *root) {
  QN_ARRAY(qn_op *) stack = {0};
  qn_array_push(&stack, root);
  while (stack.count > 0) {
    qn_op *func = stack.data[stack.count - 1];
    if (state_of(in, func) != UNSEEN) {
      stack.count--;
      if (state_of(in, func) != ACTIVE) continue;
      qn_map_set(&in->states, func, (void *)(uintptr_t)DONE);
      qn_array_push(&in->functions, func);
      continue;
    }
    qn_map_set(&in->states, func, (void *)(uintptr_t)ACTIVE);
    calls list = {0};
    qn_walk_pre(func, collect_call, &list);
    for (size_t i = 0; i < list.count; i++) {
      qn_op *callee = callee_of(in, list.data[i]);
      if (callee && state_of(in, callee) == UNSEEN) qn_array_push(&stack, callee);
    }
    qn_array_free(&list);
  }
  qn_array_free(&stack);
}

typedef struct body_size {
  size_t ops;
  bool opaque; /* contains ops of unknown dialects */
} body_size;

static bool add_op(qn_op *op, void *user) {
  body_size *size = user;
  size->ops++;
  size->opaque |= op->kind == QN_OP_UNREGISTERED;
  return !size->opaque;
}

/* Number of ops of a body; 0 if the body can't be inlined. */
static size_t measure(inliner *in, qn_op *func) {
  body_size size = {0};
  qn_walk_pre(func, add_op, &size);
  size_t ops = size.opaque ? 0 : size.ops;
  qn_map_set(&in->sizes, func, (void *)(uintptr_t)(ops + 1));
  return ops;
}

static bool has_room(inliner *in, const qn_op *call, qn_op *callee) {
  QN_ASSERT(in->added <= MAX_ADDED);
  uintptr_t known = (uintptr_t)qn_map_get(&in->sizes, callee);
  size_t ops = known ? known - 1 : measure(in, callee);
  if (ops == 0) return false;
  if (ops <= MAX_ADDED - in->added) {
    in->added += ops;
    return true;
  }
  if (!in->full)
    qn_warning(&in->pc->cx->diag, call->loc,
               "this call and more are left: inlining has added %zu ops", in->added);
  in->full = true;
  return false;
}

static bool can_inline(const qn_op *caller, const qn_op *callee, const qn_op *call) {
  const qn_block *body = callee ? qn_op_body(callee) : NULL;
  return body && callee != caller && !body->next && body->last &&
         body->last->kind == QN_OP_FUNC_RETURN && body->arg_count == call->operand_count &&
         body->last->operand_count == call->result_count;
}

static void inline_call(inliner *in, qn_op *call, const qn_op *callee) {
  qn_module *module = in->pc->module;
  const qn_block *body = qn_op_body(callee);
  QN_ASSERT(body->arg_count == call->operand_count);
  QN_ASSERT(body->last->operand_count == call->result_count);
  qn_map values = {0};
  for (uint32_t i = 0; i < body->arg_count; i++)
    qn_map_set(&values, body->args[i], qn_op_operand(call, i));
  for (const qn_op *op = body->first; op != body->last; op = op->next) {
    qn_op *copy = qn_op_clone(module, op, &values);
    copy->loc = qn_loc_callsite(&in->pc->cx->diag, op->loc, call->loc);
    qn_op_insert_before(copy, call);
  }
  for (uint32_t i = 0; i < call->result_count; i++) {
    qn_value *result = qn_op_operand(body->last, i), *mapped = qn_map_get(&values, result);
    qn_value_replace_all_uses(&call->results[i], mapped ? mapped : result);
  }
  qn_op_erase(module, call);
  qn_map_deinit(&values);
  in->pc->changed = true;
}

static void inline_into(inliner *in, qn_op *caller) {
  calls list = {0};
  qn_walk_pre(caller, collect_call, &list);
  for (size_t i = 0; i < list.count; i++) {
    qn_op *callee = callee_of(in, list.data[i]);
    if (can_inline(caller, callee, list.data[i]) && has_room(in, list.data[i], callee))
      inline_call(in, list.data[i], callee);
  }
  if (list.count > 0) (void)measure(in, caller);
  qn_array_free(&list);
}

/* ---- functions that are no longer called ---- */

static void count_references(inliner *in, const qn_op *op, bool removed) {
  for (uint32_t i = 0; i < op->attr_count; i++) {
    const qn_attr *value = op->attrs[i].value;
    if (value->kind != QN_ATTR_SYMBOL) continue;
    uintptr_t count = (uintptr_t)qn_str_map_get(&in->references, value->string);
    QN_ASSERT(!removed || count > 0); /* it has been counted */
    qn_str_map_set(&in->references, value->string, (void *)(removed ? count - 1 : count + 1));
  }
}

static bool add_references(qn_op *op, void *user) {
  count_references(user, op, false);
  return true;
}

static bool drop_references(qn_op *op, void *user) {
  count_references(user, op, true);
  return true;
}

/* Removes unused private functions. Callers are visited before callees here, because the references
 * of a removed function are removed, too. */
static void remove_unused(inliner *in) {
  qn_walk_pre(in->pc->module->op, add_references, in);
  for (size_t i = in->functions.count; i-- > 0;) {
    qn_op *func = in->functions.data[i];
    bool is_private = qn_str_is(qn_op_sym_visibility(func), "private");
    qn_str name = qn_op_sym_name(func);
    if (!is_private || !qn_op_body(func) || qn_str_map_get(&in->references, name)) continue;
    qn_walk_pre(func, drop_references, in);
    qn_op_erase(in->pc->module, func);
  }
}

static qn_status run(qn_pass_context *pc) {
  inliner in = {.pc = pc};
  QN_FOR_EACH_OP(op, qn_op_body(pc->root)) {
    if (qn_op_has(op, QN_SYMBOL)) qn_str_map_set(&in.symbols, qn_op_sym_name(op), op);
  }
  QN_FOR_EACH_OP(op, qn_op_body(pc->root)) {
    if (op->kind == QN_OP_FUNC) order_from(&in, op);
  }
  for (size_t i = 0; i < in.functions.count; i++) inline_into(&in, in.functions.data[i]);
  if (pc->changed) remove_unused(&in);
  qn_array_free(&in.functions);
  qn_map_deinit(&in.sizes);
  qn_str_map_deinit(&in.references);
  qn_str_map_deinit(&in.symbols);
  qn_map_deinit(&in.states);
  return QN_OK;
}

const qn_pass qn_pass_inline = {
    .name = "inline",
    .title = "Inliner",
    .summary = "replace calls of functions with one block by their bodies",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
