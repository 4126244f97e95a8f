/* Buffers of slots (loop-carried variables). Each iteration of a loop reads what the previous one
 * left, so a slot lives from the beginning to the end of its loop. A new value is written directly
 * to the slot only after the last read of the old value. Otherwise it has its own buffer and is
 * copied at the end of the iteration.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/slots.h"

#include "ir/ops/control.h"
#include "ir/walk.h"
#include "lower/loops/memory/in_place.h"
#include "lower/loops/memory/steps.h"

/* The assignment of slots of one branch or loop. */
typedef struct placer {
  const qn_assigner *a;
  const qn_op *op;
  qn_control control;
  int64_t
      *read[QN_MOST_SLOT_LISTS]; /* [slot] the last program point of an iteration that reads it */
  uint32_t *written,
      turn; /* [buffer] the last group of copies that wrote it; index of the current group */
} placer;

static qn_buffer *top_of(const placer *p, const qn_value *v) {
  return qn_memory_top(p->a->plan, v);
}

static bool is_tensor(const qn_value *v) { return qn_type_is_shaped(v->type); }

static void join(const placer *p, const qn_value *part, const qn_value *whole) {
  qn_memory_plan *plan = p->a->plan;
  uint32_t from = qn_memory_place(plan, part).buffer, to = qn_memory_place(plan, whole).buffer;
  if (from == to) return;
  plan->buffers.data[to].kept |= plan->buffers.data[from].kept;
  qn_memory_merge(plan, from, to, 0);
}

/* A value that the condition of an scf.while passes unchanged to the body (list 1) needs no
 * separate slot. */
static void share_arguments(const placer *p, const qn_transfer *t) {
  const qn_slots *to = &p->control.lists[t->list];
  if (!p->control.loops || t->list == 0 || p->a->lo->keep_tensors) return;
  for (uint32_t i = 0; i < to->count; i++) {
    const qn_value *v = qn_op_operand(t->from, t->first + i);
    if (is_tensor(v) && v->block == t->from->block) join(p, to->args[i], v);
  }
}

static void note_reads(placer *p) {
  for (uint32_t l = 0; l < p->control.list_count; l++) {
    const qn_slots *slots = &p->control.lists[l];
    p->read[l] = QN_NEW_ARRAY(p->a->lo->scratch, (size_t)slots->count + 1, int64_t);
    for (uint32_t i = 0; i < slots->count; i++) {
      const qn_value *v = qn_slot_value(p->op, slots, i);
      if (is_tensor(v)) p->read[l][i] = top_of(p, v)->last;
    }
  }
}

static void open_slots(const placer *p) {
  for (uint32_t l = 0; l < p->control.list_count; l++) {
    const qn_slots *slots = &p->control.lists[l];
    for (uint32_t i = 0; i < slots->count; i++) {
      const qn_value *v = qn_slot_value(p->op, slots, i);
      if (!is_tensor(v)) continue;
      if (slots->results) join(p, &p->op->results[i], v);
      qn_buffer *s = top_of(p, v);
      int64_t end = qn_memory_end(p->a->plan, p->op);
      for (uint32_t t = 0; t < p->control.transfer_count; t++) {
        int64_t written = qn_memory_step(p->a->plan, p->control.transfers[t].from);
        if (p->control.transfers[t].list == l && written < s->first) s->first = written;
      }
      if (s->last < end) s->last = end;
    }
  }
}

/* Whether the iteration that ends with transfer `t` began with a transfer to the same list. */
static bool ends_round(const placer *p, const qn_transfer *t) {
  return p->control.loops && t->list == 0 && t->from != p->op;
}

static bool may_write(const placer *p, const qn_transfer *t, uint32_t i, const qn_value *v) {
  const qn_memory_plan *plan = p->a->plan;
  if (t->from == p->op || p->a->lo->keep_tensors || !qn_memory_is_movable(plan, v)) return false;
  int64_t written = top_of(p, v)->first, read = p->read[t->list][i];
  if (written <= qn_memory_step(plan, p->op)) return false; /* defined outside of the loop */
  if (!ends_round(p, t) || read < written) return true;
  const qn_value *slot = qn_slot_value(p->op, &p->control.lists[t->list], i);
  return read == written && v->op &&
         qn_works_in_place(p->a, v->op, qn_memory_place(plan, slot).buffer, v);
}

static void place_sources(const placer *p, const qn_transfer *t) {
  const qn_slots *slots = &p->control.lists[t->list];
  for (uint32_t i = 0; i < slots->count; i++) {
    const qn_value *v = qn_op_operand(t->from, t->first + i);
    if (is_tensor(v) && may_write(p, t, i, v)) join(p, v, qn_slot_value(p->op, slots, i));
  }
}

/* ---- copies ---- */

static bool is_there(const placer *p, const qn_value *v, const qn_value *slot) {
  return !is_tensor(v) || qn_memory_same_place(p->a->plan, v, slot);
}

/* Adds the copies of a transfer, which assigns all slots simultaneously: a value that a copy would
 * overwrite before it is read is saved first. */
static void add_copies(placer *p, const qn_transfer *t) {
  qn_memory_plan *plan = p->a->plan;
  const qn_slots *slots = &p->control.lists[t->list];
  uint32_t *from = QN_NEW_ARRAY(p->a->lo->scratch, (size_t)slots->count + 1, uint32_t);
  int64_t step = qn_memory_step(plan, t->from);
  for (uint32_t i = 0; i < slots->count; i++) {
    const qn_value *slot = qn_slot_value(p->op, slots, i);
    bool there = is_there(p, qn_op_operand(t->from, t->first + i), slot);
    if (!there) p->written[qn_memory_place(plan, slot).buffer] = p->turn + 1;
  }
  p->turn++;
  for (uint32_t i = 0; i < slots->count; i++) {
    const qn_value *v = qn_op_operand(t->from, t->first + i);
    from[i] = QN_NO_BUFFER;
    if (is_there(p, v, qn_slot_value(p->op, slots, i))) continue;
    if (p->written[qn_memory_place(plan, v).buffer] != p->turn) continue;
    qn_buffer saved = {.bytes = qn_tensor_bytes(v->type), .first = step, .last = step};
    from[i] = qn_memory_add(plan, saved);
    qn_memory_copy(plan, (qn_result_copy){t->from, v, QN_NO_BUFFER, from[i]});
  }
  for (uint32_t i = 0; i < slots->count; i++) {
    const qn_value *v = qn_op_operand(t->from, t->first + i),
                   *slot = qn_slot_value(p->op, slots, i);
    if (!is_there(p, v, slot))
      qn_memory_copy(plan, (qn_result_copy){t->from, v, from[i], p->a->buffer_of[slot->id]});
  }
}

void qn_place_slots(const qn_assigner *a) {
  placer p = {.a = a};
  p.written = QN_NEW_ARRAY(a->lo->scratch, (size_t)a->plan->buffers.count + 1, uint32_t);
  QN_FOR_EACH_NESTED_OP(op, a->func) {
    if (!qn_op_has(op, QN_CONTROL)) continue;
    p.op = op;
    p.control = qn_control_of(op);
    uint32_t count = p.control.transfer_count;
    for (uint32_t t = 0; t < count; t++) share_arguments(&p, &p.control.transfers[t]);
    note_reads(&p);
    open_slots(&p);
    for (uint32_t t = 0; t < count; t++) place_sources(&p, &p.control.transfers[t]);
    for (uint32_t t = 0; t < count; t++) add_copies(&p, &p.control.transfers[t]);
  }
}
