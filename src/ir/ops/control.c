/* Values that branches and loops pass to blocks and results: one function per op.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/ops/control.h"

#include "base/checked.h"
#include "ir/op_attrs.h"
#include "ir/ops/forms.h"

static void add_transfer(qn_control *c, const qn_op *from, uint32_t first, uint32_t list) {
  c->transfers[c->transfer_count++] = (qn_transfer){from, first, list};
}

static qn_control branch(const qn_op *op) {
  qn_control c = {.lists = {{.count = op->result_count, .results = true}}, .list_count = 1};
  for (uint32_t i = 0; i < op->region_count; i++)
    if (op->regions[i].first) add_transfer(&c, op->regions[i].first->last, 0, 0);
  return c;
}

/* The induction variable and its bounds are not passed. */
static qn_control counted(const qn_op *op) {
  const qn_block *body = qn_op_body(op);
  qn_control c = {
      .lists = {{op->result_count, body->args + 1, true}}, .list_count = 1, .loops = true};
  add_transfer(&c, op, 3, 0);
  add_transfer(&c, body->last, 0, 0);
  return c;
}

/* scf.while: the first block is executed once more than the second, and yields the results. */
static qn_control repeated(const qn_op *op) {
  const qn_block *before = op->regions[0].first, *after = op->regions[1].first;
  qn_control c = {
      .lists = {{before->arg_count, before->args, false}, {after->arg_count, after->args, true}},
      .list_count = 2,
      .loops = true};
  add_transfer(&c, op, 0, 0);
  add_transfer(&c, before->last, 1, 1);
  add_transfer(&c, after->last, 0, 0);
  return c;
}

qn_control qn_control_of(const qn_op *op) {
  static qn_control (*const functions[QN_OP_COUNT])(const qn_op *op) = {
      [QN_OP_SCF_IF] = branch, [QN_OP_SCF_FOR] = counted, [QN_OP_SCF_WHILE] = repeated};
  return functions[op->kind](op);
}

const qn_value *qn_slot_value(const qn_op *op, const qn_slots *slots, uint32_t i) {
  return slots->args ? slots->args[i] : &op->results[i];
}

/* The iterations of an scf.for; 1 if they are unknown. */
static int64_t iterations_of(const qn_op *loop) {
  int64_t bounds[3], count;
  for (uint32_t i = 0; i < 3; i++) {
    const qn_attr *bound = qn_value_constant(qn_op_operand(loop, i));
    if (!bound || bound->kind != QN_ATTR_INTEGER) return 1;
    bounds[i] = bound->integer;
  }
  bool known = bounds[2] > 0 && !__builtin_sub_overflow(bounds[1], bounds[0], &count);
  if (!known) return 1;
  return count <= 0 ? 0 : (count - 1) / bounds[2] + 1;
}

int64_t qn_control_rounds(const qn_op *op) {
  int64_t rounds = 1;
  for (const qn_op *outer = qn_op_parent(op); outer && qn_op_has(outer, QN_CONTROL);
       outer = qn_op_parent(outer)) {
    int64_t count = outer->kind == QN_OP_SCF_FOR ? iterations_of(outer) : 1;
    if (!qn_checked_mul(rounds, count, &rounds)) return INT64_MAX;
  }
  return rounds;
}

int64_t qn_launch_macs(const qn_op *launch) {
  int64_t macs = qn_op_macs(launch);
  return qn_checked_mul(macs, qn_control_rounds(launch), &macs) ? macs : INT64_MAX;
}
