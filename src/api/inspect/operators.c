/* Rows of operators and of the tensors that they write.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "api/inspect/inspect.h"
#include "base/checked.h"
#include "ir/entry/dtype.h"
#include "ir/file_layout.h"
#include "ir/ops/infer/cost.h"
#include "ir/ops/infer/infer.h"
#include "text/text.h"

/* A double that JSON can represent: infinite ends of a range become the largest finite double. */
static double in_json(double x) { return isfinite(x) ? x : copysign(DBL_MAX, x); }

json_t *qn_inspect_text(qn_json *pool, const char *data, size_t size) {
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
  json_t *string = qn_inspect_text(pool, text.data, text.size);
  qn_text_deinit(&text);
  return string;
}

json_t *qn_inspect_location(qn_json *pool, const qn_loc *loc) {
  qn_text text = {0};
  qn_loc_render(loc, &text);
  json_t *string = qn_inspect_text(pool, text.data ? text.data : "", text.size);
  qn_text_deinit(&text);
  return string;
}

/* ---- dynamic sizes ---- */

void qn_inspect_size(qn_json *pool, json_t *row, const qn_entry *entry, qn_sized sized) {
  if (!entry || sized.size == QN_SIZE_FIXED) return;
  qn_str name = entry->sizes[sized.size].name;
  qn_json_set(row, "size", json_incref(qn_inspect_text(pool, name.data, name.size)));
  qn_json_set(row, "size_dimension", json_integer(sized.dimension));
}

static qn_sized size_of(const qn_entry *entry, const qn_value *value) {
  return entry && entry->size_count > 0 ? entry->size_of[value->id] : (qn_sized){QN_SIZE_FIXED, 0};
}

/* The type of a value with its dynamic dimensions. */
static json_t *open_type_json(qn_json *pool, const qn_inspect_sources *sources,
                              const qn_value *value) {
  qn_sized sized = size_of(sources->entry, value);
  const qn_type *type = value->type;
  if (sized.size == QN_SIZE_FIXED) return type_json(pool, type);
  qn_arena arena;
  qn_arena_init(&arena);
  int64_t *dims = qn_arena_copy(&arena, type->shaped.dims, type->shaped.rank * sizeof *dims);
  dims[sized.dimension] = QN_DYNAMIC;
  type = qn_type_shaped(sources->module->cx, type->kind, type->shaped.element, true,
                        type->shaped.rank, dims, type->shaped.encoding, NULL);
  qn_arena_deinit(&arena);
  return type_json(pool, type);
}

/* ---- facts of one op ---- */

/* The operand of the op that computes the value, if it is of that kind and no tensor of the file
 * has its result; else the value. */
static const qn_value *before(const qn_value *value, qn_op_kind kind) {
  const qn_op *op = value->op;
  return op && op->kind == kind && !qn_op_find(op, QN_A_TENSORS) ? qn_op_operand(op, 0) : value;
}

/* The constant that a value is, possibly in another layout than in the file; NULL if it is
 * computed.
 */
static const qn_attr *constant_of(const qn_value *value) {
  value = before(value, QN_OP_QUANT_SCAST);
  return qn_value_constant(before(value, QN_OP_ML_TRANSPOSE));
}

static bool is_listed(const qn_op *op) {
  if (qn_op_has(op, QN_CONSTANT | QN_TERMINATOR)) return false;
  return op->result_count == 0 || !constant_of(&op->results[0]);
}

static int64_t weight_bytes_of(const qn_op *op) {
  int64_t bytes = 0;
  for (uint32_t i = 0; i < op->operand_count; i++) {
    const qn_attr *constant = constant_of(qn_op_operand(op, i));
    int64_t size;
    if (!constant || !qn_attr_is_elements(constant)) continue;
    if (qn_checked_mul(qn_type_elements(constant->type),
                       qn_type_bytes(qn_type_element(constant->type)), &size))
      (void)!qn_checked_add(bytes, size, &bytes);
  }
  return bytes;
}

static json_t *types_json(qn_json *pool, const qn_inspect_sources *sources, const qn_op *op,
                          bool results) {
  json_t *types = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < (results ? op->result_count : op->operand_count); i++)
    qn_json_append(types, json_incref(open_type_json(
                              pool, sources, results ? &op->results[i] : qn_op_operand(op, i))));
  return types;
}

/* All elements of a constant as a JSON array. */
static json_t *elements_json(qn_json *pool, const qn_attr *constant) {
  json_t *numbers = qn_json_keep(pool, json_array());
  int64_t count = qn_type_elements(constant->type);
  for (int64_t i = 0; i < count; i++)
    qn_json_append(numbers, json_integer(qn_dense_int(constant, i)));
  return numbers;
}

/* Multipliers and shifts of the integer-stage op that writes the same tensor. */
static json_t *scaling_json(qn_json *pool, const qn_op *op) {
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
  if (!mantissa || !shift || qn_type_element(shift->type)->kind != QN_TYPE_INTEGER) return NULL;
  int64_t channels = qn_type_elements(mantissa->type);
  if (qn_type_element(mantissa->type)->kind == QN_TYPE_FLOAT)
    return qn_json_keep(pool, json_pack("{s:f, s:I}", "real", qn_dense_float(mantissa, 0),
                                        "channels", (json_int_t)channels));
  int64_t m = qn_dense_int(mantissa, 0), e = qn_dense_int(shift, 0);
  json_t *row = qn_json_keep(
      pool, json_pack("{s:f, s:I, s:I, s:I}", "real", ldexp((double)m, (int)e - 31), "mantissa",
                      (json_int_t)m, "shift", (json_int_t)e, "channels", (json_int_t)channels));
  if (channels > 1) {
    qn_json_set(row, "mantissas", json_incref(elements_json(pool, mantissa)));
    qn_json_set(row, "shifts", json_incref(elements_json(pool, shift)));
  }
  return row;
}

static json_t *multiplier_json(qn_json *pool, const qn_op *op) {
  json_t *row = scaling_json(pool, op);
  const qn_attr *rounding = qn_op_find(op, QN_A_REQUANT_ROUNDING);
  if (row && rounding && rounding->kind == QN_ATTR_STRING)
    qn_json_set(row, "rounding",
                json_incref(qn_inspect_text(pool, rounding->string.data, rounding->string.size)));
  return row;
}

/* Maps tensor index + 1 to the first op of the integer stage that writes the tensor. */
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

/* ---- attributes ---- */

static json_t *numbers_json(qn_json *pool, const qn_attr *list) {
  json_t *numbers = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < list->dense_array.count; i++)
    qn_json_append(numbers, list->dense_array.ints
                                ? json_integer(list->dense_array.ints[i])
                                : json_real(in_json(list->dense_array.numbers[i])));
  return numbers;
}

static json_t *attribute_json(qn_json *pool, const qn_attr *attr) {
  switch (attr->kind) {
  case QN_ATTR_UNIT:
    return qn_json_keep(pool, json_true());
  case QN_ATTR_BOOL:
    return qn_json_keep(pool, json_boolean(attr->integer));
  case QN_ATTR_INTEGER:
    return qn_json_keep(pool, json_integer(attr->integer));
  case QN_ATTR_FLOAT:
    return qn_json_keep(pool, json_real(in_json(attr->number)));
  case QN_ATTR_STRING:
    return qn_inspect_text(pool, attr->string.data, attr->string.size);
  case QN_ATTR_DENSE_ARRAY:
    return numbers_json(pool, attr);
  default: { /* other attributes: as printed in MLIR text */
    qn_text text = {0};
    qn_text_print_attr(attr, &text);
    json_t *string = qn_inspect_text(pool, text.data, text.size);
    qn_text_deinit(&text);
    return string;
  }
  }
}

/* Attributes of an op, without internal ones, which other keys of the row contain. */
static json_t *attributes_json(qn_json *pool, const qn_op *op) {
  static const char own[] = "quern.";
  json_t *all = qn_json_keep(pool, json_object());
  for (uint32_t i = 0; i < op->attr_count; i++) {
    qn_str name = op->attrs[i].name;
    if (name.size >= sizeof own - 1 && memcmp(name.data, own, sizeof own - 1) == 0) continue;
    const char *key = json_string_value(qn_inspect_text(pool, name.data, name.size));
    qn_json_set(all, key, json_incref(attribute_json(pool, op->attrs[i].value)));
  }
  return all;
}

/* ---- rows ---- */

qn_str qn_inspect_key(qn_arena *arena, const qn_loc *loc) {
  while (loc->kind != QN_LOC_NAME && loc->child_count > 0) loc = loc->children[0];
  if (loc->kind == QN_LOC_NAME) return loc->text;
  return qn_arena_format(arena, "%u:%u", loc->line, loc->column);
}

static void add_facts(qn_json *pool, json_t *row, const qn_op *op,
                      const qn_inspect_sources *sources) {
  qn_arena arena;
  qn_arena_init(&arena);
  const qn_layer_facts *facts =
      sources->layers ? qn_str_map_get(sources->layers, qn_inspect_key(&arena, op->loc)) : NULL;
  qn_arena_deinit(&arena);
  if (facts) {
    qn_json_set(row, "rom_bytes", json_integer(facts->rom_bytes));
    qn_json_set(row, "ram_bytes", json_integer(facts->ram_bytes));
  }
  if (facts && sources->object) {
    qn_json_set(row, "code_bytes", json_integer(facts->code_bytes));
    qn_json_set(row, "stack_bytes", json_integer(facts->stack_bytes));
  }
  qn_str reason = qn_reasons_of(sources->reasons, op);
  if (reason.size > 0)
    qn_json_set(row, "unsupported", json_incref(qn_inspect_text(pool, reason.data, reason.size)));
}

/* ---- tensors that an op reads ---- */

typedef struct reading {
  const qn_value **seen; /* values without duplicates */
  uint32_t count, capacity;
} reading;

static void note_operands(reading *r, const qn_op *op) {
  for (uint32_t i = 0; i < op->operand_count && r->count < r->capacity; i++) {
    const qn_value *value = qn_op_operand(op, i);
    uint32_t k = 0;
    while (k < r->count && r->seen[k] != value) k++;
    if (k == r->count) r->seen[r->count++] = value;
  }
}

static int64_t input_number(const qn_entry *entry, const qn_value *value) {
  for (uint32_t i = 0; i < entry->input_count; i++)
    if (entry->inputs[i] == value->index) return i;
  return -1;
}

/* Adds the tensor index of a channels-last value, which belongs to the transpose of the value to
 * channels first, if there is one and it is not `reader`. Returns whether it was added. */
static bool add_channels_first(json_t *tensors, const qn_value *value, const qn_op *reader) {
  const qn_op *op = qn_value_channels_first(value);
  if (!op || op == reader) return false;
  qn_json_append(tensors, json_integer(qn_op_tensors(op).data[0]));
  return true;
}

/* Adds the indices of the tensors, and of the model's inputs, that the op reads. Some ops have no
 * tensor index, because an operator of the file was imported as several ops; the search continues
 * with their operands, up to MOST_BETWEEN values. Also adds whether one of these ops is an unfused
 * float op. */
static void add_reads(qn_json *pool, json_t *row, const qn_op *op, const qn_entry *entry) {
  enum { MOST_BETWEEN = 64 };
  bool in_float = false;
  json_t *tensors = qn_json_keep(pool, json_array()), *inputs = qn_json_keep(pool, json_array());
  qn_arena arena;
  qn_arena_init(&arena);
  reading r = {.capacity = op->operand_count + MOST_BETWEEN};
  r.seen = QN_NEW_ARRAY(&arena, r.capacity, const qn_value *);
  note_operands(&r, op);
  for (uint32_t i = 0; i < r.count; i++) {
    const qn_value *value = r.seen[i];
    qn_i64s written = value->op ? qn_op_tensors(value->op) : (qn_i64s){0};
    int64_t input = value->op || !entry ? -1 : input_number(entry, value);
    if (value->index < written.count) {
      qn_json_append(tensors, json_integer(written.data[value->index]));
    } else if (value->op && !add_channels_first(tensors, value, op)) {
      in_float |= qn_op_unfused(value->op);
      note_operands(&r, value->op);
    }
    if (input >= 0) qn_json_append(inputs, json_integer(input));
  }
  qn_arena_deinit(&arena);
  qn_json_set(row, "reads", json_incref(tensors));
  qn_json_set(row, "reads_inputs", json_incref(inputs));
  if (in_float) qn_json_set(row, "reads_in_float", json_true());
}

/* The operator index in the model file, parsed from "operator 5 (CONV_2D)". Several ops may have
 * the same index. */
static void add_number(json_t *row, const json_t *location) {
  static const char before[] = "operator ";
  const char *text = json_string_value(location), *found = text ? strstr(text, before) : NULL;
  unsigned number;
  int end = 0;
  if (found && sscanf(found + sizeof before - 1, "%u (%n", &number, &end) == 1 && end > 0)
    qn_json_set(row, "operator", json_integer(number));
}

static json_t *operator_json(qn_json *pool, const qn_op *op, int64_t index,
                             const qn_inspect_sources *sources, const qn_map *writers) {
  qn_i64s tensors = qn_op_tensors(op);
  json_t *numbers = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < tensors.count; i++)
    qn_json_append(numbers, json_integer(tensors.data[i]));
  qn_cost cost = qn_op_cost(op);
  json_t *row = qn_json_keep(
      pool,
      json_pack("{s:I, s:O, s:O, s:O, s:O, s:O, s:O, s:I, s:I, s:I}", "index", (json_int_t)index,
                "op", qn_inspect_text(pool, op->name.data, op->name.size), "location",
                qn_inspect_location(pool, op->loc), "inputs", types_json(pool, sources, op, false),
                "outputs", types_json(pool, sources, op, true), "attributes",
                attributes_json(pool, op), "tensors", numbers, "macs", (json_int_t)cost.macs,
                "bytes", (json_int_t)cost.bytes, "weight_bytes", (json_int_t)weight_bytes_of(op)));
  add_number(row, json_object_get(row, "location"));
  add_reads(pool, row, op, sources->entry);
  if (qn_op_unfused(op)) qn_json_set(row, "in_float", json_true());
  const char *layout = qn_inference_of(op->kind)->layout;
  if (layout) qn_json_set(row, "layout", json_string(layout));
  const qn_op *writer = writer_of(writers, tensors);
  json_t *multiplier = writer ? multiplier_json(pool, writer) : NULL;
  if (multiplier) qn_json_set(row, "multiplier", json_incref(multiplier));
  add_facts(pool, row, op, sources);
  return row;
}

static void add_quantized(qn_json *pool, const qn_inspect_sources *sources, json_t *rows,
                          const qn_value *value, int64_t tensor, int64_t op_index) {
  const qn_quant_uniform *quant = qn_type_quant(value->type);
  if (!quant) return;
  double scale = quant->scales[0];
  int64_t zero = quant->zero_points[0];
  json_t *row = qn_json_keep(pool, json_pack("{s:I, s:I, s:O, s:f, s:I, s:f, s:f, s:I}", "tensor",
                                             (json_int_t)tensor, "operator", (json_int_t)op_index,
                                             "type", open_type_json(pool, sources, value), "scale",
                                             scale, "zero_point", (json_int_t)zero, "min",
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

static void add_tensor(qn_json *pool, const qn_entry *entry, json_t *rows, const qn_value *value,
                       int64_t tensor, int64_t op_index) {
  const qn_type *type = value->type;
  bool shaped = type->kind == QN_TYPE_TENSOR && qn_type_is_static(type);
  qn_dtype dtype = shaped ? qn_dtype_of_type(qn_type_element(type)) : (qn_dtype)0;
  if (!dtype) return; /* .npy has no type for the elements */
  json_t *row =
      qn_json_keep(pool, json_pack("{s:I, s:I, s:s, s:O}", "tensor", (json_int_t)tensor, "operator",
                                   (json_int_t)op_index, "dtype", qn_dtype_name(dtype), "shape",
                                   shape_json(pool, type)));
  qn_inspect_size(pool, row, entry, size_of(entry, value));
  add_quantization(pool, row, qn_type_quant(type));
  qn_json_append(rows, json_incref(row));
}

/* A row for every model tensor that an op of the main function writes; the same tensors that a dump
 * contains. */
static json_t *tensors_json(qn_json *pool, const qn_inspect_sources *sources) {
  json_t *rows = qn_json_keep(pool, json_array());
  int64_t index = 0; /* index as in "operators" */
  for (const qn_op *op = qn_op_body(qn_module_main(sources->module))->first; op; op = op->next) {
    if (!is_listed(op)) continue;
    qn_i64s tensors = qn_op_tensors(op);
    for (uint32_t i = 0; i < op->result_count && i < tensors.count; i++)
      add_tensor(pool, sources->entry, rows, &op->results[i], tensors.data[i], index);
    index++;
  }
  return rows;
}

/* ---- all of them ---- */

void qn_inspect_operators(qn_json *pool, json_t *report, const qn_inspect_sources *sources) {
  json_t *operators = qn_json_keep(pool, json_array()),
         *quantized = qn_json_keep(pool, json_array());
  int64_t index = 0, weights = 0;
  qn_cost sum = {0, 0};
  qn_map writers = writers_of(sources->integer);
  const qn_op *func = qn_module_main(sources->module);
  for (const qn_op *op = qn_op_body(func)->first; op; op = op->next) {
    if (!is_listed(op)) continue;
    qn_json_append(operators, json_incref(operator_json(pool, op, index, sources, &writers)));
    qn_i64s tensors = qn_op_tensors(op);
    for (uint32_t i = 0; i < op->result_count; i++)
      add_quantized(pool, sources, quantized, &op->results[i],
                    i < tensors.count ? tensors.data[i] : -1, index);
    qn_cost cost = qn_op_cost(op);
    sum = (qn_cost){sum.macs + cost.macs, sum.bytes + cost.bytes};
    weights += weight_bytes_of(op);
    index++;
  }
  qn_map_deinit(&writers);
  qn_json_set(report, "operators", json_incref(operators));
  qn_json_set(report, "quantized", json_incref(quantized));
  qn_json_set(report, "tensors", json_incref(tensors_json(pool, sources)));
  qn_json_set(report, "totals",
              json_pack("{s:I, s:I, s:I, s:I}", "operators", (json_int_t)index, "macs",
                        (json_int_t)sum.macs, "bytes", (json_int_t)sum.bytes, "weight_bytes",
                        (json_int_t)weights));
}
