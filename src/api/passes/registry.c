/* The registry of a context: the tables of this library, and passes that users make of callbacks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/passes.h"

#include "api/api.h"
#include "ir/clone.h"
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

static bool on_function(const qn_pass_run *run) {
  return run->pc->pass->anchor == QN_ON_FUNC;
}

/* A copy in another module; what it refers to by name is left behind. */
static qn_op *copy_function(qn_module *module, const qn_op *func) {
  qn_map values = {0};
  qn_op *copy = qn_op_clone(module, func, &values);
  qn_map_deinit(&values);
  return copy;
}

static qn_str text_of(qn_pass_run *run, int generic) {
  qn_module *module = run->pc->module;
  if (on_function(run)) {
    module = qn_module_create(run->pc->cx, run->pc->root->loc);
    qn_op_append(copy_function(module, run->pc->root), qn_op_body(module->op));
  }
  qn_text_clear(&run->text);
  qn_text_print(module, &(qn_print_options){.generic = generic != 0}, &run->text);
  if (on_function(run)) qn_module_destroy(module);
  return qn_text_view(&run->text);
}

static qn_status replace_module(qn_pass_context *pc, qn_module *with) {
  qn_module old = *pc->module;
  *pc->module = *with;
  *with = old;
  pc->root = pc->module->op;
  return QN_OK;
}

static qn_status replace_function(qn_pass_context *pc, qn_module *with) {
  const qn_op *func = qn_op_body(with->op)->first;
  if (!func || func->next || func->kind != QN_OP_FUNC ||
      qn_op_find(func, QN_A_SYM_NAME) != qn_op_find(pc->root, QN_A_SYM_NAME))
    return qn_error(&pc->cx->diag, pc->root->loc, QN_INVALID,
                    "pass '%s' has to give back the function '%.*s' and nothing else",
                    pc->pass->name, QN_STR_ARG(qn_op_sym_name(pc->root)));
  qn_op *copy = copy_function(pc->module, func);
  qn_op_insert_before(copy, pc->root);
  qn_op_erase(pc->module, pc->root);
  pc->root = copy;
  return QN_OK;
}

static qn_status replace(qn_pass_run *run, qn_str text) {
  qn_pass_context *pc = run->pc;
  qn_module *module = NULL;
  QN_TRY(qn_text_parse(pc->cx, text, qn_str_of(pc->pass->name), &module));
  qn_status status = on_function(run) ? replace_function(pc, module) : replace_module(pc, module);
  qn_module_destroy(module);
  pc->changed = pc->changed || status == QN_OK;
  return status;
}

static const char *option(qn_pass_run *run, const char *name) {
  const qn_pass *pass = run->pc->pass;
  for (uint32_t i = 0; i < qn_pass_option_count(pass); i++)
    if (strcmp(pass->options[i].name, name) == 0) return run->pc->options[i];
  return NULL;
}

static void report(qn_pass_run *run, int severity, const char *text) {
  const qn_diag diag = {.severity = (qn_severity)(severity & 3),
                        .loc = run->pc->root->loc,
                        .text = qn_str_of(text)};
  qn_report(&run->pc->cx->diag, &diag);
}

static qn_status run_callback(qn_pass_context *pc) {
  static const qn_pass_api api = {QN_PASS_API_VERSION, text_of, replace, option, report};
  const qn_user_pass *user = pc->pass->user;
  if (pc->pass->anchor == QN_ON_MODULE && pc->root != pc->module->op)
    return qn_error(&pc->cx->diag, pc->root->loc, QN_UNSUPPORTED,
                    "pass '%s' runs on the top-level module only", pc->pass->name);
  qn_pass_run run = {.pc = pc};
  qn_status status = user->run(&api, &run, user->user);
  qn_text_deinit(&run.text);
  if (status != QN_OK)
    return qn_error(&pc->cx->diag, pc->root->loc, status, "pass '%s' failed", pc->pass->name);
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

/* False for a kind of op that no pass runs on. */
static bool find_anchor(const char *runs_on, qn_pass_anchor *out_anchor) {
  *out_anchor = runs_on && strcmp(runs_on, "func.func") == 0 ? QN_ON_FUNC : QN_ON_MODULE;
  return *out_anchor == QN_ON_FUNC || !runs_on || strcmp(runs_on, "builtin.module") == 0;
}

qn_status qn_pass_register(qn_context *context, const qn_user_pass *pass) {
  qn_user_pass all = {0};
  memcpy(&all, pass, pass->size < sizeof all ? pass->size : sizeof all);
  if (!is_name(all.name) || !all.run)
    return refuse(context,
                  "a pass needs a name of lower-case letters, digits and '-', and a callback");
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
                      .anchor = anchor,
                      .opt_level = clamped_level(all.opt_level),
                      .numerics = QN_APPROXIMATE,
                      .required = copy_names(arena, all.required),
                      .run = run_callback,
                      .user = user};
  QN_TRY(copy_options(context, &all, record));
  (void)qn_registry_add(&context->registry, record);
  return QN_OK;
}
