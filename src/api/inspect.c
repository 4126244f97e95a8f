/* The report on a model: what `quern inspect` shows. JSON:
 *
 *   {"name", "stage", "numerics",
 *    "inputs": [tensor], "outputs": [tensor],
 *    "operators": [{"index", "op", "location", "inputs": [type], "outputs": [type], "tensors": [n],
 *                   "macs", "bytes", "weight_bytes", "multiplier": {"real", "mantissa", "shift",
 * "channels"}}], "quantized": [{"tensor", "operator", "type", "scale", "zero_point", "min", "max",
 * "axis", "channels"}],
 *    "tensors": [{"tensor", "operator", "dtype", "shape", "scales", "zero_points", "axis"}],
 *    "totals": {"operators", "macs", "bytes", "weight_bytes", "arena_bytes", "level"}}
 *
 * Multipliers are those of the integer stage; the arena is planned for the best level of this
 * machine.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "api/call.h"
#include "api/json.h"
#include "base/checked.h"
#include "base/map.h"
#include "ir/entry/dtype.h"
#include "ir/numerics.h"
#include "ir/ops/infer/cost.h"
#include "text/text.h"

/* JSON has no infinity: the ends of a range may be out of the range of a double. */
static double in_json(double x) { return isfinite(x) ? x : copysign(DBL_MAX, x); }

/* A string of a model file may hold any bytes: JSON must be UTF-8. */
static json_t *text_json(qn_json *pool, const char *data, size_t size) {
  json_t *string = json_stringn(data, size);
  if (string) return qn_json_keep(pool, string);
  char *safe = qn_heap_new(size + 1);
  for (size_t i = 0; i < size; i++) safe[i] = (signed char)data[i] > 0 ? data[i] : '?';
  string = qn_json_keep(pool, json_stringn(safe, size));
  qn_heap_free(safe);
  return string;
}

static json_t *type_json(qn_json *pool, const qn_type *type) {
  qn_text text = {0};
  qn_text_print_type(type, &text);
  json_t *string = text_json(pool, text.data, text.size);
  qn_text_deinit(&text);
  return string;
}

static json_t *location_json(qn_json *pool, const qn_loc *loc) {
  qn_text text = {0};
  qn_loc_render(loc, &text);
  json_t *string = text_json(pool, text.data ? text.data : "", text.size);
  qn_text_deinit(&text);
  return string;
}

/* ---- facts of one op ---- */

static int64_t weight_bytes_of(const qn_op *op) {
  int64_t bytes = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_attr *constant = qn_value_constant(qn_op_operand(op, i));
    int64_t size;
    if (!constant || !qn_attr_is_elements(constant)) continue;
    if (qn_checked_mul(qn_type_elements(constant->type),
                       qn_type_bytes(qn_type_element(constant->type)), &size))
      (void)!qn_checked_add(bytes, size, &bytes);
  }
  return bytes;
}

static json_t *types_json(qn_json *pool, const qn_op *op, bool results) {
  json_t *types = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < (results ? op->result_count : op->operand_count); i++)
    qn_json_append(types, json_incref(type_json(pool, results ? op->results[i].type
                                                              : qn_op_operand(op, i)->type)));
  return types;
}

/* Mantissa and shift of the op of the integer stage that writes the same tensor. */
static json_t *multiplier_json(qn_json *pool, const qn_op *op) {
  const qn_attr *scalar = qn_op_find(op, QN_A_MULTIPLIER);
  if (scalar && scalar->kind == QN_ATTR_INTEGER) {
    int64_t shift = qn_op_shift(op);
    return qn_json_keep(pool, json_pack("{s:f, s:I, s:I, s:i}", "real",
                                        ldexp((double)scalar->integer, (int)shift - 31), "mantissa",
                                        (json_int_t)scalar->integer, "shift", (json_int_t)shift,
                                        "channels", 1));
  }
  if (op->operand_count < 5) return NULL;
  const qn_attr *mantissa = qn_value_constant(qn_op_operand(op, 3));
  const qn_attr *shift = qn_value_constant(qn_op_operand(op, 4));
  if (!mantissa || !shift) return NULL;
  int64_t channels = qn_type_elements(mantissa->type);
  if (qn_type_element(mantissa->type)->kind == QN_TYPE_FLOAT)
    return qn_json_keep(pool, json_pack("{s:f, s:I}", "real", qn_dense_float(mantissa, 0),
                                        "channels", (json_int_t)channels));
  int64_t m = qn_dense_int(mantissa, 0), e = qn_dense_int(shift, 0);
  return qn_json_keep(pool, json_pack("{s:f, s:I, s:I, s:I}", "real", ldexp((double)m, (int)e - 31),
                                      "mantissa", (json_int_t)m, "shift", (json_int_t)e, "channels",
                                      (json_int_t)channels));
}

/* The op of the integer stage that writes a tensor first, by the tensor's number + 1. */
static qn_map writers_of(const qn_module *module) {
  qn_map writers = {0};
  const qn_op *func = module ? qn_module_main(module) : NULL;
  if (!func) return writers;
  for (qn_op *op = qn_op_body(func)->first; op; op = op->next) {
    qn_i64s tensors = qn_op_tensors(op);
    if (tensors.count == 0) continue;
    const void *key = (const void *)(uintptr_t)(tensors.data[0] + 1);
    if (key && !qn_map_get(&writers, key)) qn_map_set(&writers, key, op);
  }
  return writers;
}

static const qn_op *writer_of(const qn_map *writers, qn_i64s tensors) {
  const void *key = tensors.count > 0 ? (const void *)(uintptr_t)(tensors.data[0] + 1) : NULL;
  return key ? qn_map_get(writers, key) : NULL;
}

static json_t *operator_json(qn_json *pool, const qn_op *op, int64_t index, const qn_map *writers) {
  qn_i64s tensors = qn_op_tensors(op);
  json_t *numbers = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < tensors.count; i++)
    qn_json_append(numbers, json_integer(tensors.data[i]));
  qn_cost cost = qn_op_cost(op);
  json_t *row = qn_json_keep(
      pool, json_pack("{s:I, s:s, s:O, s:O, s:O, s:O, s:I, s:I, s:I}", "index", (json_int_t)index,
                      "op", qn_op_info_of(op)->name, "location", location_json(pool, op->loc),
                      "inputs", types_json(pool, op, false), "outputs", types_json(pool, op, true),
                      "tensors", numbers, "macs", (json_int_t)cost.macs, "bytes",
                      (json_int_t)cost.bytes, "weight_bytes", (json_int_t)weight_bytes_of(op)));
  const qn_op *writer = writer_of(writers, tensors);
  json_t *multiplier = writer ? multiplier_json(pool, writer) : NULL;
  if (multiplier) qn_json_set(row, "multiplier", json_incref(multiplier));
  return row;
}

static void add_quantized(qn_json *pool, json_t *rows, const qn_value *value, int64_t tensor,
                          int64_t op_index) {
  const qn_quant_uniform *quant = qn_type_quant(value->type);
  if (!quant) return;
  double scale = quant->scales[0];
  int64_t zero = quant->zero_points[0];
  json_t *row = qn_json_keep(pool, json_pack("{s:I, s:I, s:O, s:f, s:I, s:f, s:f, s:I}", "tensor",
                                             (json_int_t)tensor, "operator", (json_int_t)op_index,
                                             "type", type_json(pool, value->type), "scale", scale,
                                             "zero_point", (json_int_t)zero, "min",
                                             in_json(scale * (double)(quant->min - zero)), "max",
                                             in_json(scale * (double)(quant->max - zero)),
                                             "channels", (json_int_t)quant->count));
  if (quant->scheme == QN_PER_AXIS) qn_json_set(row, "axis", json_integer(quant->axis));
  qn_json_append(rows, json_incref(row));
}

/* ---- tensors ---- */

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

/* A row for every numbered tensor that an op of the main function writes: what a dump of it has to
 * say. */
static json_t *tensors_json(qn_json *pool, const qn_module *module) {
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

/* ---- the report ---- */

static json_t *tensor_json(qn_json *pool, const qn_tensor_info *info) {
  json_t *dims = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < info->rank; i++) qn_json_append(dims, json_integer(info->dims[i]));
  return json_pack("{s:O, s:s, s:O, s:I, s:f, s:I, s:I}", "name",
                   text_json(pool, info->name, strlen(info->name)), "dtype",
                   qn_dtype_name(info->dtype), "shape", dims, "bytes", (json_int_t)info->bytes,
                   "scale", info->scale, "zero_point", (json_int_t)info->zero_point, "tensor",
                   (json_int_t)info->index);
}

static void add_operators(qn_json *pool, json_t *report, const qn_module *module,
                          const qn_module *integer) {
  json_t *operators = qn_json_keep(pool, json_array()),
         *quantized = qn_json_keep(pool, json_array());
  int64_t index = 0, weights = 0;
  qn_cost sum = {0, 0};
  qn_map writers = writers_of(integer);
  const qn_op *func = qn_module_main(module);
  for (const qn_op *op = qn_op_body(func)->first; op; op = op->next) {
    if (qn_op_has(op, QN_CONSTANT | QN_TERMINATOR)) continue;
    qn_json_append(operators, json_incref(operator_json(pool, op, index, &writers)));
    qn_i64s tensors = qn_op_tensors(op);
    for (uint32_t i = 0; i < op->result_count; i++)
      add_quantized(pool, quantized, &op->results[i], i < tensors.count ? tensors.data[i] : -1,
                    index);
    qn_cost cost = qn_op_cost(op);
    sum = (qn_cost){sum.macs + cost.macs, sum.bytes + cost.bytes};
    weights += weight_bytes_of(op);
    index++;
  }
  qn_map_deinit(&writers);
  qn_json_set(report, "operators", json_incref(operators));
  qn_json_set(report, "quantized", json_incref(quantized));
  qn_json_set(report, "totals",
              json_pack("{s:I, s:I, s:I, s:I}", "operators", (json_int_t)index, "macs",
                        (json_int_t)sum.macs, "bytes", (json_int_t)sum.bytes, "weight_bytes",
                        (json_int_t)weights));
}

static void add_signature(qn_json *pool, json_t *report, const qn_signature *signature) {
  json_t *inputs = qn_json_keep(pool, json_array()), *outputs = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < signature->input_count; i++)
    qn_json_append(inputs, tensor_json(pool, &signature->inputs[i]));
  for (uint32_t i = 0; i < signature->output_count; i++)
    qn_json_append(outputs, tensor_json(pool, &signature->outputs[i]));
  qn_json_set(report, "inputs", json_incref(inputs));
  qn_json_set(report, "outputs", json_incref(outputs));
}

static qn_status plan_arena(const qn_model *model, json_t *report) {
  const qn_target *target = qn_target_find(qn_str_of(qn_host_level()));
  qn_module *loops = NULL;
  QN_TRY(qn_model_lowered(model, &(qn_lowering){.target = target}, QN_STAGE_LOOPS, &loops));
  json_t *totals = json_object_get(report, "totals");
  qn_json_set(totals, "arena_bytes", json_integer(qn_op_arena_bytes(loops->op)));
  qn_json_set(totals, "level", json_string(target->name));
  qn_module_destroy(loops);
  return QN_OK;
}

static qn_status fill(const qn_model *model, qn_json *pool, json_t *report, qn_arena *arena) {
  qn_signature signature;
  qn_entry entry;
  QN_TRY(qn_signature_read(model->module, arena, &entry, &signature));
  add_signature(pool, report, &signature);
  qn_module *integer = NULL;
  const qn_lowering kept = {.keep_tensors = true};
  QN_TRY(qn_model_lowered(model, &kept, QN_STAGE_INTEGER, &integer));
  add_operators(pool, report, model->module, integer);
  qn_json_set(report, "tensors", json_incref(tensors_json(pool, model->module)));
  qn_module_destroy(integer);
  return plan_arena(model, report);
}

static qn_status inspect(const qn_model *model, char **out_json, size_t *out_size) {
  QN_TRY(qn_model_check(model));
  if (model->stage == QN_STAGE_LOOPS)
    return qn_error(&model->context->ir.diag, model->module->op->loc, QN_UNSUPPORTED,
                    "a module at the loops stage has no tensors to inspect");
  qn_str numerics = qn_op_numerics(model->module->op);
  qn_json *pool = qn_json_create();
  json_t *report = qn_json_keep(pool, json_pack("{s:O, s:s, s:O}", "model",
                                                text_json(pool, model->name.data, model->name.size),
                                                "stage", qn_stage_name(model->stage), "numerics",
                                                text_json(pool, numerics.data, numerics.size)));
  qn_arena arena;
  qn_arena_init(&arena);
  qn_status status = fill(model, pool, report, &arena);
  qn_arena_deinit(&arena);
  if (status == QN_OK) status = qn_json_give(report, out_json, out_size);
  qn_json_destroy(pool);
  return status;
}

qn_status qn_model_inspect(const qn_model *model, char **out_json, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, NULL, inspect(model, out_json, out_size));
  return status;
}
