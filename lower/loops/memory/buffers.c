/* Buffers that are parts of other buffers, and their resolution to slices.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/buffers.h"

int64_t qn_tensor_extent(const qn_type *tensor, uint32_t from, uint32_t to) {
  QN_ASSERT(from <= to && to <= tensor->shaped.rank);
  int64_t extent = 1;
  for (uint32_t i = from; i < to; i++) extent *= tensor->shaped.dims[i];
  return extent;
}

int64_t qn_tensor_bytes(const qn_type *tensor) {
  if (!qn_type_is_shaped(tensor)) return 0;
  return qn_type_size(tensor);
}

/* A boolean is stored as a byte, but its memref has element type i1, so it is excluded. */
bool qn_tensor_is_bytes(const qn_type *tensor) {
  const qn_type *element = tensor->shaped.element;
  return element->kind == QN_TYPE_INTEGER && element->integer.width == 8;
}

uint32_t qn_memory_add(qn_memory_plan *plan, qn_buffer buffer) {
  uint32_t number = (uint32_t)plan->buffers.count;
  QN_ASSERT(buffer.bytes >= 0 && buffer.first <= buffer.last);
  buffer.parent = number;
  qn_array_push(&plan->buffers, buffer);
  return number;
}

void qn_memory_copy(qn_memory_plan *plan, qn_result_copy copy) {
  qn_array_push(&plan->copies, copy);
  if (!qn_map_get(&plan->first_copy, copy.at))
    qn_map_set(&plan->first_copy, copy.at, (void *)(uintptr_t)plan->copies.count);
}

/* Compresses the path to the containing buffer, so that long chains of in-place results take
 * constant time. */
qn_buffer_slice qn_memory_resolve(const qn_memory_plan *plan, uint32_t buffer) {
  qn_buffer *all = plan->buffers.data;
  qn_buffer_slice place = {buffer, 0};
  while (all[place.buffer].parent != place.buffer) {
    qn_buffer *s = &all[place.buffer];
    const qn_buffer *parent = &all[s->parent];
    if (parent->parent != s->parent) {
      s->delta += parent->delta;
      s->parent = parent->parent;
    }
    place.offset += s->delta;
    place.buffer = s->parent;
  }
  return place;
}

qn_buffer_slice qn_memory_place(const qn_memory_plan *plan, const qn_value *tensor) {
  QN_ASSERT(tensor->id < plan->value_count && plan->buffer_of[tensor->id] != QN_NO_BUFFER);
  return qn_memory_resolve(plan, plan->buffer_of[tensor->id]);
}

bool qn_memory_same_place(const qn_memory_plan *plan, const qn_value *a, const qn_value *b) {
  qn_buffer_slice pa = qn_memory_place(plan, a), pb = qn_memory_place(plan, b);
  return pa.buffer == pb.buffer && pa.offset == pb.offset;
}

uint32_t qn_memory_scratch(qn_memory_plan *plan, const qn_op *op, qn_memory_space space,
                           int64_t bytes) {
  QN_ASSERT(op->result_count > 0 && bytes >= 0);
  int64_t step = plan->def_step[op->results[0].id];
  return qn_memory_add(plan,
                       (qn_buffer){.space = space, .bytes = bytes, .first = step, .last = step});
}

qn_buffer *qn_memory_top(const qn_memory_plan *plan, const qn_value *tensor) {
  return &plan->buffers.data[qn_memory_place(plan, tensor).buffer];
}

bool qn_memory_is_movable(const qn_memory_plan *plan, const qn_value *tensor) {
  qn_buffer_slice place = qn_memory_place(plan, tensor);
  const qn_buffer *s = &plan->buffers.data[place.buffer];
  return s->space == QN_SPACE_ARENA && !s->kept && !s->shared && place.offset == 0 &&
         s->bytes == qn_tensor_bytes(tensor->type);
}

void qn_memory_merge(qn_memory_plan *plan, uint32_t part, uint32_t whole, int64_t offset) {
  qn_buffer *p = &plan->buffers.data[part], *w = &plan->buffers.data[whole];
  QN_ASSERT(p->parent == part && w->parent == whole && part != whole);
  QN_ASSERT(offset >= 0 && offset + p->bytes <= w->bytes);
  p->parent = whole;
  p->delta = offset;
  if (p->first < w->first) w->first = p->first;
  if (p->last > w->last) w->last = p->last;
}
