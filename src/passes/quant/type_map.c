/* Replaces types within types and attributes. Recursion is safe, because the parser limits the
 * nesting.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/quant/type_map.h"

static const qn_type *const *map_list(qn_ir_context *cx, const qn_type *const *types,
                                      uint32_t count, qn_type_map *map) {
  const qn_type **mapped = QN_NEW_ARRAY(&cx->arena, count, const qn_type *);
  for (uint32_t i = 0; i < count; i++) mapped[i] = qn_map_type(cx, types[i], map);
  return mapped;
}

const qn_type *qn_map_type(qn_ir_context *cx, const qn_type *type, qn_type_map *map) {
  if (type->kind != QN_TYPE_FUNCTION) return map(cx, type);
  uint32_t inputs = type->function.input_count, results = type->function.result_count;
  const qn_type *const *from = map_list(cx, type->function.inputs, inputs, map);
  const qn_type *const *to = map_list(cx, type->function.results, results, map);
  return qn_type_function(cx, from, inputs, to, results);
}

static const qn_attr *map_array(qn_ir_context *cx, const qn_attr *attr, qn_type_map *map) {
  const qn_attr **items = QN_NEW_ARRAY(&cx->arena, attr->array.count, const qn_attr *);
  for (uint32_t i = 0; i < attr->array.count; i++)
    items[i] = qn_map_attr_types(cx, attr->array.items[i], map);
  return qn_attr_array(cx, items, attr->array.count);
}

static const qn_attr *map_dict(qn_ir_context *cx, const qn_attr *attr, qn_type_map *map) {
  qn_named_attr *items = QN_NEW_ARRAY(&cx->arena, attr->dict.count, qn_named_attr);
  for (uint32_t i = 0; i < attr->dict.count; i++) {
    items[i] = attr->dict.items[i];
    items[i].value = qn_map_attr_types(cx, items[i].value, map);
  }
  return qn_attr_dict(cx, items, attr->dict.count);
}

const qn_attr *qn_map_attr_types(qn_ir_context *cx, const qn_attr *attr, qn_type_map *map) {
  switch (attr->kind) {
  case QN_ATTR_TYPE:
    return qn_attr_type(cx, qn_map_type(cx, attr->type, map));
  case QN_ATTR_ARRAY:
    return map_array(cx, attr, map);
  case QN_ATTR_DICT:
    return map_dict(cx, attr, map);
  default:
    return attr;
  }
}
