/* Runs the parts of the compiler's pipeline.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/passes/pipelines.h"

#include "api/api.h"

qn_run_settings qn_pipeline_settings(const qn_lower_config *config) {
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  settings.config = config;
  settings.keep_tensors = config->keep_tensors;
  settings.verify_each = false;
  return settings;
}

static qn_status run(qn_module *module, const qn_registry *registry, const char *text,
                     const qn_run_settings *settings) {
  qn_pipeline *pipeline = NULL;
  qn_str name = qn_str_of(text);
  QN_TRY(qn_pipeline_parse_text(module->cx, registry, name, name, &pipeline));
  qn_status status = qn_pipeline_execute(module, pipeline, settings);
  qn_pipeline_destroy(pipeline);
  return status;
}

qn_status qn_pipeline_lower(qn_module *module, const qn_run_settings *settings, qn_stage from,
                            qn_stage to) {
  static const qn_pass *const parts[] = {
      [QN_STAGE_MODEL] = &qn_pass_model_to_integer, [QN_STAGE_INTEGER] = &qn_pass_integer_to_loops};
  qn_registry registry = {0};
  qn_status status = QN_OK;
  qn_registry_add_all(&registry);
  for (qn_stage stage = from; stage < to && status == QN_OK; stage++)
    status = run(module, &registry, parts[stage]->name, settings);
  qn_registry_deinit(&registry);
  return status;
}

qn_status qn_pipeline_text_run(qn_module *module, const qn_run_settings *settings,
                               const char *text) {
  qn_registry registry = {0};
  qn_registry_add_all(&registry);
  qn_status status = run(module, &registry, text, settings);
  qn_registry_deinit(&registry);
  return status;
}
