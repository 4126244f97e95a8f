/* The registry of a context: the tables of this library, and passes that users make of callbacks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/passes.h"

#include "api/api.h"
#include "text/text.h"

static const qn_pass *const lowerings[] = {
    &qn_pass_lower_to_integer,
    &qn_pass_use_unsigned,
    &qn_pass_materialize_padding,
    &qn_pass_fold_zero_points,
    &qn_pass_simplify_integer,
    &qn_pass_lower_to_loops,
    NULL,
};

void qn_registry_add_all(qn_registry *registry) {
  qn_registry_add_table(registry, qn_passes);
  qn_registry_add_table(registry, lowerings);
}

uint32_t qn_pass_count(const qn_context *context) {
  return (uint32_t)context->registry.passes.count;
}

qn_pass_name qn_pass_at(const qn_context *context, uint32_t index) {
  const qn_pass *pass = context->registry.passes.data[index];
  return (qn_pass_name){pass->name, pass->summary};
}

/* ---- a callback at work ---- */

struct qn_pass_run {
  qn_pass_context *pc;
  qn_text text; /* what the callback sees */
};

static qn_str text_of(qn_pass_run *run, int generic) {
  qn_text_clear(&run->text);
  qn_text_print(run->pc->module, &(qn_print_options){.generic = generic != 0}, &run->text);
  return qn_text_view(&run->text);
}

static qn_status replace(qn_pass_run *run, qn_str text) {
  qn_module *module = NULL;
  QN_TRY(qn_text_parse(run->pc->cx, text, qn_str_of(run->pc->pass->name), &module));
  qn_module old = *run->pc->module;
  *run->pc->module = *module;
  *module = old;
  qn_module_destroy(module);
  run->pc->root = run->pc->module->op;
  run->pc->changed = true;
  return QN_OK;
}

static const char *option(qn_pass_run *run, const char *name) {
  const qn_pass *pass = run->pc->pass;
  for (uint32_t i = 0; i < qn_pass_option_count(pass); i++)
    if (strcmp(pass->options[i].name, name) == 0) return run->pc->options[i];
  return NULL;
}

static void report(qn_pass_run *run, int severity, const char *text) {
  const qn_diag diag = {.severity = (qn_severity)(severity & 3),
                        .loc = run->pc->module->op->loc,
                        .text = qn_str_of(text)};
  qn_report(&run->pc->cx->diag, &diag);
}

static qn_status run_callback(qn_pass_context *pc) {
  static const qn_pass_api api = {QN_PASS_API_VERSION, text_of, replace, option, report};
  const qn_user_pass *user = pc->pass->user;
  if (pc->root != pc->module->op)
    return qn_error(&pc->cx->diag, pc->root->loc, QN_UNSUPPORTED,
                    "pass '%s' runs on the top-level module only", pc->pass->name);
  qn_pass_run run = {.pc = pc};
  qn_status status = user->run(&api, &run, user->user);
  qn_text_deinit(&run.text);
  if (status != QN_OK)
    return qn_error(&pc->cx->diag, pc->module->op->loc, status, "pass '%s' failed", pc->pass->name);
  return QN_OK;
}

/* ---- registration ---- */

static const char *copy(qn_arena *arena, const char *text) {
  return qn_arena_str(arena, qn_str_of(text ? text : "")).data;
}

static bool is_name(const char *text) {
  size_t letters = text ? strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-_.") : 0;
  return letters > 0 && text[letters] == '\0' && text[0] != '-';
}

static qn_option_spec option_spec(qn_arena *arena, const qn_user_option *option) {
  static const struct {
    const char *name;
    qn_option_kind kind;
  } kinds[] = {{"bool", QN_OPTION_BOOL}, {"integer", QN_OPTION_I64}, {"string", QN_OPTION_STRING}};
  qn_option_spec spec = {copy(arena, option->name), QN_OPTION_CHOICE, copy(arena, option->kind),
                         copy(arena, option->summary)};
  for (size_t i = 0; i < QN_COUNT(kinds); i++) {
    if (strcmp(option->kind, kinds[i].name) != 0) continue;
    spec.kind = kinds[i].kind;
    spec.default_value = copy(arena, option->default_value);
  }
  return spec;
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

static qn_status copy_options(qn_context *context, const qn_user_pass *user, qn_pass *pass) {
  qn_arena *arena = &context->ir.arena;
  qn_option_spec *specs = QN_NEW_ARRAY(arena, user->option_count + 1, qn_option_spec);
  for (uint32_t i = 0; i < user->option_count; i++) {
    const char *problem = option_problem(user->options, i);
    if (problem)
      return refuse(context, "pass '%s': option '%s' %s", user->name,
                    user->options[i].name ? user->options[i].name : "", problem);
    specs[i] = option_spec(arena, &user->options[i]);
    const char *wanted = qn_option_reject(&specs[i], qn_option_default(&specs[i]), arena);
    if (wanted)
      return refuse(context, "pass '%s': the default of option '%s' is not %s", user->name,
                    specs[i].name, wanted);
  }
  pass->options = specs;
  return QN_OK;
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

qn_status qn_pass_register(qn_context *context, const qn_user_pass *pass) {
  qn_user_pass all = {0};
  memcpy(&all, pass, pass->size < sizeof all ? pass->size : sizeof all);
  if (!is_name(all.name) || !all.run)
    return refuse(context,
                  "a pass needs a name of lower-case letters, digits and '-', and a callback");
  if (qn_registry_find(&context->registry, qn_str_of(all.name)))
    return refuse(context, "there is a pass '%s' already", all.name);
  qn_arena *arena = &context->ir.arena;
  qn_user_pass *user = QN_NEW(arena, qn_user_pass);
  *user = all;
  qn_pass *record = QN_NEW(arena, qn_pass);
  *record = (qn_pass){.name = copy(arena, all.name),
                      .summary = copy(arena, all.summary),
                      .opt_level = clamped_level(all.opt_level),
                      .numerics = QN_APPROXIMATE,
                      .required = copy_names(arena, all.required),
                      .run = run_callback,
                      .user = user};
  QN_TRY(copy_options(context, &all, record));
  (void)qn_registry_add(&context->registry, record);
  return QN_OK;
}
