/* loop-invariant-elimination: what a loop carries and never changes is read from outside.
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
 * and uses of %r#1 become %y, also when the loop makes no trip. The loop yields what it was given:
 * its own argument, or the initial value itself. Another value from outside is not that: the second
 * trip would begin with it.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/rewrite.h"

enum { BOUNDS = 3 }; /* operands before the initial values */

static qn_block *body_of(const qn_op *loop) { return loop->regions[0].first; }
static qn_value *initial(const qn_op *loop, uint32_t i) { return qn_op_operand(loop, BOUNDS + i); }
static qn_value *carried(const qn_op *loop, uint32_t i) { return body_of(loop)->args[1 + i]; }
static qn_value *yielded(const qn_op *loop, uint32_t i) {
  return qn_op_operand(body_of(loop)->last, i);
}

static bool is_invariant(const qn_op *loop, uint32_t i) {
  return yielded(loop, i) == carried(loop, i) || yielded(loop, i) == initial(loop, i);
}

/* A loop in front of the old one with its bounds and the values that change; `out_results` has one
 * value per result of the old one. */
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
  count = 0;
  for (uint32_t i = 0; i < loop->result_count; i++)
    if (!is_invariant(loop, i)) kept[count++] = yielded(loop, i);
  qn_build_yield(&b, kept, count);
  return made;
}

/* All ops but the yield, and all uses of the arguments. */
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

static bool drop_invariants(qn_rewriter *rw, qn_op *loop) {
  bool any = false;
  for (uint32_t i = 0; i < loop->result_count; i++) any |= is_invariant(loop, i);
  if (!any) return false;
  qn_value **results = QN_NEW_ARRAY(rw->pc->scratch, loop->result_count, qn_value *);
  qn_op *made = build(rw, loop, results);
  for (uint32_t i = 0; i < loop->attr_count; i++)
    qn_op_set_attr(rw->module, made, loop->attrs[i].name.data, loop->attrs[i].value);
  qn_op_set_attr(rw->module, made, qn_attr_decls[QN_A_TENSORS].name, NULL);
  move_body(loop, made, results);
  qn_rewriter_touched(rw, made);
  qn_op *around = loop->block->region->owner; /* which may yield what the loop did not change */
  if (around->kind == QN_OP_SCF_FOR) qn_rewriter_touched(rw, around);
  qn_rewriter_replace(rw, loop, results);
  return true;
}

static const qn_pattern patterns[] = {
    {"carried-unchanged", QN_OP_SCF_FOR, drop_invariants, NULL},
};

static qn_status run(qn_pass_context *pc) {
  return qn_rewrite_greedily(pc, pc->root, patterns, 1, &(qn_greedy_options){0});
}

const qn_pass qn_pass_loop_invariant_elimination = {
    .name = "loop-invariant-elimination",
    .summary = "read from outside what a loop carries and never changes",
    .anchor = QN_ON_FUNC,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
