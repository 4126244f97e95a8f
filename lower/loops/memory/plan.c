/* Buffer assignment in several walks over the ops: a buffer for each tensor; views; concatenations;
 * slots of branches and loops; outputs and states; in-place results. Each walk only merges whole
 * buffers into others, so lifetimes stay plain intervals. If two ways of sharing conflict, the
 * earlier walk wins.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/plan.h"

#include "ir/walk.h"
#include "lower/loops/elements/row_groups.h"
#include "lower/loops/fusion/fusion.h"
#include "lower/loops/memory/in_place.h"
#include "lower/loops/memory/offsets.h"
#include "lower/loops/memory/results.h"
#include "lower/loops/memory/slots.h"
#include "lower/loops/memory/steps.h"
#include "lower/loops/memory/views.h"
#include "lower/loops/prepared.h"
#include "lower/loops/schedule.h"

/* ---- the walks ---- */

static void add_arguments(const qn_assigner *a, qn_memory_space space, const uint32_t *numbers,
                          uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const qn_value *v = qn_op_body(a->func)->args[numbers[i]];
    a->buffer_of[v->id] = qn_memory_add(a->plan, (qn_buffer){.space = space,
                                                             .index = i,
                                                             .bytes = qn_tensor_bytes(v->type),
                                                             .last = a->plan->last_step[v->id]});
  }
}

/* Adds buffers for the block arguments of a branch or loop; scalars take no memory. */
static void add_block_arguments(const qn_assigner *a, const qn_op *op) {
  for (uint32_t r = 0; r < op->region_count; r++) QN_FOR_EACH_BLOCK(block, &op->regions[r]) {
      for (uint32_t i = 0; i < block->arg_count; i++) {
        const qn_value *v = block->args[i];
        a->buffer_of[v->id] = qn_memory_add(a->plan, (qn_buffer){.bytes = qn_tensor_bytes(v->type),
                                                                 .first = a->plan->def_step[v->id],
                                                                 .last = a->plan->last_step[v->id],
                                                                 .shared = true});
      }
    }
}

static qn_memory_space space_of(const qn_loops *lo, const qn_op *op) {
  if (qn_loops_is_constant(op)) return QN_SPACE_CONSTANT;
  return qn_prepared_op(lo, op) ? QN_SPACE_PREPARED : QN_SPACE_ARENA;
}

static void create_buffers(const qn_assigner *a) {
  qn_memory_plan *plan = a->plan;
  add_arguments(a, QN_SPACE_INPUT, a->lo->entry.inputs, a->lo->entry.input_count);
  add_arguments(a, QN_SPACE_STATE, a->lo->entry.state_arguments, a->lo->entry.state_count);
  QN_FOR_EACH_NESTED_OP(op, a->func) {
    bool control = qn_op_has(op, QN_CONTROL);
    bool keep = qn_memory_keeps(a->lo, op);
    if (control) add_block_arguments(a, op);
    bool fused_away = op->result_count == 1 && qn_fusion_is_consumed(a->lo, op);
    for (uint32_t i = 0; i < op->result_count; i++) {
      const qn_value *v = &op->results[i];
      a->buffer_of[v->id] =
          qn_memory_add(plan, (qn_buffer){.space = space_of(a->lo, op),
                                          .bytes = fused_away ? 0 : qn_tensor_bytes(v->type),
                                          .first = keep ? 0 : plan->def_step[v->id],
                                          .last = keep ? plan->step_count : plan->last_step[v->id],
                                          .kept = keep,
                                          .shared = control});
    }
  }
}

/* ---- which walk handles which op ---- */

typedef enum turn { NO_TURN, VIEWS, JOINS, IN_PLACE } turn;
static const struct {
  turn turn;
  void (*visit)(const qn_assigner *a, const qn_op *op);
} sharings[QN_SHARING_COUNT] = {
    [QN_SHARES_NOTHING] = {NO_TURN, NULL},
    [QN_SHARES_WHOLE] = {VIEWS, qn_view_reshape},
    [QN_SHARES_CUT] = {VIEWS, qn_view_split},
    [QN_SHARES_RANGE] = {VIEWS, qn_view_slice},
    [QN_SHARES_JOINED] = {JOINS, qn_place_parts},
    [QN_SHARES_LAST_USE] = {IN_PLACE, qn_place_in_operand},
    [QN_SHARES_OUTPUTS] = {IN_PLACE, qn_place_generic},
};

static void walk(const qn_assigner *a, turn now) {
  QN_FOR_EACH_NESTED_OP(op, a->func) {
    qn_sharing sharing = qn_schedule_of(op)->sharing; /* scalars have no buffer */
    if (sharings[sharing].turn == now) sharings[sharing].visit(a, op);
  }
}

/* Buffers of a row group are in use from its first op to its last, because its kernel finishes all
 * ops for a row before it begins the next row. */
static void extend(const qn_assigner *a, const qn_row_group *group, const qn_value *v) {
  if (a->buffer_of[v->id] == QN_NO_BUFFER) return;
  qn_buffer *top = qn_memory_top(a->plan, v);
  int64_t first = qn_memory_step(a->plan, group->ops[0]);
  int64_t last = qn_memory_step(a->plan, qn_row_group_last(group));
  if (top->first > first) top->first = first;
  if (top->last < last) top->last = last;
}

static void extend_row_groups(const qn_assigner *a) {
  QN_FOR_EACH_NESTED_OP(op, a->func) {
    const qn_row_group *group = qn_row_group_of(a->lo, op);
    if (!group) continue;
    for (uint32_t i = 0; i < op->operand_count; i++) extend(a, group, qn_op_operand(op, i));
    for (uint32_t i = 0; i < op->result_count; i++) extend(a, group, &op->results[i]);
  }
}

bool qn_memory_keeps(const qn_loops *lo, const qn_op *op) {
  bool once = qn_op_parent(op) == lo->entry.func;
  return lo->keep_tensors && once && !qn_loops_is_constant(op) && qn_op_find(op, QN_A_TENSORS);
}

qn_memory_plan *qn_memory_plan_create(qn_loops *lo, const qn_op *func) {
  qn_memory_plan *plan = QN_NEW(lo->kept, qn_memory_plan);
  uint32_t values = lo->module->value_count;
  uint32_t *buffer_of = QN_NEW_ARRAY(lo->kept, values, uint32_t);
  for (uint32_t i = 0; i < values; i++) buffer_of[i] = QN_NO_BUFFER;
  plan->buffer_of = buffer_of;
  plan->value_count = values;
  plan->def_step = QN_NEW_ARRAY(lo->kept, values, int64_t);
  plan->last_step = QN_NEW_ARRAY(lo->kept, values, int64_t);
  qn_assigner a = {lo, func, plan, buffer_of, NULL};
  qn_memory_steps(&a);
  create_buffers(&a);
  if (!lo->keep_tensors) {
    walk(&a, VIEWS);
    walk(&a, JOINS);
  }
  qn_place_slots(&a);
  a.has_parts = qn_memory_parts(&a);
  qn_place_outputs(&a);
  qn_place_states(&a);
  if (!lo->keep_tensors) walk(&a, IN_PLACE);
  extend_row_groups(&a);
  return plan;
}

void qn_memory_plan_destroy(qn_memory_plan *plan) {
  if (!plan) return;
  qn_array_free(&plan->buffers);
  qn_array_free(&plan->copies);
  qn_map_deinit(&plan->spans);
  qn_map_deinit(&plan->first_copy);
}

/* ---- offsets ---- */

/* The arena buffers that each op reads and writes, as pairs to keep apart. */
static uint32_t collect_pairs(const qn_loops *lo, const qn_op *func, const uint32_t *buffer_of,
                              qn_buffer_pair *out_pairs) {
  uint32_t count = 0;
  QN_FOR_EACH_NESTED_OP(op, func) {
    if (op->result_count == 0 || qn_op_has(op, QN_CONTROL)) continue;
    const qn_op *root = qn_fusion_root(lo, op);
    const qn_value *result = qn_fusion_result(lo, root ? root : op);
    uint32_t out = buffer_of[qn_memory_place(lo->plan, result).buffer];
    for (uint32_t i = 0; i < op->operand_count; i++) {
      uint32_t in = buffer_of[qn_memory_place(lo->plan, qn_op_operand(op, i)).buffer];
      if (in == QN_NO_BUFFER || out == QN_NO_BUFFER || in == out) continue;
      if (out_pairs) out_pairs[count] = (qn_buffer_pair){in, out};
      count++;
    }
  }
  return count;
}

/* Whether the buffer has a place in the memory `space`. */
static bool has_place(const qn_loops *lo, const qn_buffer *buffer, qn_memory_space space) {
  bool io = buffer->space == QN_SPACE_INPUT || buffer->space == QN_SPACE_OUTPUT;
  return buffer->space == space || (io && space == QN_SPACE_ARENA && lo->io_in_arena);
}

/* An input is there before the first op, an output after the last one. */
static qn_interval_buffer interval_of(const qn_loops *lo, const qn_buffer *s) {
  bool input = s->space == QN_SPACE_INPUT, output = s->space == QN_SPACE_OUTPUT;
  return (qn_interval_buffer){s->bytes, input ? 0 : s->first,
                              output ? lo->plan->step_count : s->last, lo->target->line_bytes};
}

/* Assigns offsets to the buffers of one memory; buffers of others keep theirs. Returns its size. */
static int64_t assign_offsets(const qn_loops *lo, const qn_op *func, qn_memory_space space,
                              int64_t *offsets) {
  const qn_memory_plan *plan = lo->plan;
  qn_arena *scratch = lo->scratch;
  uint32_t total = (uint32_t)plan->buffers.count, count = 0;
  qn_interval_buffer *buffers = QN_NEW_ARRAY(scratch, total, qn_interval_buffer);
  uint32_t *buffer_of = QN_NEW_ARRAY(scratch, total, uint32_t);
  for (uint32_t i = 0; i < total; i++) {
    const qn_buffer *s = &plan->buffers.data[i];
    bool own = s->parent == i && has_place(lo, s, space);
    buffer_of[i] = own ? count : QN_NO_BUFFER;
    if (own) buffers[count++] = interval_of(lo, s);
  }
  uint32_t pair_count = collect_pairs(lo, func, buffer_of, NULL);
  qn_buffer_pair *pairs = QN_NEW_ARRAY(scratch, pair_count, qn_buffer_pair);
  collect_pairs(lo, func, buffer_of, pairs);
  int64_t *assigned = QN_NEW_ARRAY(scratch, count, int64_t);
  int64_t size = qn_offsets_plan(buffers, count, pairs, pair_count, lo->target->alias_bytes,
                                 scratch, assigned, NULL);
  for (uint32_t i = 0; i < total; i++)
    if (buffer_of[i] != QN_NO_BUFFER) offsets[i] = assigned[buffer_of[i]];
  for (uint32_t i = 0; i < count; i++)
    QN_ASSERT(assigned[i] >= 0 && assigned[i] % lo->target->line_bytes == 0 &&
              assigned[i] + buffers[i].size <= size);
  return size;
}

qn_memory_sizes qn_memory_offsets(const qn_loops *lo, const qn_op *func, int64_t *out_offsets) {
  for (size_t i = 0; i < lo->plan->buffers.count; i++) out_offsets[i] = 0;
  qn_memory_sizes sizes;
  sizes.arena_bytes = assign_offsets(lo, func, QN_SPACE_ARENA, out_offsets);
  sizes.prepared_bytes = assign_offsets(lo, func, QN_SPACE_PREPARED, out_offsets);
  return sizes;
}
