/* The passes of a context: the tables of this library, and passes that users register as callbacks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/passes.h"

#include "api/call.h"
#include "api/passes/user_pass.h"
#include "rules/rewrite/run.h"

static const qn_pass *const rewriters[] = {&qn_pass_apply_rules, NULL};

void qn_registry_add_all(qn_registry *registry) {
  qn_registry_add_table(registry, qn_passes);
  qn_registry_add_table(registry, rewriters);
  qn_registry_add_table(registry, qn_lower_passes);
}

uint32_t qn_pass_count(const qn_context *context) {
  return (uint32_t)context->registry.passes.count;
}

qn_pass_name qn_pass_at(const qn_context *context, uint32_t index) {
  const qn_pass *pass = context->registry.passes.data[index];
  return (qn_pass_name){pass->name, pass->summary};
}

/* ---- registration ---- */

static qn_status copy_options(qn_context *context, const qn_user_pass *user, qn_pass *pass) {
  char of[96];
  snprintf(of, sizeof of, "pass '%s'", user->name);
  qn_option_spec *specs = QN_NEW_ARRAY(&context->ir.arena, user->option_count + 1, qn_option_spec);
  pass->options = specs;
  return qn_copy_user_options(context, of, user->options, user->option_count, specs);
}

static uint8_t clamped_level(int level) {
  return (uint8_t)(level < 0 ? 0 : level > UINT8_MAX ? UINT8_MAX : level);
}

static const char *const *copy_names(qn_arena *arena, const char *const *names) {
  uint32_t count = 0;
  if (!names) return NULL;
  while (names[count]) count++;
  const char **copies = QN_NEW_ARRAY(arena, count + 1, const char *);
  for (uint32_t i = 0; i < count; i++) copies[i] = qn_user_text(arena, names[i]);
  return copies;
}

/* Converts the name of the op on which a pass runs. Returns false if passes can't run on such
 * ops. */
static bool find_anchor(const char *runs_on, qn_pass_anchor *out_anchor) {
  *out_anchor = runs_on && strcmp(runs_on, "func.func") == 0 ? QN_ON_FUNC : QN_ON_MODULE;
  return *out_anchor == QN_ON_FUNC || !runs_on || strcmp(runs_on, "builtin.module") == 0;
}

/* Checks a named pipeline. All names in its text must be registered already, so a pipeline can't
 * contain itself. */
static qn_status check_pipeline(qn_context *context, const qn_pass *record,
                                const qn_user_pass *user) {
  qn_pipeline *pipeline = NULL;
  if (user->option_count)
    return qn_user_reject(context, "pass '%s' stands for a pipeline and can't have options",
                          user->name);
  QN_TRY(qn_pipeline_parse_text(&context->ir, &context->registry, qn_str_of(record->pipeline),
                                qn_str_of(record->name), &pipeline));
  qn_pipeline_destroy(pipeline);
  return QN_OK;
}

static qn_status register_pass(qn_context *context, const qn_user_pass *pass) {
  qn_user_pass all = {0};
  memcpy(&all, pass, pass->size < sizeof all ? pass->size : sizeof all);
  if (!qn_user_is_name(all.name) || !all.run == !all.pipeline)
    return qn_user_reject(context,
                          "a pass needs a name of lower-case letters, digits and '-', and either "
                          "a callback or the text of a pipeline");
  if (qn_registry_find(&context->registry, qn_str_of(all.name)))
    return qn_user_reject(context, "there is a pass '%s' already", all.name);
  qn_pass_anchor anchor;
  if (!find_anchor(all.runs_on, &anchor))
    return qn_user_reject(context, "pass '%s' runs on builtin.module or func.func, not on '%s'",
                          all.name, all.runs_on);
  qn_arena *arena = &context->ir.arena;
  qn_user_pass *user = QN_NEW(arena, qn_user_pass);
  *user = all;
  qn_pass *record = QN_NEW(arena, qn_pass);
  *record = (qn_pass){.name = qn_user_text(arena, all.name),
                      .summary = qn_user_text(arena, all.summary),
                      .anchor = all.pipeline ? QN_ON_ANY : anchor,
                      .opt_level = clamped_level(all.opt_level),
                      .numerics = QN_APPROXIMATE,
                      .required = copy_names(arena, all.required),
                      .run = all.pipeline ? NULL : qn_user_pass_run,
                      .observes = true,
                      .pipeline = all.pipeline ? qn_user_text(arena, all.pipeline) : NULL,
                      .user = user};
  QN_TRY(all.pipeline ? check_pipeline(context, record, &all)
                      : copy_options(context, &all, record));
  (void)qn_registry_add(&context->registry, record);
  return QN_OK;
}

qn_status qn_pass_register(qn_context *context, const qn_user_pass *pass) {
  qn_status status;
  QN_CALL(&status, context, NULL, NULL, register_pass(context, pass));
  return status;
}
