/* Arena size of a module, found by compiling it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/manager.h"
#include "rules/cost/cost.h"

static qn_status compile(qn_module *module, const qn_registry *registry) {
  qn_pipeline *pipeline = NULL;
  const qn_str name = qn_str_of("compile");
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  settings.verify_each = false;
  QN_TRY(qn_pipeline_parse_text(module->cx, registry, name, name, &pipeline));
  qn_status status = qn_pipeline_execute(module, pipeline, &settings);
  qn_pipeline_destroy(pipeline);
  return status;
}

bool qn_rule_arena_of(qn_module *module, const qn_registry *registry, int64_t *out_bytes) {
  if (!registry) return false;
  qn_diag_state quiet = qn_diag_silence(&module->cx->diag);
  qn_status status = compile(module, registry);
  qn_diag_restore(&module->cx->diag, &quiet);
  if (status != QN_OK || !qn_op_find(module->op, QN_A_ARENA_BYTES)) return false;
  *out_bytes = qn_op_arena_bytes(module->op);
  return true;
}
