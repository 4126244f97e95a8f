/* Orders the blocks of a function that a call with given shapes may reach, and runs each once on
 * zeros. A branch that depends on shapes is decided here. A branch on computed values leads to both
 * successors, which are both executed (branches.c). Loops are rejected, because their number of
 * iterations would depend on computed values.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"
#include "eval/eval_op.h"
#include "ir/walk.h"
#include "lower/loops/elements/record.h"
#include "lower/tensors/trace.h"

typedef struct tracer {
  qn_trace *t;
  qn_eval ev;
  qn_map flows; /* block -> qn_flow* */
  qn_flow *ready, **last_ready, **last;
  uint32_t found, ordered;
  uint32_t open; /* possible edges into blocks that are not in the order yet */
  bool certain;  /* every call reaches the current block */
  bool failed;
} tracer;

/* ---- blocks ---- */

static qn_flow *flow_of(tracer *tr, const qn_block *block) {
  qn_flow *flow = qn_map_get(&tr->flows, block);
  if (flow) return flow;
  flow = QN_NEW(tr->t->elements.lo->scratch, qn_flow);
  flow->block = block;
  qn_map_set(&tr->flows, block, flow);
  tr->found++;
  return flow;
}

/* Counts the incoming edges of every block that `entry` reaches. */
static void find_blocks(tracer *tr, const qn_block *entry) {
  typedef struct item {
    const qn_block *block;
    struct item *next;
  } item;
  qn_arena *scratch = tr->t->elements.lo->scratch;
  item *todo = QN_NEW(scratch, item);
  todo->block = entry;
  (void)flow_of(tr, entry);
  while (todo) {
    const qn_op *last = todo->block->last;
    todo = todo->next;
    for (uint32_t i = 0; last && i < last->successor_count; i++) {
      uint32_t before = tr->found;
      flow_of(tr, last->successors[i])->unseen++;
      if (tr->found == before) continue;
      item *next = QN_NEW(scratch, item);
      *next = (item){last->successors[i], todo};
      todo = next;
    }
  }
}

static void make_ready(tracer *tr, qn_flow *flow) {
  *tr->last_ready = flow;
  tr->last_ready = &flow->next;
}

/* ---- known values ---- */

static void note(void *user, const qn_op *op, uint32_t result, const qn_rt_value *value) {
  qn_trace *t = ((tracer *)user)->t;
  qn_place_of *place = qn_trace_place(t, &op->results[result]);
  place->type = value->type;
  place->known = place->fixed || qn_element_record_of(op)->part == QN_ELEMENT_CONTENT;
  if (!place->known) return;
  uint8_t scratch[QN_SCALAR_BYTES];
  const uint8_t *bytes = qn_rt_bytes(value, scratch);
  size_t size = qn_type_is_shaped(value->type) ? (size_t)value->size : qn_type_bytes(value->type);
  place->content = (qn_bytes){qn_arena_copy(t->elements.lo->scratch, bytes, size), size};
}

static void fail(tracer *tr, const qn_op *op, const char *what) {
  qn_elements_refuse(tr->t->elements.lo->cx, op, what);
  tr->failed = true;
}

/* Sets what is known of block arguments. With one predecessor they are its operands; with several,
 * unknown values of one shape. */
static void enter(tracer *tr, const qn_flow *flow) {
  const qn_edge *only = flow->edges;
  for (const qn_edge *edge = only; edge; edge = edge->next) {
    uint32_t first = qn_op_successor_operand(edge->branch, edge->successor);
    for (uint32_t i = 0; i < flow->block->arg_count; i++) {
      qn_place_of *place = qn_trace_place(tr->t, flow->block->args[i]);
      const qn_place_of *from = qn_trace_place(tr->t, qn_op_operand(edge->branch, first + i));
      if (edge != only && !tr->failed && place->type != from->type)
        fail(tr, edge->branch, "brings another shape than another branch to the same block");
      else
        *place = only->next ? (qn_place_of){.type = from->type} : *from;
    }
  }
  if (!only || tr->failed) return;
  qn_eval_assign_args(&tr->ev, flow->block, 0, only->branch,
                      qn_op_successor_operand(only->branch, only->successor),
                      flow->block->arg_count);
}

static void leave_function(tracer *tr, const qn_op *ret) {
  const qn_op *first = tr->t->result;
  tr->t->result = first ? first : ret;
  for (uint32_t i = 0; first && !tr->failed && i < ret->operand_count; i++)
    if (qn_trace_place(tr->t, qn_op_operand(ret, i))->type !=
        qn_trace_place(tr->t, qn_op_operand(first, i))->type)
      fail(tr, ret, "returns another shape than another return");
}

/* ---- the order ---- */

/* Whether the call may take this successor. */
static bool may_take(tracer *tr, const qn_op *branch, uint32_t successor) {
  if (branch->kind != QN_OP_CF_COND_BR || tr->failed) return true;
  const qn_place_of *condition = qn_trace_place(tr->t, qn_op_operand(branch, 0));
  return !condition->fixed || (condition->content.data[0] & 1) == (successor == 0 ? 1 : 0);
}

/* Leaves a block. `possible`: the call may reach it. */
static void leave(tracer *tr, qn_flow *flow, bool possible) {
  const qn_op *last = flow->block->last;
  for (uint32_t i = 0; last && i < last->successor_count; i++) {
    qn_flow *to = flow_of(tr, last->successors[i]);
    if (possible && may_take(tr, last, i)) {
      qn_edge *edge = QN_NEW(tr->t->elements.lo->scratch, qn_edge);
      *edge = (qn_edge){last, i, flow, to->edges};
      to->edges = edge;
      tr->open++;
    }
    if (--to->unseen == 0) make_ready(tr, to);
  }
}

static qn_status visit(tracer *tr, qn_flow *flow) {
  const qn_op *last = flow->block->last;
  for (const qn_edge *edge = flow->edges; edge; edge = edge->next) tr->open--;
  tr->certain = tr->open == 0 && !tr->t->result;
  *tr->last = flow;
  tr->last = &flow->next;
  enter(tr, flow);
  if (!last) {
    fail(tr, flow->edges->branch, "branches to an empty block");
    return QN_OK;
  }
  tr->failed |= !qn_trace_check(tr->t, flow->block);
  if (!tr->failed) QN_TRY(qn_eval_block(&tr->ev, flow->block));
  if (last->kind == QN_OP_FUNC_RETURN) leave_function(tr, last);
  return QN_OK;
}

static qn_status visit_all(tracer *tr) {
  while (tr->ready) {
    qn_flow *flow = tr->ready;
    tr->ready = flow->next;
    if (!tr->ready) tr->last_ready = &tr->ready;
    flow->next = NULL;
    tr->ordered++;
    bool possible = flow->edges || flow->block == qn_op_body(tr->t->func);
    if (possible) QN_TRY(visit(tr, flow));
    leave(tr, flow, possible);
  }
  return QN_OK;
}

/* Rejects loops: blocks that never became ready wait for each other. */
static void refuse_loops(tracer *tr) {
  if (tr->ordered == tr->found) return;
  QN_FOR_EACH_BLOCK(block, &tr->t->func->regions[0]) {
    const qn_flow *flow = qn_map_get(&tr->flows, block);
    if (!flow || flow->unseen == 0 || !flow->edges) continue;
    fail(tr, flow->edges->branch,
         "leads into a loop, which has no machine code outside of a model");
    return;
  }
}

/* ---- the run ---- */

static qn_status bind(tracer *tr, const qn_type *const *types) {
  qn_trace *t = tr->t;
  const qn_block *body = qn_op_body(t->func);
  qn_rt_value *values = QN_NEW_ARRAY(tr->ev.arena, body->arg_count + 1, qn_rt_value);
  const qn_rt_value **views = QN_NEW_ARRAY(tr->ev.arena, body->arg_count + 1, const qn_rt_value *);
  for (uint32_t i = 0; i < body->arg_count; i++) {
    qn_trace_place(t, body->args[i])->type = types[i];
    values[i].type = types[i];
    views[i] = &values[i];
    if (!qn_type_is_shaped(types[i])) continue;
    values[i].size = qn_type_size(types[i]);
    values[i].data = qn_arena_array(tr->ev.arena, (size_t)values[i].size + 1, 1);
  }
  return qn_eval_bind(&tr->ev, t->func, views, body->arg_count);
}

static qn_status trace(tracer *tr, const qn_type *const *types) {
  const qn_block *entry = qn_op_body(tr->t->func);
  QN_TRY(bind(tr, types));
  tr->last_ready = &tr->ready;
  tr->last = &tr->t->flow;
  find_blocks(tr, entry);
  make_ready(tr, flow_of(tr, entry));
  QN_TRY(visit_all(tr));
  if (!tr->failed) refuse_loops(tr);
  return tr->failed ? QN_UNSUPPORTED : QN_OK;
}

/* Whether an error of the run counts. The zeros used as placeholders may have no result where real
 * values have one, and blocks that a call may not reach need none. */
static bool is_meant(void *user, const qn_op *op) {
  const tracer *tr = user;
  return tr->certain && qn_trace_place(tr->t, &op->results[0])->fixed;
}

qn_status qn_trace_run(qn_trace *t, const qn_type *const *types, int64_t max_steps) {
  qn_arena arena;
  qn_arena_init(&arena);
  tracer tr = {.t = t};
  qn_eval_options options = {
      .observe = note, .user = &tr, .max_steps = max_steps, .is_meant = is_meant};
  qn_eval_open(&tr.ev, t->source, t->func, &arena, &options);
  qn_status status = trace(&tr, types);
  qn_eval_close(&tr.ev);
  qn_map_deinit(&tr.flows);
  qn_arena_deinit(&arena);
  return status;
}
