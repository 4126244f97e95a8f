/* The report on a model: what `quern inspect` shows. JSON:
 *
 *   {"model", "stage", "numerics", "compilable", "problem",
 *    "sizes": [{"name", "bound"}], "inputs": [tensor], "outputs": [tensor],
 *    "operators": [{"index", "operator", "op", "location", "inputs": [type], "outputs": [type],
 * "layout", "attributes": {name: value}, "tensors": [n], "reads": [n], "reads_inputs": [n], "macs",
 *                   "weight_bytes", "rom_bytes", "ram_bytes", "unsupported", "in_float",
 *                   "reads_in_float",
 *                   "multiplier": {"real", "mantissa", "shift", "channels", "mantissas",
 *                                  "shifts", "rounding"}}],
 *    "quantized": [{"tensor", "operator", "type", "scale", "zero_point", "min", "max", "axis",
 *                   "channels"}],
 *    "tensors": [{"tensor", "operator", "dtype", "shape", "size", "size_dimension", "scales",
 *                 "zero_points", "axis"}],
 *    "totals": {"operators", "macs", "weight_bytes", "arena_bytes", "state_bytes",
 *              "prepared_bytes", "rom_bytes", "level"},
 *    "memory": {"steps": [{"location", "kernel", "live_bytes"}],
 *               "buffers": [{"offset", "bytes", "first", "last", "location"}]},
 *    "object": {"sections": [{"name", "kind", "bytes"}],
 *               "functions": [{"name", "code_bytes", "frame_bytes", "stack_bytes"}],
 *               "routines": [name], "code_bytes", "constant_bytes", "flash_bytes", "stack_bytes"}}
 *
 * Multipliers are those of the integer stage. Memory is planned for the CPU level in the options,
 * else the best level of the host. A model that can't be compiled has neither, but has "problem".
 * "object" is there if the report is about an object that was emitted; rows of operators then have
 * "code_bytes" and "stack_bytes", too. With a dynamic size, all numbers are for its upper bound,
 * and types contain a ? for it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/inspect/inspect.h"

#include <string.h>

#include "api/call.h"
#include "api/executable.h"
#include "ir/numerics.h"
#include "ir/walk.h"

static json_t *tensor_json(qn_json *pool, const qn_entry *entry, const qn_tensor_info *info) {
  json_t *dims = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < info->rank; i++) qn_json_append(dims, json_integer(info->dims[i]));
  json_t *row = qn_json_keep(pool, json_pack("{s:O, s:s, s:O, s:I, s:f, s:I, s:I}", "name",
                                             qn_inspect_text(pool, info->name, strlen(info->name)),
                                             "dtype", qn_dtype_name(info->dtype), "shape", dims,
                                             "bytes", (json_int_t)info->bytes, "scale", info->scale,
                                             "zero_point", (json_int_t)info->zero_point, "tensor",
                                             (json_int_t)info->index));
  qn_inspect_size(pool, row, entry, (qn_sized){info->size, info->size_dimension});
  return row;
}

static json_t *tensors_json(qn_json *pool, const qn_entry *entry, const qn_tensor_info *tensors,
                            uint32_t count) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < count; i++)
    qn_json_append(rows, json_incref(tensor_json(pool, entry, &tensors[i])));
  return rows;
}

static void add_sizes(qn_json *pool, json_t *report, const qn_entry *entry) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < entry->size_count; i++) {
    const qn_size *size = &entry->sizes[i];
    qn_json_append(rows, json_pack("{s:O, s:I}", "name",
                                   qn_inspect_text(pool, size->name.data, size->name.size), "bound",
                                   (json_int_t)size->bound));
  }
  if (entry->size_count > 0) qn_json_set(report, "sizes", json_incref(rows));
}

/* Adds inputs and outputs; none if there is no entry. */
static void add_signature(qn_json *pool, json_t *report, const qn_entry *entry,
                          const qn_signature *s) {
  if (entry) add_sizes(pool, report, entry);
  qn_json_set(report, "inputs", json_incref(tensors_json(pool, entry, s->inputs, s->input_count)));
  qn_json_set(report, "outputs",
              json_incref(tensors_json(pool, entry, s->outputs, s->output_count)));
}

/* ---- compiling ---- */

typedef struct compiled {
  qn_module *integer, *loops; /* NULL if the model can't be lowered to the stage */
  const qn_target *target;
  qn_reasons reasons;
} compiled;

/* The first op that was kept for inspection although it can't be compiled; NULL if there is
 * none. */
static const qn_op *find_rejected(const qn_module *module) {
  if (qn_op_reason(module->op).size > 0) return module->op;
  QN_FOR_EACH_NESTED_OP(op, qn_module_main(module))
  if (op->kind == QN_OP_UNREGISTERED || qn_op_reason(op).size > 0) return op;
  return NULL;
}

/* Compiles the model for the report. Errors of the model become part of the report; errors of the
 * call are returned. */
static qn_status compile(const qn_model *model, const qn_compile_options *options, qn_arena *arena,
                         compiled *out) {
  qn_codegen_target target;
  qn_compile_options any = *options; /* nothing runs, so the level may be of any architecture */
  any.engine = QN_ENGINE_INTERPRETER;
  QN_TRY(qn_resolve_target(model->context, &any, &target));
  out->target = target.level;
  qn_lowering how = qn_lowering_of(options, target.level), kept = how;
  kept.keep_tensors = true;
  qn_reasons_begin(&out->reasons, &model->context->ir.diag, arena);
  const qn_op *rejected = find_rejected(model->module);
  qn_str reason = rejected ? qn_op_reason(rejected) : (qn_str){NULL, 0};
  qn_status status = QN_UNSUPPORTED;
  if (reason.size > 0)
    status = qn_error(&model->context->ir.diag, rejected->loc, status, "%.*s", QN_STR_ARG(reason));
  if (!rejected) status = qn_model_lowered(model, &kept, QN_STAGE_INTEGER, &out->integer);
  if (status == QN_OK) status = qn_model_lowered(model, &how, QN_STAGE_LOOPS, &out->loops);
  qn_reasons_end(&out->reasons);
  bool about_model = status == QN_OK || status == QN_UNSUPPORTED || status == QN_INVALID;
  if (about_model) return QN_OK;
  qn_diag_engine *diag = &model->context->ir.diag;
  return qn_error(diag, model->module->op->loc, status, "%s",
                  out->reasons.first ? out->reasons.first : "the model can't be compiled");
}

static json_t *or_null(bool known, int64_t number) {
  return known ? json_integer(number) : json_null();
}

static void add_compiled(json_t *report, const compiled *c, int64_t rom_bytes) {
  json_t *totals = json_object_get(report, "totals");
  bool known = c->loops != NULL;
  qn_json_set(totals, "rom_bytes", or_null(known, rom_bytes));
  qn_json_set(totals, "arena_bytes", or_null(known, known ? qn_op_arena_bytes(c->loops->op) : 0));
  qn_json_set(totals, "state_bytes",
              or_null(known, known ? qn_inspect_states(c->loops, c->target) : 0));
  qn_json_set(totals, "prepared_bytes",
              or_null(known, known ? qn_inspect_prepared(c->loops, c->target) : 0));
  qn_json_set(totals, "level", json_string(c->target->name));
  qn_json_set(report, "compilable", json_boolean(known));
}

static void add_signatures(const qn_model *model, qn_json *pool, json_t *report) {
  const qn_attr *list = qn_op_signatures(model->module->op);
  if (!list || list->kind != QN_ATTR_ARRAY) return;
  json_t *names = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < list->array.count; i++) {
    const qn_attr *name = list->array.items[i];
    if (name->kind == QN_ATTR_STRING)
      qn_json_append(names,
                     json_incref(qn_inspect_text(pool, name->string.data, name->string.size)));
  }
  qn_json_set(report, "signatures", json_incref(names));
}

static void add_absorbed(const qn_model *model, qn_json *pool, json_t *report) {
  qn_i64s numbers = qn_op_absorbed(model->module->op);
  if (numbers.count == 0) return;
  json_t *list = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < numbers.count; i++) qn_json_append(list, json_integer(numbers.data[i]));
  qn_json_set(report, "absorbed", json_incref(list));
}

static void add_bands(const qn_module *loops, qn_json *pool, json_t *report) {
  const qn_attr *list = qn_op_bands(loops->op);
  if (!list || list->kind != QN_ATTR_ARRAY) return;
  json_t *notes = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < list->array.count; i++) {
    const qn_attr *note = list->array.items[i];
    if (note->kind == QN_ATTR_STRING)
      qn_json_append(notes,
                     json_incref(qn_inspect_text(pool, note->string.data, note->string.size)));
  }
  qn_json_set(report, "bands", json_incref(notes));
}

static void add_all(const qn_model *model, const qn_entry *entry, qn_json *pool, json_t *report,
                    const compiled *c, const qn_codegen_report *object, qn_arena *arena) {
  qn_str_map layers = {0};
  int64_t rom_bytes = 0;
  if (c->loops)
    qn_json_set(report, "memory",
                json_incref(qn_inspect_memory(pool, c->loops, arena, object, &layers, &rom_bytes)));
  qn_inspect_operators(pool, report,
                       &(qn_inspect_sources){.module = model->module,
                                             .integer = c->integer,
                                             .entry = entry,
                                             .layers = &layers,
                                             .object = object,
                                             .reasons = &c->reasons});
  qn_str_map_deinit(&layers);
  add_compiled(report, c, rom_bytes);
  if (c->loops) add_bands(c->loops, pool, report);
  const char *problem = c->reasons.first;
  if (problem)
    qn_json_set(report, "problem", json_incref(qn_inspect_text(pool, problem, strlen(problem))));
}

static qn_status fill(const qn_model *model, const qn_compile_options *options, qn_json *pool,
                      json_t *report, const qn_codegen_report *object, qn_arena *arena) {
  qn_signature signature = {.input_count = 0};
  qn_entry entry;
  compiled c = {.integer = NULL};
  QN_TRY(compile(model, options, arena, &c));
  qn_diag_state state = qn_diag_silence(&model->context->ir.diag);
  qn_status status = qn_signature_read(model->module, arena, &entry, &signature);
  if (status != QN_OK) status = qn_signature_read_largest(model->module, arena, &entry, &signature);
  qn_diag_restore(&model->context->ir.diag, &state);
  const qn_entry *known = status == QN_OK ? &entry : NULL;
  /* without known types, a model that can't be compiled has no signature in its report */
  if (known || !c.loops) {
    add_signature(pool, report, known, &signature);
    add_all(model, known, pool, report, &c, object, arena);
    status = QN_OK;
  }
  qn_reasons_free(&c.reasons);
  qn_module_destroy(c.integer);
  qn_module_destroy(c.loops);
  return status;
}

qn_status qn_inspect_object(const qn_model *model, const qn_compile_options *options,
                            const qn_codegen_report *object, char **out_json, size_t *out_size) {
  QN_TRY(qn_model_check(model));
  if (model->stage == QN_STAGE_LOOPS)
    return qn_error(&model->context->ir.diag, model->module->op->loc, QN_UNSUPPORTED,
                    "a module at the loops stage has no tensors to inspect");
  qn_compile_options all = qn_compile_options_of(options);
  qn_str numerics = qn_op_numerics(model->module->op);
  qn_json *pool = qn_json_create();
  json_t *report =
      qn_json_keep(pool, json_pack("{s:O, s:s, s:O}", "model",
                                   qn_inspect_text(pool, model->name.data, model->name.size),
                                   "stage", qn_stage_name(model->stage), "numerics",
                                   qn_inspect_text(pool, numerics.data, numerics.size)));
  qn_arena arena;
  qn_arena_init(&arena);
  add_signatures(model, pool, report);
  add_absorbed(model, pool, report);
  qn_status status = fill(model, &all, pool, report, object, &arena);
  qn_arena_deinit(&arena);
  if (status == QN_OK && object)
    qn_inspect_add_object(pool, report, object, qn_str_of(all.symbol ? all.symbol : "model"));
  if (status == QN_OK) status = qn_json_give(report, out_json, out_size);
  qn_json_destroy(pool);
  return status;
}

qn_status qn_model_inspect_for(const qn_model *model, const qn_compile_options *options,
                               char **out_json, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, NULL,
          qn_inspect_object(model, options, NULL, out_json, out_size));
  return status;
}

qn_status qn_model_inspect(const qn_model *model, char **out_json, size_t *out_size) {
  return qn_model_inspect_for(model, NULL, out_json, out_size);
}
