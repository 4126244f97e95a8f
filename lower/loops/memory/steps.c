/* Numbers ops as program points, and computes lifetimes of values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/steps.h"

#include "ir/ops/control.h"
#include "ir/walk.h"
#include "lower/loops/fuse_producer/fuse_producer.h"
#include "lower/loops/fusion/fusion.h"

typedef struct span {
  int64_t step, end;
} span;

static span *span_of(const qn_memory_plan *plan, const qn_op *op) {
  return qn_map_get(&plan->spans, op);
}

int64_t qn_memory_step(const qn_memory_plan *plan, const qn_op *op) {
  return span_of(plan, op)->step;
}

int64_t qn_memory_end(const qn_memory_plan *plan, const qn_op *op) {
  return span_of(plan, op)->end;
}

/* Closes the branches and loops whose last block ends with `op`, and gives each an end point. */
static int64_t close(const qn_assigner *a, const qn_op *op, int64_t step) {
  const qn_op *next = qn_nested_next(op, a->func);
  const qn_op *outer = next ? qn_op_parent(next) : a->func;
  for (const qn_op *p = qn_op_parent(op); p != a->func && p != outer; p = qn_op_parent(p))
    span_of(a->plan, p)->end = step++;
  return step;
}

static void number_ops(const qn_assigner *a) {
  int64_t step = 0;
  QN_FOR_EACH_NESTED_OP(op, a->func) {
    span *s = QN_NEW(a->lo->scratch, span);
    s->step = s->end = step++;
    qn_map_set(&a->plan->spans, op, s);
    bool open = qn_op_has(op, QN_CONTROL) && qn_nested_first(op);
    if (!open) step = close(a, op, step);
  }
  a->plan->step_count = step;
}

/* ---- lifetimes ---- */

static void define(const qn_assigner *a, const qn_value *v, int64_t step) {
  a->plan->def_step[v->id] = step;
  a->plan->last_step[v->id] = step;
}

static void define_all(const qn_assigner *a, const qn_op *op) {
  const qn_op *root = qn_fusion_root(a->lo, op);
  bool control = qn_op_has(op, QN_CONTROL);
  int64_t step = qn_memory_step(a->plan, op);
  for (uint32_t r = 0; control && r < op->region_count; r++)
    QN_FOR_EACH_BLOCK(block, &op->regions[r])
  for (uint32_t i = 0; i < block->arg_count; i++) define(a, block->args[i], step);
  if (root) step = qn_memory_step(a->plan, root);
  if (control) step = qn_memory_end(a->plan, op);
  for (uint32_t i = 0; i < op->result_count; i++) define(a, &op->results[i], step);
}

/* If the kernel of `op` stores to the tensor of another op, that begins with the first such
 * kernel. */
static void begin_result(const qn_assigner *a, const qn_op *op) {
  if (op->result_count != 1 || qn_fusion_root(a->lo, op)) return;
  const qn_value *result = qn_fusion_result(a->lo, op);
  const int64_t step = qn_memory_step(a->plan, op);
  if (result->op == op) return; /* its own */
  if (a->plan->def_step[result->id] > step) a->plan->def_step[result->id] = step;
}

/* The program point after which `op` no longer reads v. A producer that is fused into a consumer's
 * kernel runs at the consumer's point. If v is defined outside a loop that contains `op`, v is read
 * until the end of the loop. */
static int64_t read_until(const qn_assigner *a, const qn_op *op, const qn_value *v) {
  const qn_block *space = v->op ? v->op->block : v->block;
  const qn_op *reader = qn_producer_consumer(a->lo, op);
  int64_t until = qn_memory_step(a->plan, reader ? reader : op);
  for (; op->block != space; op = qn_op_parent(op)) {
    const qn_op *parent = qn_op_parent(op);
    if (qn_control_of(parent).loops) until = qn_memory_end(a->plan, parent);
  }
  return until;
}

void qn_memory_steps(const qn_assigner *a) {
  number_ops(a);
  QN_FOR_EACH_NESTED_OP(op, a->func) define_all(a, op);
  QN_FOR_EACH_NESTED_OP(op, a->func) {
    begin_result(a, op);
    for (uint32_t i = 0; i < op->operand_count; i++) {
      const qn_value *v = qn_op_operand(op, i);
      int64_t until = read_until(a, op, v);
      if (a->plan->last_step[v->id] < until) a->plan->last_step[v->id] = until;
    }
  }
}
