/* Finds the prepared ops: first all ops on constants, in their order, then without those whose
 * kernel also computes something else, or whose result is overwritten in place.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/prepared.h"

#include "base/array.h"
#include "ir/ops/linalg.h"
#include "ir/walk.h"
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/schedule.h"

/* Ops whose marks were removed, and whose neighbours are not examined yet. */
typedef struct finder {
  const qn_loops *lo;
  bool *marks; /* [value id] */
  QN_ARRAY(const qn_op *) removed;
} finder;

static bool is_marked(const finder *f, const qn_op *op) {
  return op->result_count > 0 && f->marks[op->results[0].id];
}

static void set_marks(const finder *f, const qn_op *op, bool mark) {
  for (uint32_t i = 0; i < op->result_count; i++) f->marks[op->results[i].id] = mark;
}

static void unmark(finder *f, const qn_op *op) {
  if (!op || !is_marked(f, op)) return;
  set_marks(f, op, false);
  qn_array_push(&f->removed, op);
}

/* ---- ops on constants ---- */

/* Whether the op has a kernel whose results are tensors. */
static bool has_kernel(const qn_op *op) {
  const qn_schedule *schedule = qn_schedule_of(op);
  if (op->result_count == 0 || qn_loops_is_constant(op) || qn_op_has(op, QN_CONTROL)) return false;
  for (uint32_t i = 0; i < op->result_count; i++)
    if (!qn_type_is_shaped(op->results[i].type)) return false;
  return schedule->lower && !schedule->between;
}

/* Whether a linalg.generic does arithmetic that every element has a result of. */
static bool is_total(const qn_op *op) {
  static const qn_op_kind partial[] = {QN_OP_ARITH_SHLI, QN_OP_ARITH_SHRSI, QN_OP_ARITH_SHRUI,
                                       QN_OP_ARITH_FPTOSI, QN_OP_ARITH_FPTOUI};
  for (size_t i = 0; i < QN_COUNT(partial); i++)
    if (op->kind == partial[i]) return false;
  return op->region_count == 0 && !qn_op_has(op, QN_DIVIDES) &&
         qn_op_has(op, QN_ELEMENTWISE | QN_TERMINATOR);
}

/* Whether the op may run although its branch or loop is not reached: it moves or widens elements,
 * or is other arithmetic that is defined for all of them, and no index is an operand. The result of
 * a branch or loop, which others may write too, stays where it is. */
static bool may_run_first(const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    for (const qn_use *use = op->results[i].first_use; use; use = use->next)
      if (qn_op_has(use->owner, QN_TERMINATOR | QN_CONTROL)) return false;
  if (op->kind != QN_OP_LINALG_GENERIC)
    return is_total(op) || (qn_cost_record_of(op->kind)->moves && !qn_op_has(op, QN_INDEXED));
  QN_FOR_EACH_OP(inner, qn_op_body(op))
  if (!is_total(inner)) return false;
  return true;
}

static bool is_reached(const qn_op *op, const qn_op *func) { return qn_op_parent(op) == func; }

static bool reads_constants(const finder *f, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_op *from = qn_op_operand(op, i)->op;
    if (!from || !(qn_loops_is_constant(from) || is_marked(f, from))) return false;
  }
  return true;
}

/* ---- marks that are removed ---- */

/* Whether the use is the initial value of a linalg.generic's output, which the op overwrites in
 * place if no other op reads it. */
static bool is_initial_value(const qn_use *use) {
  const qn_op *op = use->owner;
  return op->kind == QN_OP_LINALG_GENERIC && use >= &op->operands[qn_generic_inputs(op)];
}

static bool is_overwritten(const finder *f, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    for (const qn_use *use = op->results[i].first_use; use; use = use->next)
      if (is_initial_value(use) && !is_marked(f, use->owner)) return true;
  return false;
}

/* Whether the kernel that computes the op also computes one that is not marked. */
static bool is_mixed(const finder *f, const qn_op *op) {
  const qn_op *root = qn_fusion_root(f->lo, op);
  if (root && !is_marked(f, root)) return true;
  return !is_marked(f, qn_fusion_result(f->lo, op)->op);
}

static void examine_neighbours(finder *f, const qn_op *op) {
  for (uint32_t i = 0; i < op->result_count; i++)
    for (const qn_use *use = op->results[i].first_use; use; use = use->next) unmark(f, use->owner);
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_op *from = qn_op_operand(op, i)->op;
    if (!from || !is_marked(f, from)) continue;
    if (is_initial_value(&op->operands[i]) || is_mixed(f, from)) unmark(f, from);
  }
}

const bool *qn_prepared_find(qn_loops *lo, const qn_op *func) {
  if (lo->keep_tensors) return NULL;
  finder f = {.lo = lo, .marks = QN_NEW_ARRAY(lo->kept, lo->module->value_count, bool)};
  QN_FOR_EACH_NESTED_OP(op, func)
  if (has_kernel(op) && reads_constants(&f, op) && (is_reached(op, func) || may_run_first(op)))
    set_marks(&f, op, true);
  QN_FOR_EACH_NESTED_OP(op, func)
  if (is_marked(&f, op) && (is_mixed(&f, op) || is_overwritten(&f, op))) unmark(&f, op);
  while (f.removed.count > 0) examine_neighbours(&f, f.removed.data[--f.removed.count]);
  qn_array_free(&f.removed);
  return f.marks;
}
