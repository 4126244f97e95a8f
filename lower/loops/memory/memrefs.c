/* Memrefs of buffers. There is one SSA value per slice and type, so that a kernel detects operands
 * that share memory.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/loops/memory/memrefs.h"

#include "base/array.h"
#include "base/map.h"
#include "lower/loops/constants.h"
#include "lower/loops/memory/buffers.h"
#include "lower/loops/prepared.h"
#include "lower/loops/elements/elements.h"

typedef struct view {
  uint32_t buffer;
  int64_t offset;   /* byte offset in the buffer */
  qn_op *offset_op; /* the constant op that receives the offset in its memory */
} view;

struct qn_memrefs {
  qn_main_arguments args;
  qn_value *prepared;   /* the argument for prepared memory; NULL until a buffer is there */
  QN_ARRAY(view) views; /* views of the arena and of prepared memory */
  qn_str_map known;     /* view_key -> memref */
};

qn_memrefs *qn_memrefs_create(qn_loops *lo, const qn_main_arguments *args) {
  qn_memrefs *buffers = QN_NEW(lo->kept, qn_memrefs);
  buffers->args = *args;
  return buffers;
}

void qn_memrefs_destroy(qn_memrefs *buffers) {
  if (!buffers) return;
  qn_array_free(&buffers->views);
  qn_str_map_deinit(&buffers->known);
}

/* Lookup key: a slice and a type, as bytes. */
typedef struct view_key {
  int64_t words[3];
} view_key;

static qn_str key_text(const view_key *key) {
  return (qn_str){(const char *)key->words, sizeof key->words};
}

/* Prepared memory becomes the last argument of @main when its first buffer is used. */
static qn_value *prepared_memory(qn_loops *lo) {
  qn_memrefs *buffers = lo->memrefs;
  if (!buffers->prepared)
    buffers->prepared = qn_block_add_arg(lo->module, buffers->args.arena->block,
                                         buffers->args.arena->type, lo->main.loc);
  return buffers->prepared;
}

static qn_value *build_view(qn_loops *lo, qn_buffer_slice place, const qn_type *type) {
  qn_memrefs *buffers = lo->memrefs;
  const qn_buffer *s = &lo->plan->buffers.data[place.buffer];
  const qn_main_arguments *args = &buffers->args;
  qn_value *const *lists[] = {[QN_SPACE_INPUT] = args->inputs,
                              [QN_SPACE_OUTPUT] = args->outputs,
                              [QN_SPACE_STATE] = args->states};
  const bool placed = qn_memory_has_offsets(s->space);
  QN_ASSERT(placed || s->space < QN_COUNT(lists));
  QN_ASSERT(s->parent == place.buffer);
  QN_ASSERT(place.offset >= 0 && place.offset + qn_tensor_bytes(type) <= s->bytes);
  qn_value *base = s->space == QN_SPACE_ARENA      ? args->arena
                   : s->space == QN_SPACE_PREPARED ? prepared_memory(lo)
                                                   : lists[s->space][s->index];
  QN_ASSERT(base);
  if (!placed && place.offset == 0 && base->type == type) return base;
  /* In a loop over the batch, `base` may be a view that the loop begins with. */
  qn_builder b = base->op ? qn_builder_after(lo->module, base->op) : qn_loops_outside(lo);
  qn_value *offset = qn_build_index(&b, place.offset);
  qn_value *value = qn_build_1(&b, QN_OP_MEMREF_VIEW, type, QN_VALUES(base, offset), NULL);
  if (placed) qn_array_push(&buffers->views, ((view){place.buffer, place.offset, offset->op}));
  return value;
}

static qn_value *place_buffer(qn_loops *lo, qn_buffer_slice place, const qn_type *type) {
  view_key key = {{place.buffer, place.offset, (int64_t)(uintptr_t)type}};
  qn_str_map *known = &lo->memrefs->known;
  qn_value *value = qn_str_map_get(known, key_text(&key));
  if (value) return value;
  value = build_view(lo, place, type);
  view_key *kept = QN_NEW(lo->kept, view_key);
  *kept = key;
  qn_str_map_set(known, key_text(kept), value);
  return value;
}

static const qn_type *buffer_type(qn_loops *lo, const qn_type *tensor) {
  return qn_type_buf(lo->cx, qn_elements_memory_element(lo->cx, tensor->shaped.element),
                     qn_type_elements(tensor));
}

qn_value *qn_memref_of(qn_loops *lo, uint32_t buffer, const qn_type *tensor) {
  return place_buffer(lo, qn_memory_resolve(lo->plan, buffer), buffer_type(lo, tensor));
}

/* The buffer of a constant, of a reshape of one, or of a tensor with unspecified elements, which
 * are 0. */
static qn_value *constant_buffer(qn_loops *lo, const qn_value *tensor, const qn_type *type) {
  static const uint8_t zero[sizeof(int64_t)] = {0};
  while (!qn_loops_is_constant(tensor->op)) tensor = qn_op_operand(tensor->op, 0);
  if (tensor->op->kind == QN_OP_TENSOR_EMPTY)
    return qn_constants_buffer(lo, type, (qn_bytes){zero, qn_type_bytes(qn_type_element(type))});
  return qn_constants_buffer(lo, type, qn_value_constant(tensor)->dense.bytes);
}

qn_value *qn_loops_buffer(qn_loops *lo, const qn_value *tensor) {
  const qn_type *type = buffer_type(lo, tensor->type);
  qn_buffer_slice place = qn_memory_place(lo->plan, tensor);
  if (lo->plan->buffers.data[place.buffer].space == QN_SPACE_CONSTANT)
    return constant_buffer(lo, tensor, type);
  return place_buffer(lo, place, type);
}

qn_value *qn_loops_part(qn_loops *lo, const qn_value *tensor, int64_t first, int64_t count) {
  const qn_type *element = qn_elements_memory_element(lo->cx, tensor->type->shaped.element);
  qn_buffer_slice place = qn_memory_place(lo->plan, tensor);
  qn_memory_space space = lo->plan->buffers.data[place.buffer].space;
  bool placed = qn_memory_has_offsets(space);
  bool bytewise = placed || qn_tensor_is_bytes(tensor->type);
  if (space == QN_SPACE_CONSTANT || !bytewise) return NULL;
  /* With a dynamic size, the length of a part depends on the size, which its type does not express.
   */
  if (!placed && qn_loops_size(lo, tensor) != QN_SIZE_FIXED) return NULL;
  place.offset += first * qn_type_bytes(element);
  return place_buffer(lo, place, qn_type_buf(lo->cx, element, count));
}

static qn_value *scratch_in(qn_loops *lo, const qn_op *op, qn_memory_space space,
                            const qn_type *element, int64_t count) {
  uint32_t buffer = qn_memory_scratch(lo->plan, op, space, count * qn_type_bytes(element));
  return place_buffer(lo, (qn_buffer_slice){buffer, 0}, qn_type_buf(lo->cx, element, count));
}

qn_value *qn_loops_scratch(qn_loops *lo, const qn_op *op, const qn_type *element, int64_t count) {
  qn_memory_space space = qn_prepared_op(lo, op) ? QN_SPACE_PREPARED : QN_SPACE_ARENA;
  return scratch_in(lo, op, space, element, count);
}

qn_value *qn_loops_packed(qn_loops *lo, const qn_op *op, const qn_value *weights,
                          const qn_value *bias, const qn_type *element, int64_t count) {
  bool known = qn_prepared_value(lo, weights) && (!bias || qn_prepared_value(lo, bias));
  if (!known) return qn_loops_scratch(lo, op, element, count);
  return scratch_in(lo, op, QN_SPACE_PREPARED, element, count);
}

qn_value *qn_memrefs_prepared(const qn_loops *lo) { return lo->memrefs->prepared; }

bool qn_memref_is_prepared(const qn_loops *lo, const qn_value *buffer) {
  const qn_op *op = buffer->op;
  const qn_value *memory = lo->memrefs ? lo->memrefs->prepared : NULL;
  return memory && op && op->kind == QN_OP_MEMREF_VIEW && qn_op_operand(op, 0) == memory;
}

/* Whether a call reads the view, and not only launches that prepare. */
static bool is_read_in_calls(const qn_op *op) {
  for (const qn_use *use = op->results[0].first_use; use; use = use->next)
    if (!qn_op_prepares(use->owner)) return true;
  return false;
}

void qn_memrefs_keep_prepared(qn_loops *lo) {
  qn_memrefs *buffers = lo->memrefs;
  for (uint32_t i = 0; i < buffers->views.count; i++) {
    const view *v = &buffers->views.data[i];
    qn_buffer *buffer = &lo->plan->buffers.data[v->buffer];
    bool prepared = buffer->space == QN_SPACE_PREPARED;
    if (prepared && is_read_in_calls(v->offset_op->results[0].first_use->owner))
      buffer->last = lo->plan->step_count;
  }
}

void qn_memrefs_set_offsets(qn_loops *lo, const int64_t *buffer_offsets) {
  for (uint32_t i = 0; i < lo->memrefs->views.count; i++) {
    const view *v = &lo->memrefs->views.data[i];
    QN_ASSERT(v->offset_op->kind == QN_OP_ARITH_CONSTANT && v->offset >= 0);
    QN_ASSERT(buffer_offsets[v->buffer] >= 0); /* it has been placed */
    const qn_attr *offset =
        qn_attr_int(lo->cx, buffer_offsets[v->buffer] + v->offset, qn_type_index(lo->cx));
    qn_op_set_attr(lo->module, v->offset_op, "value", offset);
  }
}
