/* Results of @main, which are written directly to outputs and states, or copied there at the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/results.h"

#include "lower/loops/memory/in_place.h"

bool *qn_memory_parts(const qn_assigner *a) {
  const qn_memory_plan *plan = a->plan;
  bool *has_parts = QN_NEW_ARRAY(a->lo->scratch, plan->buffers.count, bool);
  for (uint32_t i = 0; i < plan->buffers.count; i++) {
    uint32_t top = qn_memory_resolve(plan, i).buffer;
    if (plan->buffers.data[i].bytes != plan->buffers.data[top].bytes) has_parts[top] = true;
  }
  return has_parts;
}

/* Whether the tensor fills an arena buffer that can be replaced by a buffer of @main. */
static bool may_leave_arena(const qn_assigner *a, const qn_value *v) {
  qn_buffer_slice place = qn_memory_place(a->plan, v);
  const qn_buffer *s = &a->plan->buffers.data[place.buffer];
  return s->space == QN_SPACE_ARENA && place.offset == 0 && s->bytes == qn_tensor_bytes(v->type) &&
         (qn_tensor_is_bytes(v->type) || !a->has_parts[place.buffer]);
}

/* Adds a copy at the end of @main. */
static void add_copy(const qn_assigner *a, const qn_value *tensor, uint32_t from, uint32_t to) {
  qn_memory_copy(a->plan, (qn_result_copy){qn_op_body(a->func)->last, tensor, from, to});
}

static const qn_value *result_of(const qn_assigner *a, uint32_t number) {
  return qn_op_operand(qn_op_body(a->func)->last, number);
}

void qn_place_outputs(const qn_assigner *a) {
  for (uint32_t i = 0; i < a->lo->entry.output_count; i++) {
    const qn_value *v = result_of(a, a->lo->entry.outputs[i]);
    if (may_leave_arena(a, v)) {
      qn_buffer *s = qn_memory_top(a->plan, v);
      s->space = QN_SPACE_OUTPUT;
      s->index = i;
      continue;
    }
    int64_t end = a->plan->step_count;
    qn_buffer output = {.space = QN_SPACE_OUTPUT,
                        .index = i,
                        .bytes = qn_tensor_bytes(v->type),
                        .first = end - 1,
                        .last = end};
    add_copy(a, v, QN_NO_BUFFER, qn_memory_add(a->plan, output));
  }
}

/* ---- states ---- */

/* Whether the new value can overwrite the old one, because no later op reads the old value. */
static bool may_replace(const qn_assigner *a, uint32_t state, const qn_value *v) {
  if (a->lo->keep_tensors || !may_leave_arena(a, v)) return false;
  int64_t read = a->plan->buffers.data[state].last, written = qn_memory_top(a->plan, v)->first;
  return read < written || (read == written && qn_works_in_place(a, v->op, state, v));
}

static uint32_t state_buffer(const qn_assigner *a, uint32_t k) {
  return a->buffer_of[qn_op_body(a->func)->args[a->lo->entry.state_arguments[k]]->id];
}

/* Adds the copies of states. The old value of one state may be the new value of another: a value
 * that a copy would overwrite before it is read is saved first. */
static void copy_states(const qn_assigner *a, const bool *copied) {
  qn_memory_plan *plan = a->plan;
  uint32_t count = a->lo->entry.state_count;
  uint32_t *from = QN_NEW_ARRAY(a->lo->scratch, (size_t)count + 1, uint32_t);
  for (uint32_t k = 0; k < count; k++) {
    from[k] = QN_NO_BUFFER;
    if (!copied[k]) continue;
    const qn_value *v = result_of(a, a->lo->entry.state_results[k]);
    const qn_buffer *s = qn_memory_top(a->plan, v);
    if (s->space != QN_SPACE_STATE || !copied[s->index]) continue;
    int64_t end = plan->step_count;
    qn_buffer saved = {.bytes = qn_tensor_bytes(v->type), .first = end - 1, .last = end};
    from[k] = qn_memory_add(plan, saved);
    add_copy(a, v, QN_NO_BUFFER, from[k]);
  }
  for (uint32_t k = 0; k < count; k++)
    if (copied[k])
      add_copy(a, result_of(a, a->lo->entry.state_results[k]), from[k], state_buffer(a, k));
}

void qn_place_states(const qn_assigner *a) {
  uint32_t count = a->lo->entry.state_count;
  bool *copied = QN_NEW_ARRAY(a->lo->scratch, (size_t)count + 1, bool);
  for (uint32_t k = 0; k < count; k++) {
    const qn_value *v = result_of(a, a->lo->entry.state_results[k]);
    uint32_t state = state_buffer(a, k), place = qn_memory_place(a->plan, v).buffer;
    if (place == state) continue;
    copied[k] = !may_replace(a, state, v);
    if (!copied[k]) qn_memory_merge(a->plan, place, state, 0);
  }
  copy_states(a, copied);
}
