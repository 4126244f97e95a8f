/* Inputs and outputs of a module at the model or integer stage.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/api.h"

static const qn_attr *lookup(const qn_attr *dictionary, const char *name) {
  if (!dictionary || dictionary->kind != QN_ATTR_DICT) return NULL;
  for (uint32_t i = 0; i < dictionary->dict.count; i++)
    if (qn_str_is(dictionary->dict.items[i].name, name)) return dictionary->dict.items[i].value;
  return NULL;
}

static const qn_attr *item(const qn_attr *array, uint32_t i) {
  bool there = array && array->kind == QN_ATTR_ARRAY && i < array->array.count;
  return there ? array->array.items[i] : NULL;
}

/* What a tensor of this type is to the outside; 0 when it can't cross the boundary. Integers of
 * other widths are extended to whole bytes, in which those without sign are positive. */
static qn_dtype dtype_of(const qn_type *element) {
  const qn_quant_uniform *q = qn_type_quant(element);
  const qn_type *stored = q ? q->storage : element;
  if (stored->kind == QN_TYPE_FLOAT) return stored->float_kind == QN_F32 ? QN_DTYPE_F32 : 0;
  if (stored->kind != QN_TYPE_INTEGER) return 0;
  if (stored->integer.width == 1) return QN_DTYPE_BOOL;
  static const qn_dtype signed_by_bytes[] = {
      [1] = QN_DTYPE_I8, [2] = QN_DTYPE_I16, [4] = QN_DTYPE_I32, [8] = QN_DTYPE_I64};
  uint32_t bytes = qn_type_bytes(stored);
  bool fills = stored->integer.width == 8 * bytes;
  if (fills && qn_type_is_unsigned(element)) return bytes == 1 ? QN_DTYPE_U8 : 0;
  return bytes < QN_COUNT(signed_by_bytes) ? signed_by_bytes[bytes] : 0;
}

static qn_status read_tensor(const qn_module *module, const qn_op *func, const qn_type *type,
                             const qn_attr *attrs, qn_arena *arena, qn_tensor_info *out) {
  int64_t elements = qn_type_elements(type);
  qn_dtype dtype = dtype_of(qn_type_element(type));
  if (type->kind != QN_TYPE_TENSOR || elements < 0 || !dtype)
    return qn_error(&module->cx->diag, func->loc, QN_UNSUPPORTED,
                    "the main function has an input or output that is no static tensor of a "
                    "supported type");
  const qn_attr *name = lookup(attrs, "quern.name"), *index = lookup(attrs, "quern.index");
  const qn_attr *scale = lookup(attrs, "quern.scale"), *zero = lookup(attrs, "quern.zero_point");
  const qn_quant_uniform *quant = qn_type_quant(type);
  *out = (qn_tensor_info){
      .name = name && name->kind == QN_ATTR_STRING ? qn_arena_str(arena, name->string).data : "",
      .dtype = dtype,
      .rank = type->shaped.rank,
      .dims = qn_arena_copy(arena, type->shaped.dims, type->shaped.rank * sizeof(int64_t)),
      .bytes = (size_t)(elements * qn_type_bytes(qn_type_element(type))),
      .index = index && index->kind == QN_ATTR_INTEGER ? index->integer : -1,
  };
  if (scale && scale->kind == QN_ATTR_FLOAT)
    out->scale = scale->number;
  else if (quant && quant->count == 1)
    out->scale = quant->scales[0];
  if (zero && zero->kind == QN_ATTR_INTEGER)
    out->zero_point = zero->integer;
  else if (quant && quant->count == 1)
    out->zero_point = quant->zero_points[0];
  return QN_OK;
}

const char *qn_signature_name(const qn_op *func, uint32_t i) {
  const qn_attr *name = lookup(item(qn_op_arg_attrs(func), i), "quern.name");
  return name && name->kind == QN_ATTR_STRING ? name->string.data : NULL;
}

static qn_status read_side(const qn_module *module, const qn_op *func, const qn_type *const *types,
                           uint32_t count, const qn_attr *attrs, qn_arena *arena,
                           qn_tensor_info **out) {
  *out = QN_NEW_ARRAY(arena, count + 1, qn_tensor_info);
  for (uint32_t i = 0; i < count; i++)
    QN_TRY(read_tensor(module, func, types[i], item(attrs, i), arena, &(*out)[i]));
  return QN_OK;
}

qn_status qn_signature_read(const qn_module *module, qn_arena *arena, qn_signature *out_signature) {
  const qn_op *func = qn_module_main(module);
  if (!func)
    return qn_error(&module->cx->diag, module->op->loc, QN_INVALID,
                    "the module has no @main and not exactly one public function");
  const qn_type *type = qn_op_function_type(func);
  out_signature->input_count = type->function.input_count;
  out_signature->output_count = type->function.result_count;
  QN_TRY(read_side(module, func, type->function.inputs, type->function.input_count,
                   qn_op_arg_attrs(func), arena, &out_signature->inputs));
  return read_side(module, func, type->function.results, type->function.result_count,
                   qn_op_res_attrs(func), arena, &out_signature->outputs);
}
