/* Loads and prints models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "api/bands/bands.h"
#include "api/call.h"
#include "api/passes/pipelines.h"
#include "base/clock.h"
#include "base/file_kind.h"
#include "import/importers.h"
#include "ir/clone.h"
#include "ir/numerics.h"
#include "ir/walk.h"
#include "text/text.h"

/* ---- stage ---- */

static bool is_integer_op(qn_op *op, void *user) {
  bool *found = user;
  *found = qn_op_has(op, QN_INTEGER_STAGE) && !qn_op_has(op, QN_MODEL_STAGE);
  return !*found;
}

qn_stage qn_model_stage_of(const qn_module *module) {
  const qn_op *main_func = qn_module_main(module);
  if (main_func) {
    const qn_block *body = qn_op_body(main_func);
    for (uint32_t i = 0; body && i < body->arg_count; i++)
      if (body->args[i]->type->kind == QN_TYPE_MEMREF) return QN_STAGE_LOOPS;
  }
  bool integer = false;
  qn_walk_pre(module->op, is_integer_op, &integer);
  return integer ? QN_STAGE_INTEGER : QN_STAGE_MODEL;
}

/* ---- loading ---- */

/* Checks that text without a module op contains a single op, as upstream's option requires, with
 * upstream's message. */
static qn_status check_single(qn_context *context, const qn_module *module) {
  uint32_t count = 0;
  QN_FOR_EACH_OP(op, qn_op_body(module->op)) count++;
  if (!module->implicit || count == 1) return QN_OK;
  return qn_error(&context->ir.diag, module->op->loc, QN_INVALID,
                  "source must contain a single top-level operation, found: %u", count);
}

/* Reports an option that does not apply to MLIR text; the message names the formats to which it
 * applies. */
static qn_status fail_naming_formats(qn_diag_engine *diag, const qn_loc *loc, qn_status status,
                                     qn_importer_test *has_or_null, const char *before,
                                     const char *after) {
  qn_text formats = {0};
  qn_importer_extensions(qn_importers(), has_or_null, &formats);
  qn_status result =
      qn_error(diag, loc, status, "%s %.*s %s", before, QN_STR_ARG(qn_text_view(&formats)), after);
  qn_text_deinit(&formats);
  return result;
}

/* Applies load options to a module that was parsed from MLIR text, and reports options that do not
 * apply to text. */
static qn_status apply_options(qn_module *module, const qn_load_options *options) {
  qn_diag_engine *diag = &module->cx->diag;
  const qn_loc *loc = module->op->loc;
  if (options->constant_count > 0)
    return fail_naming_formats(diag, loc, QN_NOT_FOUND, NULL, "--constant is for inputs of",
                               "models; MLIR text has constants of its own");
  if (options->batch > 0 || options->any_size || options->dimension_count > 0)
    return fail_naming_formats(diag, loc, QN_NOT_FOUND, NULL,
                               "--dim and --batch bind dimensions of",
                               "models; MLIR text has sizes in its types");
  if (options->signature)
    return fail_naming_formats(diag, loc, QN_NOT_FOUND, qn_importer_has_signatures,
                               "--signature chooses in", "models");
  if (options->operator_count)
    return fail_naming_formats(diag, loc, QN_NOT_FOUND, qn_importer_has_parts,
                               "--operators chooses in", "models");
  if (!options->numerics) return QN_OK;
  qn_str name = qn_str_of(options->numerics);
  const qn_profile *profile;
  QN_TRY(qn_profile_find(diag, loc, name, &profile));
  if (qn_model_stage_of(module) != QN_STAGE_MODEL)
    return qn_error(diag, loc, QN_NOT_FOUND,
                    "--numerics chooses before lower-to-integer; each op of this module has its "
                    "own already");
  qn_op_set_attr(module, module->op, qn_numerics_attr, qn_attr_string(module->cx, name));
  return QN_OK;
}

/* Reports a file that is not a model, with a remedy if the file's format has one. */
static qn_status refuse_kind(qn_context *context, qn_str name, const char *kind) {
  const char *remedy = qn_file_remedy(kind);
  const qn_loc *loc = qn_loc_file(&context->ir.diag, name, 0, 0);
  qn_text before = {0}, after = {0};
  qn_text_format(&before, remedy ? "this is %s; models are" : "this is %s, not a model: models are",
                 kind);
  qn_text_format(&after, "files and MLIR text%s%s", remedy ? ": " : "", remedy ? remedy : "");
  qn_status status =
      fail_naming_formats(&context->ir.diag, loc, QN_INVALID, NULL, before.data, after.data);
  qn_text_deinit(&before);
  qn_text_deinit(&after);
  return status;
}

/* Reads and verifies a module. */
static qn_status read_module(qn_context *context, qn_file *file, qn_str name,
                             const qn_load_options *options, qn_module **out_module) {
  qn_bytes bytes = qn_file_bytes(file);
  qn_str text = {(const char *)bytes.data, bytes.size};
  const qn_importer *importer = qn_importer_of(qn_importers(), bytes);
  if (importer) {
    qn_import_options import = {.path = name,
                                .numerics = qn_str_of(options->numerics),
                                .batch = options->batch,
                                .signature = qn_str_of(options->signature),
                                .rebatch = options->rebatch != 0,
                                .any_size = options->any_size != 0,
                                .part = {.operators = options->operators,
                                         .inputs = options->inputs,
                                         .outputs = options->outputs,
                                         .operator_count = options->operator_count,
                                         .input_count = options->input_count,
                                         .output_count = options->output_count},
                                .constants = options->constants,
                                .constant_count = options->constant_count,
                                .dimensions = options->dimensions,
                                .dimension_count = options->dimension_count,
                                .keep_unsupported = options->keep_unsupported != 0};
    QN_TRY(qn_importer_check(importer, &context->ir.diag, &import));
    return importer->read(&context->ir, file, &import, out_module);
  }
  if (bytes.size == 0)
    return qn_error(&context->ir.diag, qn_loc_file(&context->ir.diag, name, 0, 0), QN_INVALID,
                    "the file is empty");
  const char *kind = options->part_begin == 0 ? qn_file_kind(bytes) : NULL;
  if (!kind && options->part_begin == 0) kind = qn_text_kind(bytes);
  if (kind) return refuse_kind(context, name, kind);
  context->source = text;
  context->source_name = name;
  size_t begin = options->part_begin;
  size_t end = options->part_end < text.size ? options->part_end : text.size;
  if (begin > end) return QN_INVALID;
  uint32_t line = 1;
  for (size_t i = 0; i < begin; i++) line += text.data[i] == '\n';
  QN_TRY(qn_text_parse_part(&context->ir, (qn_str){text.data + begin, end - begin}, name, line,
                            out_module));
  if (options->no_implicit_module) QN_TRY(check_single(context, *out_module));
  QN_TRY(apply_options(*out_module, options));
  return qn_verify(*out_module);
}

static void describe_part(qn_text *text, const qn_load_options *options) {
  qn_text_format(text, " operators=");
  for (uint32_t i = 0; i < options->operator_count; i++)
    qn_text_format(text, "%u,", options->operators[i]);
  for (uint32_t i = 0; i < options->input_count; i++)
    qn_text_format(text, " in=%d", (int)options->inputs[i]);
  for (uint32_t i = 0; i < options->output_count; i++)
    qn_text_format(text, " out=%d", (int)options->outputs[i]);
}

/* Text of all load options: equal texts mean equal modules for the same file. */
static qn_str describe(qn_ir_context *ir, const qn_load_options *options) {
  qn_text text = {0};
  qn_text_format(&text,
                 "numerics=%s batch=%lld rebatch=%d any-size=%d unregistered=%d unsupported=%d "
                 "part=%zu-%zu explicit=%d fall-back=%d iterations=%lld signature=%s",
                 options->numerics ? options->numerics : "", (long long)options->batch,
                 options->rebatch, options->any_size, options->allow_unregistered,
                 options->keep_unsupported, options->part_begin, options->part_end,
                 options->no_implicit_module, options->fall_back,
                 (long long)options->max_iterations, options->signature ? options->signature : "");
  if (options->operator_count) describe_part(&text, options);
  qn_str reading = qn_intern(ir, qn_text_view(&text));
  qn_text_deinit(&text);
  return reading;
}

static qn_status load_file(qn_context *context, qn_file *file, const char *name,
                           const qn_load_options *options, qn_model *model) {
  qn_load_options all = qn_load_options_of(options);
  qn_str interned = qn_intern(&context->ir, qn_str_of(name));
  qn_module *module = NULL;
  double start = qn_clock_now();
  context->ir.allow_unregistered = all.allow_unregistered || all.keep_unsupported;
  qn_status status = read_module(context, file, interned, &all, &module);
  if (status == QN_OK && all.fall_back)
    qn_op_set_attr(module, module->op, qn_attr_decls[QN_A_FALL_BACK].name,
                   qn_attr_unit(module->cx));
  if (status == QN_OK && all.max_iterations > 0)
    qn_op_set_attr(module, module->op, qn_attr_decls[QN_A_MAX_ITERATIONS].name,
                   qn_attr_i64(module->cx, all.max_iterations));
  context->source = (qn_str){0};
  if (status != QN_OK) {
    qn_module_destroy(module);
    return status;
  }
  model->module = module;
  model->stage = qn_model_stage_of(module);
  model->name = interned;
  model->reading = describe(&context->ir, &all);
  model->load_seconds = qn_clock_now() - start;
  return QN_OK;
}

static qn_status make_model(qn_context *context, qn_file *file, const char *name,
                            const qn_load_options *options, qn_model **out_model) {
  qn_model *model = calloc(1, sizeof *model);
  if (!model) return qn_call_refuse(context, name, QN_EXCEEDED_SYSTEM);
  model->context = context;
  qn_ring_init(&model->ring);
  qn_status status;
  QN_CALL(&status, context, name, &model->ring, load_file(context, file, name, options, model));
  if (status != QN_OK) {
    free(model);
    return status;
  }
  qn_file_retain(file);
  model->file = file;
  *out_model = model;
  return QN_OK;
}

static qn_status copy_memory(qn_bytes bytes, qn_file **out_file) {
  *out_file = qn_file_from_memory(bytes, true);
  return QN_OK;
}

/* Opens a file from a path or from memory. This is a separate call, so that the file belongs to the
 * caller even if a later call is aborted. */
static qn_status get_file(qn_context *context, const char *name, const qn_bytes *bytes_or_null,
                          qn_file **out_file) {
  qn_status status;
  QN_CALL(&status, context, name, NULL,
          bytes_or_null ? copy_memory(*bytes_or_null, out_file)
                        : qn_context_open_model(context, name, out_file));
  return status;
}

static qn_status load(qn_context *context, const char *name, const qn_bytes *bytes_or_null,
                      const qn_load_options *options, qn_model **out_model) {
  *out_model = NULL;
  qn_file *file = NULL;
  qn_status status = get_file(context, name, bytes_or_null, &file);
  if (status == QN_OK) status = make_model(context, file, name, options, out_model);
  qn_file_release(file);
  return status;
}

qn_status qn_model_load(qn_context *context, const char *path, const qn_load_options *options,
                        qn_model **out_model) {
  return load(context, path, NULL, options, out_model);
}

qn_status qn_model_load_memory(qn_context *context, qn_bytes bytes, const char *name,
                               const qn_load_options *options, qn_model **out_model) {
  return load(context, name, &bytes, options, out_model);
}

void qn_model_destroy(qn_model *model) {
  if (!model) return;
  qn_module_destroy(model->module);
  qn_file_release(model->file);
  free(model);
}

void qn_model_begin_change(qn_model *model) {
  model->changing = true;
  model->changed = true;
}

/* Nothing records which parts are intact, so all of the model's memory is freed, regardless of its
 * owner.
 */
void qn_model_lose(qn_model *model) {
  qn_ring_free(&model->ring);
  model->module = NULL;
  model->lost = true;
}

qn_status qn_model_check(const qn_model *model) {
  if (!model->lost) return QN_OK;
  qn_diag_engine *diag = &model->context->ir.diag;
  return qn_error(diag, qn_loc_file(diag, model->name, 0, 0), QN_LIMIT,
                  "the module is gone: a call that was changing it had to be aborted");
}

/* ---- printing and lowering ---- */

qn_form qn_model_stage(const qn_model *model) {
  static const qn_form forms[] = {[QN_STAGE_MODEL] = QN_FORM_MODEL,
                                  [QN_STAGE_INTEGER] = QN_FORM_INTEGER,
                                  [QN_STAGE_LOOPS] = QN_FORM_LOOPS};
  return forms[model->stage];
}

static qn_status print(const qn_model *model, const qn_text_options *options, char **out_text,
                       size_t *out_size) {
  QN_TRY(qn_model_check(model));
  qn_text_options all = qn_text_options_of(options);
  qn_print_options print = qn_print_options_of(&all);
  qn_text text = {0};
  qn_text_print(model->module, &print, &text);
  qn_status status = qn_give_text(text.data, text.size, out_text, out_size);
  qn_text_deinit(&text);
  return status;
}

qn_status qn_model_print(const qn_model *model, const qn_text_options *options, char **out_text,
                         size_t *out_size) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, NULL,
          print(model, options, out_text, out_size));
  return status;
}

qn_lowering qn_lowering_of(const qn_compile_options *options, const qn_target *target) {
  return (qn_lowering){.target = target,
                       .tradeoff = (qn_tradeoff)options->optimize,
                       .keep_tensors = options->keep_tensors != 0,
                       .io_in_arena = options->io_in_arena != 0,
                       .arena_limit = options->arena_limit,
                       .disabled = options->disabled,
                       .explain = options->explain};
}

/* Whether ops can be computed for a part of a dynamic size, as the model defines them: lowered ones
 * no longer tell what depends on the size, such as a rounding. */
static qn_status check_sizes(const qn_module *module) {
  const qn_op *func = qn_module_main(module);
  if (!func || !qn_op_body(func)) return QN_OK;
  qn_arena scratch;
  qn_arena_init(&scratch);
  qn_entry unused;
  qn_status status = qn_entry_read(module, func, &scratch, &unused);
  qn_arena_deinit(&scratch);
  return status;
}

qn_status qn_model_lowered(const qn_model *model, const qn_lowering *how, qn_stage to,
                           qn_module **out_module) {
  *out_module = NULL;
  QN_TRY(qn_model_check(model));
  if (model->stage > to)
    return qn_error(&model->context->ir.diag, model->module->op->loc, QN_INVALID,
                    "the module is at the %s stage, beyond %s", qn_stage_name(model->stage),
                    qn_stage_name(to));
  if (model->stage == QN_STAGE_MODEL) QN_TRY(check_sizes(model->module));
  if (qn_check_pass_names(model->context, "<disabled passes>", how->disabled) != QN_OK ||
      qn_check_explain(model->context, how->explain) != QN_OK)
    return QN_NOT_FOUND;
  const qn_target target = qn_target_optimized(how->target, how->tradeoff);
  qn_lower_config config = {
      .target = &target, .keep_tensors = how->keep_tensors, .io_in_arena = how->io_in_arena};
  qn_run_settings settings = qn_pipeline_settings(&config);
  settings.disabled = how->disabled;
  settings.explain = how->explain;
  qn_text bands = {0};
  if (how->arena_limit > 0 && !how->keep_tensors && model->stage == QN_STAGE_MODEL)
    qn_bands_choose(model->module, &settings, how->arena_limit, &bands);
  config.bands = bands.data;
  qn_module *module = qn_module_clone(model->module);
  qn_status status = qn_pipeline_lower(module, &settings, model->stage, to);
  qn_text_deinit(&bands);
  if (status == QN_OK)
    *out_module = module;
  else
    qn_module_destroy(module);
  return status;
}
