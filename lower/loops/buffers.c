/* One SSA value per place and type, so that a kernel sees when two tensors share memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/buffers.h"

#include "base/array.h"
#include "lower/loops/constants.h"
#include "lower/loops/plan.h"
#include "lower/tensors/state.h"

#define NO_VIEW UINT32_MAX

typedef struct view {
  uint32_t storage;
  int64_t offset; /* in the storage */
  qn_value *value;
  qn_op *offset_op; /* the constant to patch; NULL when the storage is not in the arena */
  uint32_t next;    /* of the same storage */
} view;

struct qn_buffers {
  qn_value *const *inputs, *const *outputs;
  qn_value *arena;
  QN_ARRAY(view) views;
  QN_ARRAY(uint32_t) first; /* view, by storage */
};

qn_buffers *qn_buffers_create(qn_loops *lo, qn_value *const *inputs, qn_value *const *outputs,
                              qn_value *arena) {
  qn_buffers *buffers = QN_NEW(lo->scratch, qn_buffers);
  buffers->inputs = inputs;
  buffers->outputs = outputs;
  buffers->arena = arena;
  return buffers;
}

void qn_buffers_destroy(qn_buffers *buffers) {
  if (!buffers) return;
  qn_array_free(&buffers->views);
  qn_array_free(&buffers->first);
}

const qn_type *qn_buffers_element(qn_ir_context *cx, const qn_type *element) {
  return qn_tensors_memory_element(cx, element);
}

static const view *find_view(const qn_buffers *buffers, qn_place place, const qn_type *type) {
  if (place.storage >= buffers->first.count) return NULL;
  for (uint32_t i = buffers->first.data[place.storage]; i != NO_VIEW;
       i = buffers->views.data[i].next) {
    const view *v = &buffers->views.data[i];
    if (v->offset == place.offset && v->value->type == type) return v;
  }
  return NULL;
}

static void add_view(qn_buffers *buffers, view v) {
  while (buffers->first.count <= v.storage) qn_array_push(&buffers->first, NO_VIEW);
  v.next = buffers->first.data[v.storage];
  buffers->first.data[v.storage] = (uint32_t)buffers->views.count;
  qn_array_push(&buffers->views, v);
}

static qn_value *build_view(qn_loops *lo, qn_place place, const qn_type *type) {
  qn_buffers *buffers = lo->buffers;
  const qn_storage *s = &lo->plan->storages.data[place.storage];
  qn_value *base = s->home == QN_HOME_INPUT    ? buffers->inputs[s->index]
                   : s->home == QN_HOME_OUTPUT ? buffers->outputs[s->index]
                                               : buffers->arena;
  if (base != buffers->arena && place.offset == 0 && base->type == type) return base;
  qn_value *offset = qn_build_index(&lo->main, place.offset);
  qn_value *value = qn_build_1(&lo->main, QN_OP_MEMREF_VIEW, type, QN_VALUES(base, offset), NULL);
  add_view(buffers, (view){.storage = place.storage,
                           .offset = place.offset,
                           .value = value,
                           .offset_op = base == buffers->arena ? offset->op : NULL});
  return value;
}

static qn_value *place_buffer(qn_loops *lo, qn_place place, const qn_type *type) {
  const view *found = find_view(lo->buffers, place, type);
  return found ? found->value : build_view(lo, place, type);
}

/* A constant, a tensor of no certain elements, for which zeros stand, or a reshape of one. */
static qn_value *constant_buffer(qn_loops *lo, const qn_value *tensor, const qn_type *type) {
  static const uint8_t zero[sizeof(int64_t)] = {0};
  while (!qn_loops_is_constant(tensor->op)) tensor = qn_op_operand(tensor->op, 0);
  if (tensor->op->kind == QN_OP_TENSOR_EMPTY)
    return qn_constants_buffer(lo, type, (qn_bytes){zero, qn_type_bytes(qn_type_element(type))});
  return qn_constants_buffer(lo, type, qn_value_constant(tensor)->dense.bytes);
}

qn_value *qn_loops_buffer(qn_loops *lo, const qn_value *tensor) {
  const qn_type *element = qn_buffers_element(lo->cx, tensor->type->shaped.element);
  const qn_type *type = qn_type_buf(lo->cx, element, qn_type_elements(tensor->type));
  qn_place place = qn_plan_place(lo->plan, tensor);
  if (lo->plan->storages.data[place.storage].home == QN_HOME_CONSTANT)
    return constant_buffer(lo, tensor, type);
  return place_buffer(lo, place, type);
}

void qn_buffers_set_offsets(qn_loops *lo, const int64_t *storage_offsets) {
  for (uint32_t i = 0; i < lo->buffers->views.count; i++) {
    const view *v = &lo->buffers->views.data[i];
    if (!v->offset_op) continue;
    const qn_attr *offset =
        qn_attr_int(lo->cx, storage_offsets[v->storage] + v->offset, qn_type_index(lo->cx));
    qn_op_set_attr(lo->module, v->offset_op, "value", offset);
  }
}
