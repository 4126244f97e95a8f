/* The tensors of the report on a model: what a dump needs to know of each.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/inspect.h"
#include "ir/entry/dtype.h"

static json_t *shape_json(qn_json *pool, const qn_type *type) {
  json_t *dims = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < type->shaped.rank; i++)
    qn_json_append(dims, json_integer(type->shaped.dims[i]));
  return dims;
}

static void add_quantization(qn_json *pool, json_t *row, const qn_quant_uniform *quant) {
  json_t *scales = qn_json_keep(pool, json_array()), *zeros = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; quant && i < quant->count; i++) {
    qn_json_append(scales, json_real(quant->scales[i]));
    qn_json_append(zeros, json_integer(quant->zero_points[i]));
  }
  qn_json_set(row, "scales", json_incref(scales));
  qn_json_set(row, "zero_points", json_incref(zeros));
  bool per_axis = quant && quant->scheme == QN_PER_AXIS;
  qn_json_set(row, "axis", per_axis ? json_integer(quant->axis) : json_null());
}

static void add_tensor(qn_json *pool, json_t *rows, const qn_value *value, int64_t tensor,
                       int64_t op_index) {
  const qn_type *type = value->type;
  bool shaped = type->kind == QN_TYPE_TENSOR && qn_type_is_static(type);
  qn_dtype dtype = shaped ? qn_dtype_of_type(qn_type_element(type)) : (qn_dtype)0;
  if (!dtype) return; /* nothing that a file of an array could hold */
  json_t *row =
      qn_json_keep(pool, json_pack("{s:I, s:I, s:s, s:O}", "tensor", (json_int_t)tensor, "operator",
                                   (json_int_t)op_index, "dtype", qn_dtype_name(dtype), "shape",
                                   shape_json(pool, type)));
  add_quantization(pool, row, qn_type_quant(type));
  qn_json_append(rows, json_incref(row));
}

json_t *qn_inspect_tensors(qn_json *pool, const qn_module *module) {
  json_t *rows = qn_json_keep(pool, json_array());
  int64_t index = 0; /* as that of "operators" */
  for (const qn_op *op = qn_op_body(qn_module_main(module))->first; op; op = op->next) {
    if (qn_op_has(op, QN_CONSTANT | QN_TERMINATOR)) continue;
    qn_i64s tensors = qn_op_tensors(op);
    for (uint32_t i = 0; i < op->result_count && i < tensors.count; i++)
      add_tensor(pool, rows, &op->results[i], tensors.data[i], index);
    index++;
  }
  return rows;
}
