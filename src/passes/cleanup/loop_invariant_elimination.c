/* loop-invariant-elimination: removes loop-carried variables that never change, and reads their
 * initial values from outside instead.
 *
 *   %r:2 = scf.for %i = %l to %u step %s iter_args(%a = %x, %k = %y) {
 *     %0 = "ml.add"(%a, %k)
 *     scf.yield %0, %k
 *   }
 *     ->
 *   %r = scf.for %i = %l to %u step %s iter_args(%a = %x) {
 *     %0 = "ml.add"(%a, %y)
 *     scf.yield %0
 *   }
 *
 *   scf.while (%a = %x, %k = %y) { ... scf.condition(%c) %a, %k } do { ... scf.yield %0, %k }
 *     ->
 *   the same without %k; values from outside that scf.condition forwards are read directly
 *
 * Uses of %r#1 become %y, also if the loop makes no iteration. A variable never changes if the loop
 * yields its own block argument or the initial value itself. Another value from outside does not
 * qualify, because it replaces the initial value in the second iteration.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/rewrite.h"

enum { BOUNDS = 3 }; /* operands of scf.for before the initial values */

static qn_block *body_of(const qn_op *loop) { return loop->regions[0].first; }
static qn_value *initial(const qn_op *loop, uint32_t i) { return qn_op_operand(loop, BOUNDS + i); }
static qn_value *carried(const qn_op *loop, uint32_t i) { return body_of(loop)->args[1 + i]; }
static qn_value *yielded(const qn_op *loop, uint32_t i) {
  return qn_op_operand(body_of(loop)->last, i);
}

static bool is_invariant(const qn_op *loop, uint32_t i) {
  return yielded(loop, i) == carried(loop, i) || yielded(loop, i) == initial(loop, i);
}

/* Builds a loop before the old one, with its bounds and the variables that change. `results` gets
 * one value per result of the old loop. */
static qn_op *build(qn_rewriter *rw, qn_op *loop, qn_value **out_results) {
  qn_builder b = rw->builder;
  qn_value **kept = QN_NEW_ARRAY(rw->pc->scratch, loop->result_count, qn_value *);
  uint32_t count = 0, at = 0;
  for (uint32_t i = 0; i < loop->result_count; i++)
    if (!is_invariant(loop, i)) kept[count++] = initial(loop, i);
  qn_op *made = qn_build_for(&b, qn_op_operand(loop, 0), qn_op_operand(loop, 1),
                             qn_op_operand(loop, 2), kept, count);
  for (uint32_t i = 0; i < loop->result_count; i++)
    out_results[i] = is_invariant(loop, i) ? initial(loop, i) : &made->results[at++];
  QN_ASSERT(at == made->result_count);
  count = 0;
  for (uint32_t i = 0; i < loop->result_count; i++)
    if (!is_invariant(loop, i)) kept[count++] = yielded(loop, i);
  qn_build_yield(&b, kept, count);
  return made;
}

/* Moves all ops but the yield, and replaces all uses of the old loop's block arguments. */
static void move_body(qn_op *from, qn_op *to, qn_value *const *results) {
  qn_op *end = body_of(to)->last;
  qn_value_replace_all_uses(body_of(from)->args[0], body_of(to)->args[0]);
  for (uint32_t i = 0, at = 1; i < from->result_count; i++) {
    bool stays = results[i]->op != to;
    qn_value_replace_all_uses(carried(from, i), stays ? initial(from, i) : body_of(to)->args[at++]);
  }
  for (qn_op *op = body_of(from)->first, *next; op != body_of(from)->last; op = next) {
    next = op->next;
    qn_op_unlink(op);
    qn_op_insert_before(op, end);
  }
}

/* Copies attributes and replaces the old loop by the new one. */
static bool finish(qn_rewriter *rw, qn_op *loop, qn_op *made, qn_value *const *results) {
  for (uint32_t i = 0; i < loop->attr_count; i++)
    qn_op_set_attr(rw->module, made, loop->attrs[i].name.data, loop->attrs[i].value);
  qn_op_set_attr(rw->module, made, qn_attr_decls[QN_A_TENSORS].name, NULL);
  qn_rewriter_touched(rw, made);
  qn_op *around = loop->block->region->owner; /* it may now yield an unchanged variable itself */
  if (qn_op_has(around, QN_CONTROL)) qn_rewriter_touched(rw, around);
  qn_rewriter_replace(rw, loop, results);
  return true;
}

static bool drop_invariants(qn_rewriter *rw, qn_op *loop) {
  bool any = false;
  for (uint32_t i = 0; i < loop->result_count; i++) any |= is_invariant(loop, i);
  if (!any) return false;
  qn_value **results = QN_NEW_ARRAY(rw->pc->scratch, loop->result_count, qn_value *);
  qn_op *made = build(rw, loop, results);
  move_body(loop, made, results);
  return finish(rw, loop, made, results);
}

/* ---- scf.while ---- */

/* The first region of scf.while computes the condition, and forwards values to the second region
 * and to the results. The second region yields to the first. */
enum {
  DECIDES,
  REPEATS,
  CONDITION = 1 /* operands of scf.condition before the forwarded values */
};

static qn_block *block_of(const qn_op *loop, uint32_t region) {
  return loop->regions[region].first;
}
static qn_value *handed_on(const qn_op *loop, uint32_t i) {
  return qn_op_operand(block_of(loop, DECIDES)->last, CONDITION + i);
}
static qn_value *given_back(const qn_op *loop, uint32_t i) {
  return qn_op_operand(block_of(loop, REPEATS)->last, i);
}

/* Whether variable i has its initial value at the start of each iteration. */
static bool is_carried_unchanged(const qn_op *loop, uint32_t i) {
  const qn_value *first = qn_op_operand(loop, i), *back = given_back(loop, i);
  if (back == first) return true;
  if (back->block != block_of(loop, REPEATS)) return false;
  const qn_value *from = handed_on(loop, back->index);
  return from == first || from == block_of(loop, DECIDES)->args[i];
}

/* Whether the forwarded value i comes from outside of the loop. */
static bool is_from_outside(const qn_op *loop, uint32_t i) {
  const qn_value *value = handed_on(loop, i);
  return (value->op ? value->op->block : value->block) != block_of(loop, DECIDES);
}

/* Determines which carried variables and which forwarded values can be dropped. Forwarded values
 * are determined after dropped block arguments have been replaced by their initial values. Returns
 * false if there are none. */
static bool find_dropped(qn_op *loop, bool *carried, bool *handed) {
  bool any = false;
  for (uint32_t i = 0; i < loop->operand_count; i++)
    any |= carried[i] = is_carried_unchanged(loop, i);
  for (uint32_t i = 0; i < loop->operand_count; i++)
    if (carried[i])
      qn_value_replace_all_uses(block_of(loop, DECIDES)->args[i], qn_op_operand(loop, i));
  for (uint32_t i = 0; i < loop->result_count; i++) any |= handed[i] = is_from_outside(loop, i);
  return any;
}

/* Moves the ops of a block to a new block whose arguments are those that are not dropped. */
static void move_block(qn_rewriter *rw, qn_block *from, qn_region *to, const bool *drop) {
  qn_block *made = qn_block_create(rw->module);
  qn_block_append(made, to);
  for (uint32_t i = 0; i < from->arg_count; i++)
    if (!drop[i])
      qn_value_replace_all_uses(
          from->args[i],
          qn_block_add_arg(rw->module, made, from->args[i]->type, from->args[i]->loc));
  for (qn_op *op = from->first, *next; op; op = next) {
    next = op->next;
    qn_op_unlink(op);
    qn_op_append(op, made);
  }
}

/* Removes the dropped operands after the first `ahead` operands. */
static void leave_out(qn_rewriter *rw, qn_op *end, uint32_t ahead, const bool *drop) {
  QN_ASSERT(ahead <= end->operand_count);
  qn_value **kept = QN_NEW_ARRAY(rw->pc->scratch, end->operand_count, qn_value *);
  uint32_t count = 0;
  for (uint32_t i = 0; i < end->operand_count; i++)
    if (i < ahead || !drop[i - ahead]) kept[count++] = qn_op_operand(end, i);
  qn_op_set_operands(rw->module, end, kept, count);
}

static qn_op *build_while(qn_rewriter *rw, const qn_op *loop, const bool *carried,
                          const bool *handed) {
  qn_value **first = QN_NEW_ARRAY(rw->pc->scratch, loop->operand_count + 1, qn_value *);
  const qn_type **types = QN_NEW_ARRAY(rw->pc->scratch, loop->result_count + 1, const qn_type *);
  qn_op_state state = {
      .kind = loop->kind, .operands = first, .result_types = types, .region_count = 2};
  for (uint32_t i = 0; i < loop->operand_count; i++)
    if (!carried[i]) first[state.operand_count++] = qn_op_operand(loop, i);
  for (uint32_t i = 0; i < loop->result_count; i++)
    if (!handed[i]) types[state.result_count++] = loop->results[i].type;
  return qn_build(&rw->builder, state);
}

static bool drop_from_while(qn_rewriter *rw, qn_op *loop) {
  qn_arena *scratch = rw->pc->scratch;
  bool *carried = QN_NEW_ARRAY(scratch, loop->operand_count + 1, bool);
  bool *handed = QN_NEW_ARRAY(scratch, loop->result_count + 1, bool);
  if (!find_dropped(loop, carried, handed)) return false;
  qn_op *made = build_while(rw, loop, carried, handed);
  qn_value **results = QN_NEW_ARRAY(scratch, loop->result_count + 1, qn_value *);
  for (uint32_t i = 0, at = 0; i < loop->result_count; i++) {
    results[i] = handed[i] ? handed_on(loop, i) : &made->results[at++];
    if (handed[i]) qn_value_replace_all_uses(block_of(loop, REPEATS)->args[i], results[i]);
  }
  leave_out(rw, block_of(loop, DECIDES)->last, CONDITION, handed);
  leave_out(rw, block_of(loop, REPEATS)->last, 0, carried);
  move_block(rw, block_of(loop, DECIDES), &made->regions[DECIDES], carried);
  move_block(rw, block_of(loop, REPEATS), &made->regions[REPEATS], handed);
  return finish(rw, loop, made, results);
}

static const qn_pattern patterns[] = {
    {"carried-unchanged", QN_OP_SCF_FOR, drop_invariants, NULL},
    {"carried-unchanged", QN_OP_SCF_WHILE, drop_from_while, NULL},
};

static qn_status run(qn_pass_context *pc) {
  return qn_rewrite_greedily(pc, pc->root, patterns, (uint32_t)QN_COUNT(patterns),
                             &(qn_greedy_options){0});
}

const qn_pass qn_pass_loop_invariant_elimination = {
    .name = "loop-invariant-elimination",
    .summary = "read from outside what a loop carries and never changes",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
