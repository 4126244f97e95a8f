/* Construction of types. Every kind writes its content into the key of the type table; a new type
 * is allocated, with copies of the arrays, only when the key is not there yet.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/type.h"

#include "ir/intern.h"
#include "ir/types/float_format.h"

static uint32_t integer_bytes(uint32_t width) {
  for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
    if (width <= 8 * bytes) return bytes;
  }
  return 0;
}

static uint32_t bytes_of(const qn_type *element) {
  switch (element->kind) {
  case QN_TYPE_INDEX:
    return 8;
  case QN_TYPE_INTEGER:
    return integer_bytes(element->integer.width);
  case QN_TYPE_FLOAT:
    return qn_float_format_of(element->float_kind)->bytes;
  case QN_TYPE_QUANT_UNIFORM:
    return element->uniform.storage->bytes;
  case QN_TYPE_QUANT_ANY:
    return element->any.storage->bytes;
  default:
    return 0;
  }
}

/* Adds a copy of the type under the key that was searched. Its arrays are already in the context:
 * if they were copied after the insertion, an aborted call could leave the type without them. */
static const qn_type *add(qn_ir_context *cx, qn_type type) {
  type.bytes = bytes_of(&type);
  return qn_key_add(cx->types, &cx->arena, qn_arena_copy(&cx->arena, &type, sizeof type));
}

/* The type with the key that was just built, or a new one: for types without arrays. */
static const qn_type *intern_flat(qn_ir_context *cx, qn_type type) {
  const qn_type *found = qn_key_find(cx->types);
  return found ? found : add(cx, type);
}

#define COPY(cx, array, count) qn_arena_copy(&(cx)->arena, (array), (count) * sizeof *(array))

const qn_type *qn_type_none(qn_ir_context *cx) {
  qn_key_start(cx->types, QN_TYPE_NONE);
  return intern_flat(cx, (qn_type){.kind = QN_TYPE_NONE});
}

const qn_type *qn_type_index(qn_ir_context *cx) {
  qn_key_start(cx->types, QN_TYPE_INDEX);
  return intern_flat(cx, (qn_type){.kind = QN_TYPE_INDEX});
}

const qn_type *qn_type_integer(qn_ir_context *cx, uint32_t width, qn_sign sign) {
  QN_ASSERT(width >= 1 && width < 1u << 24);
  qn_key_start(cx->types, QN_TYPE_INTEGER);
  qn_key_i64(cx->types, width);
  qn_key_i64(cx->types, sign);
  return intern_flat(cx, (qn_type){.kind = QN_TYPE_INTEGER, .integer = {width, sign}});
}

const qn_type *qn_type_i(qn_ir_context *cx, uint32_t width) {
  if (width >= QN_USUAL_WIDTHS) return qn_type_integer(cx, width, QN_SIGNLESS);
  if (!cx->integers[width]) cx->integers[width] = qn_type_integer(cx, width, QN_SIGNLESS);
  return cx->integers[width];
}

const qn_type *qn_type_float(qn_ir_context *cx, qn_float_kind kind) {
  qn_key_start(cx->types, QN_TYPE_FLOAT);
  qn_key_i64(cx->types, kind);
  return intern_flat(cx, (qn_type){.kind = QN_TYPE_FLOAT, .float_kind = kind});
}

const qn_type *qn_type_function(qn_ir_context *cx, const qn_type *const *inputs,
                                uint32_t input_count, const qn_type *const *results,
                                uint32_t result_count) {
  qn_key_start(cx->types, QN_TYPE_FUNCTION);
  qn_key_bytes(cx->types, inputs, input_count * sizeof *inputs);
  qn_key_bytes(cx->types, results, result_count * sizeof *results);
  const qn_type *found = qn_key_find(cx->types);
  if (found) return found;
  qn_type type = {.kind = QN_TYPE_FUNCTION};
  type.function.inputs = COPY(cx, inputs, input_count);
  type.function.results = COPY(cx, results, result_count);
  type.function.input_count = input_count;
  type.function.result_count = result_count;
  return add(cx, type);
}

const qn_type *qn_type_tuple(qn_ir_context *cx, const qn_type *const *elements, uint32_t count) {
  qn_key_start(cx->types, QN_TYPE_TUPLE);
  qn_key_bytes(cx->types, elements, count * sizeof *elements);
  const qn_type *found = qn_key_find(cx->types);
  if (found) return found;
  return add(cx, (qn_type){.kind = QN_TYPE_TUPLE, .tuple = {COPY(cx, elements, count), count}});
}

const qn_type *qn_type_shaped(qn_ir_context *cx, qn_type_kind kind, const qn_type *element,
                              bool ranked, uint32_t rank, const int64_t *dims,
                              const qn_attr *encoding, const qn_attr *memory_space) {
  QN_ASSERT(kind == QN_TYPE_TENSOR || kind == QN_TYPE_MEMREF || kind == QN_TYPE_VECTOR);
  QN_ASSERT(ranked || (rank == 0 && kind != QN_TYPE_VECTOR));
  qn_key_start(cx->types, kind);
  qn_key_pointer(cx->types, element);
  qn_key_i64(cx->types, ranked);
  qn_key_bytes(cx->types, dims, rank * sizeof *dims);
  qn_key_pointer(cx->types, encoding);
  qn_key_pointer(cx->types, memory_space);
  const qn_type *found = qn_key_find(cx->types);
  if (found) return found;
  const int64_t *kept = COPY(cx, dims, rank);
  return add(
      cx, (qn_type){.kind = kind, .shaped = {element, ranked, rank, kept, encoding, memory_space}});
}

const qn_type *qn_type_tensor(qn_ir_context *cx, const qn_type *element, uint32_t rank,
                              const int64_t *dims) {
  return qn_type_shaped(cx, QN_TYPE_TENSOR, element, true, rank, dims, NULL, NULL);
}

const qn_type *qn_type_vector(qn_ir_context *cx, const qn_type *element, uint32_t rank,
                              const int64_t *dims) {
  return qn_type_shaped(cx, QN_TYPE_VECTOR, element, true, rank, dims, NULL, NULL);
}

const qn_type *qn_type_memref(qn_ir_context *cx, const qn_type *element, uint32_t rank,
                              const int64_t *dims) {
  return qn_type_shaped(cx, QN_TYPE_MEMREF, element, true, rank, dims, NULL, NULL);
}

const qn_type *qn_type_with_element(qn_ir_context *cx, const qn_type *shaped,
                                    const qn_type *element) {
  if (!qn_type_is_shaped(shaped)) return element;
  return qn_type_shaped(cx, shaped->kind, element, shaped->shaped.ranked, shaped->shaped.rank,
                        shaped->shaped.dims, shaped->shaped.encoding, shaped->shaped.memory_space);
}

const qn_type *qn_type_stored(qn_ir_context *cx, const qn_type *shaped) {
  const qn_quant_uniform *quant = qn_type_quant(shaped);
  return quant ? qn_type_with_element(cx, shaped, quant->storage) : shaped;
}

const qn_type *qn_type_vec(qn_ir_context *cx, const qn_type *element, int64_t count) {
  return qn_type_vector(cx, element, 1, &count);
}

const qn_type *qn_type_buf(qn_ir_context *cx, const qn_type *element, int64_t count) {
  return qn_type_memref(cx, element, 1, &count);
}

/* ---- quantized ---- */

static void uniform_key(qn_intern_table *types, const qn_quant_uniform *u) {
  qn_key_start(types, QN_TYPE_QUANT_UNIFORM);
  qn_key_i64(types, u->scheme);
  qn_key_i64(types, u->is_signed);
  qn_key_pointer(types, u->storage);
  qn_key_pointer(types, u->expressed);
  qn_key_i64(types, u->min);
  qn_key_i64(types, u->max);
  qn_key_i64(types, u->axis);
  qn_key_bytes(types, u->grid_dims, u->grid_rank * sizeof *u->grid_dims);
  qn_key_bytes(types, u->block_axes, u->block_count * sizeof *u->block_axes);
  qn_key_bytes(types, u->block_sizes, u->block_count * sizeof *u->block_sizes);
  qn_key_bytes(types, u->scales, u->count * sizeof *u->scales);
  qn_key_bytes(types, u->zero_points, u->count * sizeof *u->zero_points);
}

const qn_type *qn_type_uniform(qn_ir_context *cx, const qn_quant_uniform *uniform) {
  QN_ASSERT(uniform->count > 0 && uniform->min < uniform->max);
  QN_ASSERT(uniform->scheme != QN_PER_LAYER || uniform->count == 1);
  QN_ASSERT(uniform->storage->kind == QN_TYPE_INTEGER && uniform->storage->integer.width <= 32);
  for (uint32_t i = 0; i < uniform->block_count; i++) QN_ASSERT(uniform->block_sizes[i] > 0);
  qn_quant_uniform u = *uniform; /* fields that the scheme does not use are cleared, so that they do
                                    not distinguish types */
  if (u.scheme != QN_PER_AXIS) u.axis = 0;
  if (u.scheme != QN_SUB_CHANNEL) u.grid_rank = u.block_count = 0;
  uniform_key(cx->types, &u);
  const qn_type *found = qn_key_find(cx->types);
  if (found) return found;
  u.grid_dims = COPY(cx, u.grid_dims, u.grid_rank);
  u.block_axes = COPY(cx, u.block_axes, u.block_count);
  u.block_sizes = COPY(cx, u.block_sizes, u.block_count);
  u.scales = COPY(cx, u.scales, u.count);
  u.zero_points = COPY(cx, u.zero_points, u.count);
  return add(cx, (qn_type){.kind = QN_TYPE_QUANT_UNIFORM, .uniform = u});
}

const qn_type *qn_type_quant_any(qn_ir_context *cx, bool is_signed, const qn_type *storage,
                                 const qn_type *expressed_or_null, int64_t min, int64_t max) {
  qn_key_start(cx->types, QN_TYPE_QUANT_ANY);
  qn_key_i64(cx->types, is_signed);
  qn_key_pointer(cx->types, storage);
  qn_key_pointer(cx->types, expressed_or_null);
  qn_key_i64(cx->types, min);
  qn_key_i64(cx->types, max);
  return intern_flat(cx, (qn_type){.kind = QN_TYPE_QUANT_ANY,
                                   .any = {is_signed, storage, expressed_or_null, min, max}});
}

const qn_type *qn_type_calibrated(qn_ir_context *cx, const qn_type *expressed, double min,
                                  double max) {
  qn_key_start(cx->types, QN_TYPE_QUANT_CALIBRATED);
  qn_key_pointer(cx->types, expressed);
  qn_key_bytes(cx->types, &min, sizeof min);
  qn_key_bytes(cx->types, &max, sizeof max);
  return intern_flat(
      cx, (qn_type){.kind = QN_TYPE_QUANT_CALIBRATED, .calibrated = {expressed, min, max}});
}

const qn_type *qn_type_opaque(qn_ir_context *cx, qn_str text) {
  qn_str kept = qn_intern(cx, text);
  qn_key_start(cx->types, QN_TYPE_OPAQUE);
  qn_key_pointer(cx->types, kept.data);
  return intern_flat(cx, (qn_type){.kind = QN_TYPE_OPAQUE, .opaque = kept});
}
