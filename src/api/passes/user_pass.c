/* Runs a pass that is a callback of a user: passes the module to it and checks its result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/passes/user_pass.h"

#include "api/call.h"
#include "ir/clone.h"
#include "text/text.h"

struct qn_pass_run {
  qn_context *context;
  qn_pass_context *pc;
  qn_text text;  /* text that the callback reads */
  bool given_up; /* a call of the callback was aborted, so the pass can't succeed any more */
  bool replacing;
  qn_ring *home; /* owner of memory that calls of the callback allocate */
};

static bool on_function(const qn_pass_run *run) { return run->pc->pass->anchor == QN_ON_FUNC; }

/* Copies a function to another module, without the symbols that it refers to. */
static qn_op *copy_function(qn_module *module, const qn_op *func) {
  qn_map values = {0};
  qn_op *copy = qn_op_clone(module, func, &values);
  qn_map_deinit(&values);
  return copy;
}

static qn_status print_text(qn_pass_run *run, int generic) {
  qn_module *module = run->pc->module;
  if (on_function(run)) {
    module = qn_module_create(run->pc->cx, run->pc->root->loc);
    qn_op_append(copy_function(module, run->pc->root), qn_op_body(module->op));
  }
  qn_text_clear(&run->text);
  qn_text_print(module, &(qn_print_options){.generic = generic != 0}, &run->text);
  if (on_function(run)) qn_module_destroy(module);
  return QN_OK;
}

/* Returns the text of the module or function. A longjmp must not cross the frames of the callback,
 * so everything that the callback calls is an API call of its own (QN_CALL). Memory that these
 * calls keep belongs to the module. */
static qn_str text_of(qn_pass_run *run, int generic) {
  qn_status status;
  QN_CALL(&status, run->context, run->pc->pass->name, run->home, print_text(run, generic));
  if (status == QN_OK) return qn_text_view(&run->text);
  run->given_up = true;
  return qn_str_of("");
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

static qn_status replace_text(qn_pass_run *run, qn_str text) {
  qn_pass_context *pc = run->pc;
  qn_module *module = NULL;
  qn_status status = qn_text_parse(pc->cx, text, qn_str_of(pc->pass->name), &module);
  if (status == QN_OK)
    status = on_function(run) ? replace_function(pc, module) : replace_module(pc, module);
  qn_module_destroy(module);
  pc->changed = pc->changed || status == QN_OK;
  run->replacing = false;
  return status;
}

static qn_status replace(qn_pass_run *run, qn_str text) {
  qn_status status;
  run->replacing = true;
  QN_CALL(&status, run->context, run->pc->pass->name, run->home, replace_text(run, text));
  run->given_up = run->given_up || run->replacing;
  return status;
}

static const char *option(qn_pass_run *run, const char *name) {
  const qn_pass *pass = run->pc->pass;
  for (uint32_t i = 0; i < qn_pass_option_count(pass); i++)
    if (strcmp(pass->options[i].name, name) == 0) return run->pc->options[i];
  return NULL;
}

static qn_status send(qn_pass_run *run, int severity, const char *text) {
  bool known = severity >= QN_MESSAGE_ERROR && severity <= QN_MESSAGE_REMARK;
  const qn_diag diag = {.severity = known ? (qn_severity)severity : QN_ERROR,
                        .loc = run->pc->root->loc,
                        .text = qn_str_of(text)};
  qn_report(&run->pc->cx->diag, &diag);
  return QN_OK;
}

static void report(qn_pass_run *run, int severity, const char *text) {
  qn_status status;
  QN_CALL(&status, run->context, run->pc->pass->name, run->home, send(run, severity, text));
  run->given_up = run->given_up || status != QN_OK;
}

static const char *config(qn_pass_run *run, const char *key) {
  return qn_run_config_value(run->pc->config, key);
}

/* The status of the pass. The callback may return an invalid status, or QN_OK after reporting an
 * error. */
static qn_status judge(qn_pass_context *pc, int status, bool reported) {
  qn_diag_engine *diag = &pc->cx->diag;
  const char *name = pc->pass->name;
  if (status < QN_OK || status > QN_INTERNAL)
    return qn_error(diag, pc->root->loc, QN_INVALID,
                    "pass '%s' ended with %d, which is not a status", name, status);
  if (status == QN_OK && reported)
    return qn_error(diag, pc->root->loc, QN_INVALID,
                    "pass '%s' reported an error and ended as if there was none", name);
  if (status == QN_OK) return QN_OK;
  return qn_error(diag, pc->root->loc, (qn_status)status, "pass '%s' failed", name);
}

qn_status qn_user_pass_run(qn_pass_context *pc) {
  static const qn_pass_api api = {QN_PASS_API_VERSION, text_of, replace, option, report, config};
  const qn_user_pass *user = pc->pass->user;
  if (pc->pass->anchor == QN_ON_MODULE && pc->root != pc->module->op)
    return qn_error(&pc->cx->diag, pc->root->loc, QN_UNSUPPORTED,
                    "pass '%s' runs on the top-level module only", pc->pass->name);
  qn_guard *guard = qn_guard_current();
  qn_pass_run run = {.context = pc->cx->diag.user, .pc = pc, .home = guard ? &guard->ring : NULL};
  qn_text_puts(&run.text, ""); /* allocated before the callback's calls, so that it outlives them */
  uint32_t errors = pc->cx->diag.errors;
  int status = (int)user->run(&api, &run, user->user);
  qn_text_deinit(&run.text);
  if (run.given_up) qn_guard_unwind(run.context->exceeded);
  return judge(pc, status, pc->cx->diag.errors > errors);
}
