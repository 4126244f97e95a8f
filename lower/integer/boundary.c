/* What the integer types of a function's arguments and results no longer say: scale and zero point go
 * into their attributes, where the runtime's descriptions of inputs and outputs come from. An importer
 * has written them already; a module that was written as text has only its types.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lower/integer/integer.h"

static bool has(const qn_attr *dictionary, const char *name) {
  for (uint32_t i = 0; i < dictionary->dict.count; i++)
    if (qn_str_is(dictionary->dict.items[i].name, name)) return true;
  return false;
}

/* The dictionary with the parameters of a type with one scale; as it is for other types. */
static const qn_attr *with_quantization(qn_integer *in, const qn_attr *dictionary,
                                        const qn_type *type) {
  const qn_quant_uniform *quant = qn_type_quant(type);
  if (!quant || quant->count != 1 || has(dictionary, "quern.scale")) return dictionary;
  uint32_t count = dictionary->dict.count;
  qn_named_attr *items = QN_NEW_ARRAY(in->scratch, (size_t)count + 2, qn_named_attr);
  for (uint32_t i = 0; i < count; i++) items[i] = dictionary->dict.items[i];
  items[count] = (qn_named_attr){
      qn_intern(in->cx, qn_str_of("quern.scale")),
      qn_attr_float(in->cx, quant->scales[0], qn_type_float(in->cx, QN_F64))};
  items[count + 1] = (qn_named_attr){qn_intern(in->cx, qn_str_of("quern.zero_point")),
                                     qn_attr_i64(in->cx, quant->zero_points[0])};
  return qn_attr_dict(in->cx, items, count + 2);
}

static void keep_side(qn_integer *in, qn_op *func, qn_attr_id id, const qn_type *const *types,
                      uint32_t count) {
  const qn_attr *before = qn_op_find(func, id);
  const qn_attr **items = QN_NEW_ARRAY(in->scratch, (size_t)count + 1, const qn_attr *);
  bool changed = false;
  for (uint32_t i = 0; i < count; i++) {
    const qn_attr *item = before && before->kind == QN_ATTR_ARRAY && i < before->array.count
                              ? before->array.items[i]
                              : qn_attr_dict(in->cx, NULL, 0);
    items[i] = item->kind == QN_ATTR_DICT ? with_quantization(in, item, types[i]) : item;
    changed |= items[i] != item;
  }
  if (changed) qn_op_set_attr(in->module, func, qn_attr_decls[id].name,
                              qn_attr_array(in->cx, items, count));
}

void qn_integer_keep_quantization(qn_integer *in, qn_op *func) {
  const qn_type *type = qn_op_function_type(func);
  keep_side(in, func, QN_A_ARG_ATTRS, type->function.inputs, type->function.input_count);
  keep_side(in, func, QN_A_RES_ATTRS, type->function.results, type->function.result_count);
}
