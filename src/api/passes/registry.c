/* The registry of a context: the tables of this library, and passes that users make of callbacks.
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

static const char *copy(qn_arena *arena, const char *text) {
  return qn_arena_str(arena, qn_str_of(text ? text : "")).data;
}

static bool is_name(const char *text) {
  size_t letters = text ? strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_.") : 0;
  return letters > 0 && text[letters] == '\0' && text[0] != '-';
}

/* The words of a choice with the default in front, which is where a spec has it. */
static const char *choice_words(qn_arena *arena, const qn_user_option *option) {
  const char *first = option->default_value, *at = option->kind;
  if (!first) return copy(arena, at);
  qn_text words = {0};
  qn_text_puts(&words, first);
  for (size_t size; *at; at += size + (at[size] == '|')) {
    size = strcspn(at, "|");
    qn_str word = {at, size};
    if (!qn_str_is(word, first)) qn_text_format(&words, "|%.*s", QN_STR_ARG(word));
  }
  const char *copied = qn_arena_str(arena, qn_text_view(&words)).data;
  qn_text_deinit(&words);
  return copied;
}

static qn_option_spec option_spec(qn_arena *arena, const qn_user_option *option) {
  static const struct {
    const char *name;
    qn_option_kind kind;
  } kinds[] = {{"bool", QN_OPTION_BOOL}, {"integer", QN_OPTION_I64}, {"string", QN_OPTION_STRING}};
  qn_option_spec spec = {copy(arena, option->name), QN_OPTION_CHOICE, NULL,
                         copy(arena, option->summary)};
  for (size_t i = 0; i < QN_COUNT(kinds); i++) {
    if (strcmp(option->kind, kinds[i].name) != 0) continue;
    spec.kind = kinds[i].kind;
    spec.default_value = copy(arena, option->default_value);
  }
  if (spec.kind == QN_OPTION_CHOICE) spec.default_value = choice_words(arena, option);
  return spec;
}

/* What the default should have been, or NULL. */
static const char *default_problem(qn_arena *arena, const qn_user_option *option,
                                   const qn_option_spec *spec) {
  if (spec->kind != QN_OPTION_CHOICE) return qn_option_reject(spec, qn_option_default(spec), arena);
  const qn_option_spec words = {spec->name, QN_OPTION_CHOICE, option->kind, ""};
  return option->default_value ? qn_option_reject(&words, qn_str_of(option->default_value), arena)
                               : NULL;
}

QN_PRINTF(2, 3)
static qn_status refuse(qn_context *context, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_text text = {0};
  qn_text_vformat(&text, format, arguments);
  va_end(arguments);
  qn_status status =
      qn_error(&context->ir.diag, context->ir.diag.unknown, QN_INVALID, "%s", text.data);
  qn_text_deinit(&text);
  return status;
}

/* What is wrong with the options of a pass up to the i-th, or NULL. */
static const char *option_problem(const qn_user_option *options, uint32_t i) {
  static const char *const kinds[] = {"bool", "integer", "string"};
  const qn_user_option *option = &options[i];
  if (!is_name(option->name)) return "has a name that no option can have";
  for (uint32_t k = 0; k < i; k++)
    if (strcmp(options[k].name, option->name) == 0) return "is declared twice";
  if (!option->kind) return "has no kind";
  for (size_t k = 0; k < QN_COUNT(kinds); k++)
    if (strcmp(option->kind, kinds[k]) == 0) return NULL;
  return strchr(option->kind, '|') ? NULL : "is no bool, integer, string or choice, \"a|b\"";
}

qn_status qn_copy_user_options(qn_context *context, const char *of, const qn_user_option *options,
                               uint32_t count, qn_option_spec *out_specs) {
  qn_arena *arena = &context->ir.arena;
  for (uint32_t i = 0; i < count; i++) {
    const char *problem = option_problem(options, i);
    const char *name = options[i].name ? options[i].name : "";
    if (problem) return refuse(context, "%s: option '%s' %s", of, name, problem);
    out_specs[i] = option_spec(arena, &options[i]);
    const char *wanted = default_problem(arena, &options[i], &out_specs[i]);
    if (wanted)
      return refuse(context, "%s: the default of option '%s' is not %s", of, name, wanted);
  }
  return QN_OK;
}

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
  for (uint32_t i = 0; i < count; i++) copies[i] = copy(arena, names[i]);
  return copies;
}

/* False for a kind of op that no pass runs on. */
static bool find_anchor(const char *runs_on, qn_pass_anchor *out_anchor) {
  *out_anchor = runs_on && strcmp(runs_on, "func.func") == 0 ? QN_ON_FUNC : QN_ON_MODULE;
  return *out_anchor == QN_ON_FUNC || !runs_on || strcmp(runs_on, "builtin.module") == 0;
}

/* All that the text names is there already, so that no pipeline can stand for itself. */
static qn_status check_pipeline(qn_context *context, const qn_pass *record,
                                const qn_user_pass *user) {
  qn_pipeline *pipeline = NULL;
  if (user->option_count)
    return refuse(context, "pass '%s' stands for a pipeline and can't have options", user->name);
  QN_TRY(qn_pipeline_parse_text(&context->ir, &context->registry, qn_str_of(record->pipeline),
                                qn_str_of(record->name), &pipeline));
  qn_pipeline_destroy(pipeline);
  return QN_OK;
}

static qn_status register_pass(qn_context *context, const qn_user_pass *pass) {
  qn_user_pass all = {0};
  memcpy(&all, pass, pass->size < sizeof all ? pass->size : sizeof all);
  if (!is_name(all.name) || !all.run == !all.pipeline)
    return refuse(context, "a pass needs a name of lower-case letters, digits and '-', and either "
                           "a callback or the text of a pipeline");
  if (qn_registry_find(&context->registry, qn_str_of(all.name)))
    return refuse(context, "there is a pass '%s' already", all.name);
  qn_pass_anchor anchor;
  if (!find_anchor(all.runs_on, &anchor))
    return refuse(context, "pass '%s' runs on builtin.module or func.func, not on '%s'", all.name,
                  all.runs_on);
  qn_arena *arena = &context->ir.arena;
  qn_user_pass *user = QN_NEW(arena, qn_user_pass);
  *user = all;
  qn_pass *record = QN_NEW(arena, qn_pass);
  *record = (qn_pass){.name = copy(arena, all.name),
                      .summary = copy(arena, all.summary),
                      .anchor = all.pipeline ? QN_ON_ANY : anchor,
                      .opt_level = clamped_level(all.opt_level),
                      .numerics = QN_APPROXIMATE,
                      .required = copy_names(arena, all.required),
                      .run = all.pipeline ? NULL : qn_user_pass_run,
                      .observes = true,
                      .pipeline = all.pipeline ? copy(arena, all.pipeline) : NULL,
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
