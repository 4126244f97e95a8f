/* Cleans up after the passes of the integer stage: merges two lookups into one, removes identity
 * tables, and removes unused constants.
 *
 *   before: %a = "ml.lut"(%x, %s), %b = "ml.lut"(%a, %t)
 *   after:  %b = "ml.lut"(%x, %st)
 *
 * Not if %a stays for another op and is all that reads %x: it can then run in the kernel that
 * computes %x, which a second reader of %x would prevent. Unless %st only flips bits, which takes
 * no table.
 *
 * A tensor that keep_tensors preserves is neither merged nor removed. Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/walk.h"
#include "lower/integer/integer.h"

/* Whether an op that is no lut reads the result. */
static bool has_other_reader(const qn_op *lut) {
  for (const qn_use *use = lut->results[0].first_use; use; use = use->next)
    if (use->owner->kind != QN_OP_ML_LUT) return true;
  return false;
}

/* Composes two luts: the second one gets the composed table and reads the first one's operand. The
 * first lut stays for its other uses. */
static void compose(qn_pass_context *pc, qn_op *op) {
  uint8_t inner[256], outer[256], both[256];
  qn_op *first = qn_op_operand(op, 0)->op;
  if (!first || qn_integer_is_kept(pc, first) || !qn_integer_table(first, inner) ||
      !qn_integer_table(op, outer))
    return;
  for (int i = 0; i < 256; i++) both[i] = outer[inner[i]];
  bool can_be_fused = has_other_reader(first) && qn_value_has_one_use(qn_op_operand(first, 0));
  if (can_be_fused && !qn_plan_table_flips(both)) return;
  qn_builder b = qn_builder_before(pc->module, op);
  qn_op_set_operand(op, 0, qn_op_operand(first, 0));
  qn_op_set_operand(op, 1, qn_plan_table(&b, both, qn_type_element(qn_op_result(op, 0)->type)));
  pc->changed = true;
}

static bool is_returned(const qn_value *value) {
  for (const qn_use *use = value->first_use; use; use = use->next)
    if (qn_op_has(use->owner, QN_TERMINATOR)) return true;
  return false;
}

/* Removes an identity lut, unless its result is returned or yielded: an argument would be copied
 * anyway. */
static void remove_identity(qn_pass_context *pc, qn_op *op) {
  uint8_t table[256];
  qn_value *x = qn_op_operand(op, 0), *y = qn_op_result(op, 0);
  if (x->type != y->type || is_returned(y) || qn_integer_is_kept(pc, op) ||
      !qn_integer_table(op, table))
    return;
  for (int i = 0; i < 256; i++)
    if (table[i] != i) return;
  qn_value_replace_all_uses(y, x);
  qn_op_erase(pc->module, op);
  pc->changed = true;
}

static void simplify(qn_op *op, void *user) {
  qn_pass_context *pc = user;
  if (op->kind != QN_OP_ML_LUT) return;
  compose(pc, op);
  remove_identity(pc, op);
}

static bool is_dead(const qn_pass_context *pc, const qn_op *op) {
  if (!qn_op_has(op, QN_CONSTANT) && op->kind != QN_OP_ML_LUT) return false;
  return !qn_value_has_uses(qn_op_result(op, 0)) && !qn_integer_is_kept(pc, op);
}

/* Removes unused ops in reverse order, so that a table is removed after the last lut that reads it.
 */
static void remove_dead(qn_pass_context *pc, const qn_op *func) {
  size_t count = 0;
  QN_FOR_EACH_NESTED_OP(op, func) count++;
  qn_op **ops = QN_NEW_ARRAY(pc->scratch, count + 1, qn_op *), **end = ops;
  QN_FOR_EACH_NESTED_OP(op, func) *end++ = op;
  while (end-- > ops) {
    if (!is_dead(pc, *end)) continue;
    qn_op_erase(pc->module, *end);
    pc->changed = true;
  }
}

static qn_status run(qn_pass_context *pc) {
  qn_integer_for_each(pc->module, simplify, pc);
  QN_FOR_EACH_OP(func, qn_op_body(pc->module->op))
  if (func->kind == QN_OP_FUNC) remove_dead(pc, func);
  return QN_OK;
}

const qn_pass qn_pass_simplify_integer = {
    .name = "simplify-integer",
    .summary = "compose consecutive lookup tables; remove identity tables and dead constants",
    .numerics = QN_EXACT,
    .needed = (const qn_property *const[]){&qn_property_integers_only, NULL},
    .run = run,
};
