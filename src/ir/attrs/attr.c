/* Construction of attributes, except dense payloads (dense.c).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/attrs/attr.h"

#include <stdlib.h>

#include "ir/intern.h"

/* The attribute with the key that was just built, or a new one copied from `attr`. */
static const qn_attr *intern(qn_ir_context *cx, qn_attr attr) {
  const qn_attr *found = qn_key_find(cx->attrs);
  if (found) return found;
  return qn_key_add(cx->attrs, &cx->arena, qn_arena_copy(&cx->arena, &attr, sizeof attr));
}

#define COPY(cx, array, count) qn_arena_copy(&(cx)->arena, (array), (count) * sizeof *(array))

const qn_attr *qn_attr_unit(qn_ir_context *cx) {
  qn_key_start(cx->attrs, QN_ATTR_UNIT);
  return intern(cx, (qn_attr){.kind = QN_ATTR_UNIT});
}

const qn_attr *qn_attr_bool(qn_ir_context *cx, bool value) {
  qn_attr attr = {.kind = QN_ATTR_BOOL, .type = qn_type_i(cx, 1), .boolean = value};
  qn_key_start(cx->attrs, QN_ATTR_BOOL);
  qn_key_i64(cx->attrs, value);
  return intern(cx, attr);
}

static int64_t extend(int64_t value, const qn_type *type) {
  if (type->kind != QN_TYPE_INTEGER || type->integer.width >= 64) return value;
  uint32_t unused = 64 - type->integer.width;
  uint64_t shifted = (uint64_t)value << unused;
  return type->integer.sign == QN_UNSIGNED ? (int64_t)(shifted >> unused)
                                           : (int64_t)shifted >> unused;
}

const qn_attr *qn_attr_int(qn_ir_context *cx, int64_t value, const qn_type *type) {
  if (qn_type_is_int(type, 1) && type->integer.sign == QN_SIGNLESS) {
    return qn_attr_bool(cx, value & 1);
  }
  value = extend(value, type);
  qn_key_start(cx->attrs, QN_ATTR_INTEGER);
  qn_key_pointer(cx->attrs, type);
  qn_key_i64(cx->attrs, value);
  return intern(cx, (qn_attr){.kind = QN_ATTR_INTEGER, .type = type, .integer = value});
}

const qn_attr *qn_attr_i64(qn_ir_context *cx, int64_t value) {
  return qn_attr_int(cx, value, qn_type_i(cx, 64));
}

const qn_attr *qn_attr_float(qn_ir_context *cx, double value, const qn_type *type) {
  /* A NaN keeps its payload, which the conversion would make quiet. */
  if (qn_type_is_float(type, QN_F32) && value == value) value = (double)(float)value;
  qn_key_start(cx->attrs, QN_ATTR_FLOAT);
  qn_key_pointer(cx->attrs, type);
  qn_key_bytes(cx->attrs, &value, sizeof value);
  return intern(cx, (qn_attr){.kind = QN_ATTR_FLOAT, .type = type, .number = value});
}

static const qn_attr *text_attr(qn_ir_context *cx, qn_attr_kind kind, qn_str text) {
  qn_str kept = qn_intern(cx, text);
  qn_key_start(cx->attrs, kind);
  qn_key_pointer(cx->attrs, kept.data);
  return intern(cx, (qn_attr){.kind = kind, .string = kept});
}

const qn_attr *qn_attr_string(qn_ir_context *cx, qn_str value) {
  return text_attr(cx, QN_ATTR_STRING, value);
}

const qn_attr *qn_attr_symbol(qn_ir_context *cx, qn_str name) {
  return text_attr(cx, QN_ATTR_SYMBOL, name);
}

const qn_attr *qn_attr_opaque(qn_ir_context *cx, qn_str text) {
  return text_attr(cx, QN_ATTR_OPAQUE, text);
}

const qn_attr *qn_attr_type(qn_ir_context *cx, const qn_type *value) {
  qn_key_start(cx->attrs, QN_ATTR_TYPE);
  qn_key_pointer(cx->attrs, value);
  return intern(cx, (qn_attr){.kind = QN_ATTR_TYPE, .type = value});
}

const qn_attr *qn_attr_elided(qn_ir_context *cx, const qn_type *shaped) {
  qn_key_start(cx->attrs, QN_ATTR_ELIDED);
  qn_key_pointer(cx->attrs, shaped);
  return intern(cx, (qn_attr){.kind = QN_ATTR_ELIDED, .type = shaped});
}

const qn_attr *qn_attr_array(qn_ir_context *cx, const qn_attr *const *items, uint32_t count) {
  qn_key_start(cx->attrs, QN_ATTR_ARRAY);
  qn_key_bytes(cx->attrs, items, count * sizeof *items);
  const qn_attr *found = qn_key_find(cx->attrs);
  if (found) return found;
  return intern(cx, (qn_attr){.kind = QN_ATTR_ARRAY, .array = {COPY(cx, items, count), count}});
}

static int by_name(const void *a, const void *b) {
  return qn_str_compare(((const qn_named_attr *)a)->name, ((const qn_named_attr *)b)->name);
}

const qn_attr *qn_attr_dict(qn_ir_context *cx, const qn_named_attr *items, uint32_t count) {
  qn_named_attr *sorted = QN_NEW_ARRAY(&cx->arena, count, qn_named_attr);
  for (uint32_t i = 0; i < count; i++) {
    sorted[i] = (qn_named_attr){qn_intern(cx, items[i].name), items[i].value};
  }
  if (count) qsort(sorted, count, sizeof *sorted, by_name);
  qn_key_start(cx->attrs, QN_ATTR_DICT);
  for (uint32_t i = 0; i < count; i++) {
    qn_key_pointer(cx->attrs, sorted[i].name.data);
    qn_key_pointer(cx->attrs, sorted[i].value);
  }
  return intern(cx, (qn_attr){.kind = QN_ATTR_DICT, .dict = {sorted, count}});
}

const qn_attr *qn_attr_i64s(qn_ir_context *cx, const int64_t *values, uint32_t count) {
  return qn_attr_dense_array(cx, qn_type_i(cx, 64), values, NULL, count);
}

const qn_attr *qn_attr_dense_array(qn_ir_context *cx, const qn_type *element,
                                   const int64_t *ints_or_null, const double *numbers_or_null,
                                   uint32_t count) {
  qn_key_start(cx->attrs, QN_ATTR_DENSE_ARRAY);
  qn_key_pointer(cx->attrs, element);
  qn_key_bytes(cx->attrs, ints_or_null, ints_or_null ? count * sizeof *ints_or_null : 0);
  qn_key_bytes(cx->attrs, numbers_or_null, numbers_or_null ? count * sizeof *numbers_or_null : 0);
  const qn_attr *found = qn_key_find(cx->attrs);
  if (found) return found;
  qn_attr attr = {.kind = QN_ATTR_DENSE_ARRAY, .type = element, .dense_array = {.count = count}};
  if (ints_or_null) attr.dense_array.ints = COPY(cx, ints_or_null, count);
  if (numbers_or_null) attr.dense_array.numbers = COPY(cx, numbers_or_null, count);
  return intern(cx, attr);
}

const qn_attr *qn_attr_affine_map(qn_ir_context *cx, const qn_affine_map *map) {
  qn_key_start(cx->attrs, QN_ATTR_AFFINE_MAP);
  qn_key_i64(cx->attrs, map->dims);
  qn_key_i64(cx->attrs, map->symbols);
  qn_key_bytes(cx->attrs, map->results, map->result_count * sizeof *map->results);
  const qn_attr *found = qn_key_find(cx->attrs);
  if (found) return found;
  qn_affine_map *copy = qn_arena_copy(&cx->arena, map, sizeof *map);
  copy->results = COPY(cx, map->results, map->result_count);
  return intern(cx, (qn_attr){.kind = QN_ATTR_AFFINE_MAP, .map = copy});
}
