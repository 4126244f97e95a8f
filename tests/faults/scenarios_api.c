/* Scenarios of the rest of the API: states, sizes, replaced tensors, rules that call functions,
 * limits, plug-ins, what only asks. With the others they use every public function, which
 * tests/checks/check_api_used.sh looks after.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/faults/scenario.h"
#include "tests/support/called_rules.h"

static bool load(run *r, const char *text, qn_model **out_model) {
  const qn_bytes bytes = {(const uint8_t *)text, strlen(text)};
  return ok(r, qn_model_load_memory(r->context, bytes, "text.mlir", NULL, out_model));
}

static void digest_string(run *r, const char *text) { digest(r, text, strlen(text)); }

/* ---- states and sizes ---- */

enum { ROWS = 5, COLUMNS = 7 };
static const char sums[] =
    "!q = !quant.uniform<i8:f32, 0.5:0>\nmodule attributes {quern.numerics = \"litert-ref\"} {\n"
    "func.func @main(%s: tensor<1x7x!q> {quern.role = \"state\", quern.initial = dense<3> : "
    "tensor<1x7xi8>}, %x: tensor<5x7x!q> {quern.sizes = [\"n\"]})\n"
    "    -> (tensor<1x7x!q> {quern.role = \"state\"}, tensor<5x7x!q>) {\n"
    "  %t = \"ml.add\"(%s, %s) : (tensor<1x7x!q>, tensor<1x7x!q>) -> tensor<1x7x!q>\n"
    "  %y = \"ml.add\"(%x, %s) : (tensor<5x7x!q>, tensor<1x7x!q>) -> tensor<5x7x!q>\n"
    "  return %t, %y : tensor<1x7x!q>, tensor<5x7x!q>\n}\n}\n";

static void digest_tensor(run *r, qn_tensor_info info) {
  digest_string(r, info.name);
  digest_string(r, qn_dtype_name(info.dtype));
  digest(r, info.dims, info.rank * sizeof *info.dims);
}

/* Two entries on one input; their states, if any, go from one to the other. */
static void use_entries(run *r, qn_executable *x) {
  uint8_t in[ROWS * COLUMNS] = {1, 2, 3}, out[2 * ROWS * COLUMNS];
  const ptrdiff_t none = 0, stride = ROWS * COLUMNS;
  if (ok(r, qn_executable_invoke_many(x, 2, (const void *[]){in}, &none, (void *[]){out}, &stride)))
    digest(r, out, sizeof out);
}

static void use_states(run *r, qn_executable *x) {
  uint8_t in[ROWS * COLUMNS], out[ROWS * COLUMNS], state[COLUMNS];
  for (size_t i = 0; i < sizeof in; i++) in[i] = (uint8_t)(3 * i);
  for (uint32_t i = 0; i < qn_executable_state_count(x); i++)
    digest_tensor(r, qn_executable_state(x, i));
  for (uint32_t i = 0; i < qn_executable_input_count(x); i++)
    digest_tensor(r, qn_executable_input(x, i));
  for (int64_t rows = 1; rows <= ROWS && r->status == QN_OK; rows += 4) {
    if (!ok(r, qn_executable_set_size(x, 0, rows)) ||
        !ok(r, qn_executable_invoke(x, (const void *[]){in}, (void *[]){out})))
      return;
    digest(r, out, (size_t)rows * COLUMNS);
    qn_executable_read_state(x, 0, state);
    digest(r, state, sizeof state);
    state[2] = 9;
    qn_executable_write_state(x, 0, state);
  }
  use_entries(r, x);
  qn_executable_reset(x);
  for (uint32_t i = 0; i < qn_executable_step_count(x); i++)
    digest_string(r, qn_executable_step(x, i).kernel);
  qn_size_info size = qn_executable_size(x, qn_executable_size_count(x) - 1);
  digest(r, &size.size, sizeof size.size);
  digest_string(r, qn_executable_get_stats(x).level);
}

static void run_states(run *r) {
  for (int engine = QN_ENGINE_JIT; engine <= QN_ENGINE_INTERPRETER && r->status == QN_OK;
       engine++) {
    qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
    qn_model *model;
    qn_executable *x = NULL, *clone = NULL;
    options.engine = (qn_engine)engine;
    options.stage = QN_FORM_LOOPS;
    if (!load(r, sums, &model)) return;
    qn_form stage = qn_model_stage(model);
    digest(r, &stage, sizeof stage);
    char *json;
    size_t size;
    if (ok(r, qn_model_inspect_for(model, &options, &json, &size))) digest_text(r, json, size);
    if (r->status == QN_OK && ok(r, qn_compile_options_check(r->context, &options)) &&
        ok(r, qn_compile(model, &options, &x)))
      use_states(r, x);
    if (r->status == QN_OK && engine == QN_ENGINE_JIT &&
        ok(r, qn_executable_clone(x, r->context, &clone)))
      use_states(r, clone);
    qn_executable_destroy(clone);
    qn_executable_destroy(x);
    qn_model_destroy(model);
  }
}

/* ---- replaced tensors ---- */

static const void *replace_all(void *user, int64_t index, const void *data, size_t bytes) {
  (void)user, (void)index, (void)data;
  static const uint8_t other[ROWS * COLUMNS] = {1, 2, 3};
  return bytes <= sizeof other ? other : NULL;
}

static void run_replaced(run *r) {
  static const char text[] =
      "!q = !quant.uniform<i8:f32, 0.5>\nfunc.func @main(%x: tensor<4x!q>) -> tensor<4x!q> {\n"
      "  %a = \"ml.relu\"(%x) {quern.tensors = array<i64: 1>} : (tensor<4x!q>) -> tensor<4x!q>\n"
      "  %b = \"ml.relu\"(%a) {quern.tensors = array<i64: 2>} : (tensor<4x!q>) -> tensor<4x!q>\n"
      "  return %b : tensor<4x!q>\n}\n";
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  qn_model *model;
  qn_executable *x = NULL;
  options.engine = QN_ENGINE_INTERPRETER;
  options.stage = QN_FORM_INTEGER;
  options.keep_tensors = 1;
  if (!load(r, text, &model)) return;
  const uint8_t in[4] = {9, 8, 7, 6};
  uint8_t out[4];
  if (ok(r, qn_compile(model, &options, &x)) &&
      ok(r, qn_executable_replace_tensors(x, replace_all, NULL)) &&
      ok(r, qn_executable_invoke(x, (const void *[]){in}, (void *[]){out})))
    digest(r, out, sizeof out);
  qn_executable_destroy(x);
  qn_model_destroy(model);
}

/* ---- rules that call functions ---- */

static bool open_rules(run *r, qn_rules **out_rules) {
  char path[512];
  const qn_bytes bytes = {(const uint8_t *)called_rules, sizeof called_rules - 1};
  snprintf(path, sizeof path, "%s/calling.rr", r->folder);
  if (!ok(r, qn_rules_create(r->context, NULL, out_rules))) return false;
  bool read = ok(r, called_register(*out_rules, called_is_deep, called_sigmoid, NULL)) &&
              ok(r, qn_context_write_file(r->context, path, bytes)) &&
              ok(r, qn_rules_add_file(*out_rules, path));
  (void)unlink(path);
  if (!read) qn_rules_destroy(*out_rules);
  return read;
}

/* A report has seconds in it, so only what became of the graph is compared. */
static void apply_rules(run *r, const qn_rules *rules, qn_model *model) {
  qn_rewrite_options options = QN_REWRITE_OPTIONS_INIT;
  char *report, *printed;
  size_t size;
  options.log = options.validate = 1;
  if (!ok(r, qn_rules_apply(rules, model, &options, &report, &size))) return;
  qn_free(report);
  if (!ok(r, qn_model_print(model, NULL, &printed, &size))) return;
  qn_make_printable(printed);
  digest_text(r, printed, size);
}

static void run_rewriting(run *r) {
  qn_rules *rules;
  qn_model *model;
  char *made;
  size_t size;
  if (!open_rules(r, &rules)) return;
  if (load(r, called_graph, &model)) {
    if (ok(r, qn_rules_explain(rules, model, NULL, "other", NULL, &made, &size)))
      digest_text(r, made, size);
    if (r->status == QN_OK) (void)ok(r, qn_rules_replay(rules, model, NULL, ""));
    if (r->status == QN_OK) apply_rules(r, rules, model);
    qn_model_destroy(model);
  }
  qn_rules_destroy(rules);
}

/* Computes hundreds of graphs. */
static void run_trials(run *r) {
  qn_rules *rules;
  char *made;
  size_t size;
  if (!open_rules(r, &rules)) return;
  if (ok(r, qn_rules_test(rules, "other", &made, &size))) digest_text(r, made, size);
  qn_rules_destroy(rules);
}

/* ---- limits, messages in parts, steps ---- */

static void digest_parts(void *user, const qn_message *message) {
  run *r = user;
  if (message->severity != QN_MESSAGE_ERROR) return;
  snprintf(r->message, sizeof r->message, "%s", message->text);
  r->errors++;
}

static void print_step(void *user, const qn_pass_step *step) {
  char *printed;
  size_t size;
  run *r = user;
  if (ok(r, qn_pass_step_print(step, NULL, &printed, &size))) digest_text(r, printed, size);
}

static void run_limits(run *r) {
  qn_limits limits = QN_LIMITS_INIT;
  qn_run_options options = QN_RUN_OPTIONS_INIT;
  qn_model *model;
  qn_context_set_parts_handler(r->context, digest_parts, r);
  limits.max_memory = (size_t)1 << 30;
  qn_context_set_limits(r->context, &limits);
  options.on_step = print_step;
  options.user = r;
  if (load(r, called_graph, &model)) {
    if (ok(r, qn_run_options_check(r->context, &options)))
      (void)ok(r, qn_model_run_pipeline(model, "func.func(canonicalize)", &options));
    if (qn_context_memory(r->context) == 0) r->status = QN_INTERNAL;
    qn_model_destroy(model);
  }
  if (r->status == QN_OK && qn_context_error_count(r->context) < r->errors) r->status = QN_INTERNAL;
  qn_context_set_limits(r->context, NULL);
  qn_context_set_parts_handler(r->context, NULL, NULL);
}

/* ---- what only asks ---- */

static void run_questions(run *r) {
  static const char *const names[] = {"cse", "canonicalize", "inline"};
  const qn_bytes png = {(const uint8_t *)"\x89PNG\r\n\x1a\n", 8};
  const char *level = qn_host_level();
  digest_string(r, qn_version());
  digest_string(r, qn_status_name(QN_LIMIT));
  digest_string(r, qn_nearest_name("canonicalise", names, 3));
  digest_string(r, qn_file_kind(png));
  digest_string(r, level);
  if (!qn_host_runs(level)) r->status = QN_INTERNAL;
  for (uint32_t i = 0; qn_reduction_name(i); i++) digest_string(r, qn_reduction_name(i));
}

static void run_plugin(run *r) {
  for (uint32_t i = 0; i < qn_pass_count(r->context); i++) /* it may be loaded already */
    if (strncmp(qn_pass_at(r->context, i).name, "test-", 5) == 0) return;
  (void)ok(r, qn_context_load_plugin(r->context, QN_TEST_PLUGIN));
}

static void run_peak(run *r) {
  double macs = 0;
  qn_machine machine = {.level_count = 0};
  if (ok(r, qn_measure_peak(r->context, qn_host_level(), &macs)) &&
      ok(r, qn_measure_machine(r->context, qn_host_level(), &machine)) &&
      !(macs > 0 && machine.macs_per_second[QN_FACTOR_F32] > 0))
    r->status = QN_INTERNAL;
}

const scenario api_scenarios[] = {{"states", run_states, 1000, false, false},
                                  {"replaced", run_replaced, 2000, false, false},
                                  {"rewriting", run_rewriting, 2000, false, false},
                                  {"trials", run_trials, 40, false, true},
                                  {"limits", run_limits, 4000, false, false},
                                  {"questions", run_questions, 100, true, false},
                                  {"plugin", run_plugin, 1000, false, false},
                                  {"peak", run_peak, 100, false, true},
                                  {0}};
