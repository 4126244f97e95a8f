/* Branches on computed values are if-converted: every reachable block is executed, which is safe,
 * because no op traps or writes anything but its result. The condition selects the values of block
 * arguments and of results.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/tensors/trace.h"

/* A new i1: `a` and/or `b`, or the negation of `b`; just `b` if `a` is NULL (always true). */
static qn_status combine(qn_elements *t, const qn_op *op, qn_op_kind kind, qn_value *a, qn_value *b,
                         bool negated, qn_value **out_active) {
  enum { ARG_ACTIVE, ARG_B, ARG_A, ARG_COUNT };
  const qn_type *i1 = qn_type_i(t->lo->cx, 1);
  qn_place_of place = {.type = i1};
  QN_TRY(qn_elements_new_buffer(t, op, &place));
  qn_value *const buffers[ARG_COUNT] = {[ARG_ACTIVE] = place.buffer, [ARG_B] = b, [ARG_A] = a};
  qn_kernel k = qn_kernel_begin(t->lo, "active", op, buffers, a ? ARG_COUNT : ARG_A);
  qn_value *zero = qn_build_index(&k.b, 0),
           *value = qn_elements_load(&k.b, i1, k.args[ARG_B], zero);
  if (negated) value = qn_build_binary(&k.b, QN_OP_ARITH_XORI, value, qn_build_int(&k.b, 1, i1));
  if (a)
    value = qn_build_binary(&k.b, kind, qn_elements_load(&k.b, i1, k.args[ARG_A], zero), value);
  qn_elements_store(&k.b, value, k.args[ARG_ACTIVE], zero);
  qn_kernel_end(&k, 1, 0);
  *out_active = place.buffer;
  return QN_OK;
}

/* The condition under which the call takes this edge; NULL: always. */
static qn_status edge_active(qn_elements *t, const qn_edge *edge, qn_value **out_active) {
  const qn_op *branch = edge->branch;
  *out_active = edge->from->active;
  if (branch->kind != QN_OP_CF_COND_BR) return QN_OK;
  const qn_value *condition = qn_op_operand(branch, 0);
  if (qn_elements_place(t, condition)->fixed) return QN_OK;
  return combine(t, branch, QN_OP_ARITH_ANDI, edge->from->active, qn_elements_buffer(t, condition),
                 edge->successor == 1, out_active);
}

/* With one incoming edge, the block arguments are its operands. */
static void rename_args(qn_elements *t, const qn_flow *flow) {
  const qn_edge *edge = flow->edges;
  uint32_t first = qn_op_successor_operand(edge->branch, edge->successor);
  for (uint32_t i = 0; i < flow->block->arg_count; i++)
    qn_elements_place(t, flow->block->args[i])->buffer =
        qn_elements_buffer(t, qn_op_operand(edge->branch, first + i));
}

/* With several edges, the first sets the arguments, and each other one overwrites them if the call
 * takes it. */
static void merge_args(qn_elements *t, const qn_flow *flow, const qn_edge *edge, qn_value *when) {
  uint32_t first = qn_op_successor_operand(edge->branch, edge->successor);
  for (uint32_t i = 0; i < flow->block->arg_count; i++) {
    const qn_place_of *place = qn_elements_place(t, flow->block->args[i]);
    qn_value *from = qn_elements_buffer(t, qn_op_operand(edge->branch, first + i));
    qn_elements_copy(t, edge->branch, place->type, from, place->buffer, when);
  }
}

qn_status qn_trace_enter(qn_trace *trace, qn_flow *flow) {
  qn_elements *t = &trace->elements;
  const qn_edge *first = flow->edges;
  if (!first) return QN_OK;
  t->lo->main.loc = first->branch->loc;
  QN_TRY(edge_active(t, first, &flow->active));
  if (!first->next) {
    rename_args(t, flow);
    return QN_OK;
  }
  for (uint32_t i = 0; i < flow->block->arg_count; i++)
    QN_TRY(qn_elements_new_buffer(t, first->branch, qn_elements_place(t, flow->block->args[i])));
  merge_args(t, flow, first, NULL);
  for (const qn_edge *edge = first->next; edge; edge = edge->next) {
    qn_value *active;
    QN_TRY(edge_active(t, edge, &active));
    merge_args(t, flow, edge, active);
    if (flow->active && active)
      QN_TRY(combine(t, edge->branch, QN_OP_ARITH_ORI, flow->active, active, false, &flow->active));
    else
      flow->active = NULL;
  }
  return QN_OK;
}
