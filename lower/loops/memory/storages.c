/* Storages: chains of parts of each other, followed to their ends.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/storages.h"

int64_t qn_tensor_extent(const qn_type *tensor, uint32_t from, uint32_t to) {
  int64_t extent = 1;
  for (uint32_t i = from; i < to; i++) extent *= tensor->shaped.dims[i];
  return extent;
}

int64_t qn_tensor_bytes(const qn_type *tensor) {
  if (!qn_type_is_shaped(tensor)) return 0;
  return qn_type_size(tensor);
}

/* A boolean has a type of its own in memory, also as a byte. */
bool qn_tensor_is_bytes(const qn_type *tensor) {
  const qn_type *element = tensor->shaped.element;
  return element->kind == QN_TYPE_INTEGER && element->integer.width == 8;
}

uint32_t qn_plan_add(qn_memory_plan *plan, qn_storage storage) {
  uint32_t number = (uint32_t)plan->storages.count;
  QN_ASSERT(storage.bytes >= 0 && storage.first <= storage.last);
  storage.parent = number;
  qn_array_push(&plan->storages, storage);
  return number;
}

void qn_plan_copy(qn_memory_plan *plan, qn_result_copy copy) {
  qn_array_push(&plan->copies, copy);
  if (!qn_map_get(&plan->first_copy, copy.at))
    qn_map_set(&plan->first_copy, copy.at, (void *)(uintptr_t)plan->copies.count);
}

/* Shortens the way on the way, so that long chains of results in place cost nothing. */
qn_place qn_plan_resolve(const qn_memory_plan *plan, uint32_t storage) {
  qn_storage *all = plan->storages.data;
  qn_place place = {storage, 0};
  while (all[place.storage].parent != place.storage) {
    qn_storage *s = &all[place.storage];
    const qn_storage *parent = &all[s->parent];
    if (parent->parent != s->parent) {
      s->delta += parent->delta;
      s->parent = parent->parent;
    }
    place.offset += s->delta;
    place.storage = s->parent;
  }
  return place;
}

qn_place qn_plan_place(const qn_memory_plan *plan, const qn_value *tensor) {
  QN_ASSERT(tensor->id < plan->value_count && plan->storage_of[tensor->id] != QN_NO_STORAGE);
  return qn_plan_resolve(plan, plan->storage_of[tensor->id]);
}

bool qn_plan_same_place(const qn_memory_plan *plan, const qn_value *a, const qn_value *b) {
  qn_place pa = qn_plan_place(plan, a), pb = qn_plan_place(plan, b);
  return pa.storage == pb.storage && pa.offset == pb.offset;
}

uint32_t qn_plan_scratch(qn_memory_plan *plan, const qn_op *op, int64_t bytes) {
  int64_t step = plan->def_step[op->results[0].id];
  return qn_plan_add(plan, (qn_storage){.bytes = bytes, .first = step, .last = step});
}

qn_storage *qn_plan_top(const qn_memory_plan *plan, const qn_value *tensor) {
  return &plan->storages.data[qn_plan_place(plan, tensor).storage];
}

bool qn_plan_is_movable(const qn_memory_plan *plan, const qn_value *tensor) {
  qn_place place = qn_plan_place(plan, tensor);
  const qn_storage *s = &plan->storages.data[place.storage];
  return s->home == QN_HOME_ARENA && !s->kept && !s->shared && place.offset == 0 &&
         s->bytes == qn_tensor_bytes(tensor->type);
}

void qn_plan_merge(qn_memory_plan *plan, uint32_t part, uint32_t whole, int64_t offset) {
  qn_storage *p = &plan->storages.data[part], *w = &plan->storages.data[whole];
  QN_ASSERT(p->parent == part && w->parent == whole && part != whole);
  QN_ASSERT(offset >= 0 && offset + p->bytes <= w->bytes);
  p->parent = whole;
  p->delta = offset;
  if (p->first < w->first) w->first = p->first;
  if (p->last > w->last) w->last = p->last;
}
