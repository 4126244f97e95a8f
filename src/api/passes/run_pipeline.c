/* Runs pipelines on models.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <unistd.h>

#include "api/call.h"
#include "api/passes/instruments.h"
#include "pass/explain.h"

static qn_status parse(qn_context *context, const char *text, qn_pipeline **out_pipeline) {
  context->source = qn_str_of(text);
  context->source_name = qn_str_of("<pipeline>");
  qn_status status = qn_pipeline_parse_text(&context->ir, &context->registry, context->source,
                                            context->source_name, out_pipeline);
  context->source = (qn_str){0};
  return status;
}

qn_status qn_pipeline_parse(qn_context *context, const char *text, qn_pipeline **out_pipeline) {
  *out_pipeline = NULL;
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, parse(context, text, out_pipeline));
  return status;
}

static qn_context *context_of(const qn_pipeline *pipeline) { return pipeline->cx->diag.user; }

qn_status qn_pipeline_set_option(qn_pipeline *pipeline, const char *option, const char *value) {
  qn_status status;
  QN_CALL(&status, context_of(pipeline), NULL, NULL,
          qn_pipeline_apply_option(pipeline, option, value));
  if (status == QN_LIMIT) pipeline->incomplete = true;
  return status;
}

static qn_status print(const qn_pipeline *pipeline, char **out_text, size_t *out_size) {
  qn_text text = {0};
  qn_pipeline_print_text(pipeline, &text);
  qn_status status = qn_give_text(text.data, text.size, out_text, out_size);
  qn_text_deinit(&text);
  return status;
}

qn_status qn_pipeline_print(const qn_pipeline *pipeline, char **out_text, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, context_of(pipeline), NULL, NULL, print(pipeline, out_text, out_size));
  return status;
}

/* ---- settings ---- */

static qn_run_options run_options_of(const qn_run_options *options) {
  qn_run_options all = QN_RUN_OPTIONS_INIT;
  if (options) memcpy(&all, options, options->size < sizeof all ? options->size : sizeof all);
  return all;
}

static qn_status check_options(qn_context *context, const qn_run_options *options) {
  const qn_run_options all = run_options_of(options);
  const struct {
    const char *what, *list;
  } lists[] = {{"<disabled passes>", all.disabled},
               {"<required passes>", all.required},
               {"<passes to print before>", all.print_before},
               {"<passes to print after>", all.print_after}};
  qn_status status = QN_OK;
  for (size_t i = 0; i < QN_COUNT(lists); i++) {
    qn_status one = qn_check_pass_names(context, lists[i].what, lists[i].list);
    if (one != QN_OK) status = one;
  }
  qn_arena arena;
  qn_run_config config;
  qn_arena_init(&arena);
  qn_status one = all.config ? qn_run_config_parse(context, all.config, &arena, &config) : QN_OK;
  qn_arena_deinit(&arena);
  if (one == QN_OK) one = qn_check_explain(context, all.explain);
  if (all.timing < QN_TIMING_NONE || all.timing > QN_TIMING_LIST)
    one = qn_error(&context->ir.diag, context->ir.diag.unknown, QN_INVALID,
                   "there is no layout %d of times", all.timing);
  return one != QN_OK ? one : status;
}

qn_status qn_run_options_check(qn_context *context, const qn_run_options *options) {
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, check_options(context, options));
  return status;
}

static void on_event(void *user, const qn_pass_event *event) {
  const qn_run_options *options = ((qn_run_user *)user)->options;
  const qn_pass_step step = qn_pass_step_of(event);
  if (options->on_step) {
    options->on_step(options->user, &step);
    return;
  }
  bool named = step.symbol && step.symbol[0];
  fprintf(stderr, "BISECT: %s pass (%lld) %s on %s%s%s\n", step.runs ? "running" : "NOT running",
          (long long)step.number, step.pass, step.op, named ? " @" : "", named ? step.symbol : "");
}

static void write_out(void *user, qn_str text) {
  const qn_run_options *options = ((qn_run_user *)user)->options;
  if (options->write)
    options->write(options->user, text.data, text.size);
  else
    (void)fwrite(text.data, 1, text.size, stderr);
}

static void output(void *user) {
  qn_run_user *run = user;
  run->model->stage = qn_model_stage_of(run->model->module);
  if (run->options->output) run->options->output(run->options->user);
}

static qn_run_settings settings_of(qn_run_user *run, const qn_run_config *config) {
  const qn_run_options *all = run->options;
  qn_text_options print = qn_text_options_of(all->print);
  return (qn_run_settings){
      .config = config,
      .explain = all->explain,
      .keep_tensors = config->lower.keep_tensors,
      .verify_each = all->verify_each != 0,
      .opt_level = all->opt_level < 0 || all->opt_level > QN_ALL_LEVELS ? QN_ALL_LEVELS
                                                                        : (uint8_t)all->opt_level,
      .disabled = all->disabled,
      .required = all->required,
      .bisect_limit = all->bisect_limit < QN_NO_BISECT ? QN_NO_BISECT : all->bisect_limit,
      .on_event = on_event,
      .print_before = all->print_before,
      .print_after = all->print_after,
      .print_after_change = all->print_after_change != 0,
      .print_after_failure = all->print_after_failure != 0,
      .print_module_scope = all->print_module_scope != 0,
      .print = qn_print_options_of(&print),
      .stress_roundtrip = all->stress_roundtrip != 0,
      .timing = (qn_timing)all->timing,
      .stats = all->stats != 0,
      .output = output,
      .write = write_out,
      .user = run,
      .parser_seconds = run->model->load_seconds,
  };
}

/* ---- running ---- */

/* Writes the reproducer before the first pass. It is removed after the last pass succeeded, so the
 * file exists even if a pass ends the process. */
static qn_status write_reproducer(qn_model *model, const qn_pipeline *pipeline,
                                  const qn_run_options *all) {
  qn_text text = {0};
  qn_reproducer_print(model->module, pipeline, all, &text);
  qn_bytes bytes = {(const uint8_t *)text.data, text.size};
  qn_status status = qn_context_write_file(model->context, all->reproducer, bytes);
  qn_text_deinit(&text);
  return status;
}

static void end_reproducer(qn_model *model, const char *path, qn_status status) {
  if (status == QN_OK) {
    (void)unlink(path);
    return;
  }
  const qn_diag diag = {.severity = QN_NOTE,
                        .loc = qn_loc_file(&model->context->ir.diag, qn_str_of(path), 0, 0),
                        .text =
                            qn_str_of("reproducer written: quern opt --run-reproducer reads it")};
  qn_report(&model->context->ir.diag, &diag);
}

/* Runs the pipeline. `arena` lives as long as the run. */
static qn_status run_with(qn_model *model, const qn_pipeline *pipeline, const qn_run_options *all,
                          qn_arena *arena) {
  qn_run_config config;
  QN_TRY(qn_run_config_parse(model->context, all->config, arena, &config));
  if (all->reproducer) QN_TRY(write_reproducer(model, pipeline, all));
  qn_run_user run = {model, all};
  qn_run_settings settings = settings_of(&run, &config);
  qn_instruments_attach(&run, &settings);
  model->load_seconds = 0.0; /* reported once only */
  qn_bytes bytes = qn_file_bytes(model->file);
  model->context->source = (qn_str){(const char *)bytes.data, bytes.size};
  model->context->source_name = model->name;
  qn_model_begin_change(model);
  qn_instruments_enter(&run);
  qn_status status = qn_pipeline_execute(model->module, pipeline, &settings);
  qn_instruments_leave(&run, status);
  model->context->source = (qn_str){0};
  if (all->reproducer) end_reproducer(model, all->reproducer, status);
  /* otherwise output() has set the stage */
  if (status != QN_OK) model->stage = qn_model_stage_of(model->module);
  /* after the run: until then, an aborted call would have freed memory of the module */
  model->changing = false;
  return status;
}

static qn_status run_model(qn_model *model, const qn_pipeline *pipeline,
                           const qn_run_options *options) {
  qn_run_options all = run_options_of(options);
  qn_arena arena;
  QN_TRY(qn_model_check(model));
  if (pipeline->incomplete)
    return qn_error(&model->context->ir.diag, pipeline->root->loc, QN_LIMIT,
                    "the pipeline lacks an option that was set: out of memory");
  QN_TRY(check_options(model->context, &all));
  qn_arena_init(&arena);
  qn_status status = run_with(model, pipeline, &all, &arena);
  qn_arena_deinit(&arena);
  return status;
}

qn_status qn_model_run(qn_model *model, const qn_pipeline *pipeline,
                       const qn_run_options *options) {
  qn_status status;
  QN_CALL(&status, model->context, model->name.data, &model->ring,
          run_model(model, pipeline, options));
  if (model->changing) qn_model_lose(model);
  return status;
}

qn_status qn_model_run_pipeline(qn_model *model, const char *text, const qn_run_options *options) {
  qn_pipeline *pipeline = NULL;
  QN_TRY(qn_pipeline_parse(model->context, text, &pipeline));
  qn_status status = qn_model_run(model, pipeline, options);
  qn_pipeline_destroy(pipeline);
  return status;
}
