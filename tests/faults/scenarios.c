/* The scenarios: together they use the whole API.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/faults/scenario.h"

/* One of each form that the printer and parser keep something for. */
static const char text[] =
    "!q = !quant.uniform<i8<-127:127>:f32:1, {1.0e-02,2.0e-02:3}>\n"
    "#map = affine_map<(d0, d1) -> (d0, d1)>\n"
    "module attributes {quern.numerics = \"litert-ref\", test.list = [1, \"two\", {k = unit}]} {\n"
    "  func.func private @callee(%a: tensor<4xf32>) -> tensor<4xf32> {\n"
    "    %s = arith.addf %a, %a : tensor<4xf32> loc(\"sum\")\n"
    "    return %s : tensor<4xf32>\n"
    "  }\n"
    "  func.func @main(%x: tensor<4xf32>, %i: index) -> (tensor<4xf32>, i32) {\n"
    "    %c = arith.constant dense<[1.0, -2.5, 3.25, 0.1234567890123456789]> : tensor<4xf32>\n"
    "    %k = arith.constant 7 : i32\n"
    "    %k2 = arith.addi %k, %k : i32\n"
    "    %0 = arith.mulf %x, %c : tensor<4xf32>\n"
    "    %1 = func.call @callee(%0) : (tensor<4xf32>) -> tensor<4xf32>\n"
    "    cf.br ^bb1(%1 : tensor<4xf32>)\n"
    "  ^bb1(%v: tensor<4xf32>):\n"
    "    %2 = quant.qcast %v : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 0.5:3>>\n"
    "    %3 = quant.dcast %2 : tensor<4x!quant.uniform<i8:f32, 0.5:3>> to tensor<4xf32>\n"
    "    return %3, %k2 : tensor<4xf32>, i32\n"
    "  }\n"
    "}\n";

static bool load_text(run *r, const char *source, qn_model **out_model) {
  qn_bytes bytes = {(const uint8_t *)source, strlen(source)};
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  options.allow_unregistered = 1;
  return ok(r, qn_model_load_memory(r->context, bytes, "text.mlir", &options, out_model));
}

static void print(run *r, const qn_model *model, const qn_text_options *options) {
  char *printed;
  size_t size;
  if (ok(r, qn_model_print(model, options, &printed, &size))) digest_text(r, printed, size);
}

/* ---- text ---- */

static void run_text(run *r) {
  qn_model *model;
  if (!load_text(r, text, &model)) return;
  qn_text_options options = QN_TEXT_OPTIONS_INIT;
  print(r, model, NULL);
  options.locations = options.type_aliases = 1;
  print(r, model, &options);
  options.generic = options.local_scope = 1;
  print(r, model, &options);
  qn_model_destroy(model);
}

/* Broken text, whose messages are the result. */
static void run_errors(run *r) {
  static const char *const broken[] = {
      "func.func @f(%x: tensor<4xf32>) -> i32 { return %x : tensor<4xf32> }",
      "func.func @f() { %0 = arith.constant dense<[1, 2]> : tensor<3xi8> return }",
      "%0 = \"a.b\"(%y) : (i32) -> i32", "module { func.func @f() { unknown.op } }",
      "func.func @f(%a: !quant.uniform<i99:f32, 1.0>) { return }"};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    qn_bytes bytes = {(const uint8_t *)broken[i], strlen(broken[i])};
    qn_model *model = NULL;
    qn_status status = qn_model_load_memory(r->context, bytes, "broken.mlir", NULL, &model);
    qn_model_destroy(model);
    if (status == QN_LIMIT) r->status = status;
    digest(r, &status, sizeof status);
  }
}

/* ---- passes ---- */

static void ignore_text(void *user, const char *written, size_t size) {
  (void)user, (void)written, (void)size;
}

static void ignore_step(void *user, const qn_pass_step *step) { (void)user, (void)step; }

static qn_status run_user_pass(const qn_pass_api *api, qn_pass_run *pass, void *user) {
  (void)user;
  qn_str seen = api->text(pass, 1);
  char *copy = malloc(seen.size + 1);
  if (!copy) return QN_LIMIT;
  if (seen.size) memcpy(copy, seen.data, seen.size);
  const char *value = api->option(pass, "way");
  api->report(pass, QN_MESSAGE_REMARK, value ? value : "");
  qn_status status = seen.size ? api->replace(pass, (qn_str){copy, seen.size}) : QN_LIMIT;
  free(copy);
  return status;
}

static bool register_pass(run *r, const char *name, const char *runs_on) {
  static const qn_user_option options[] = {{"way", "there|back", NULL, "where"}};
  const char *required[] = {"cse", NULL};
  const qn_user_pass pass = {.size = sizeof pass,
                             .name = name,
                             .summary = "reads what it has printed",
                             .options = options,
                             .option_count = 1,
                             .required = required,
                             .run = run_user_pass,
                             .runs_on = runs_on};
  for (uint32_t i = 0; i < qn_pass_count(r->context); i++)
    if (strcmp(qn_pass_at(r->context, i).name, name) == 0) return true;
  return ok(r, qn_pass_register(r->context, &pass));
}

static void run_pipeline(run *r, qn_model *model, const char *passes,
                         const qn_run_options *options) {
  qn_pipeline *pipeline;
  char *printed;
  size_t size;
  if (!ok(r, qn_pipeline_parse(r->context, passes, &pipeline))) return;
  bool set = ok(r, qn_pipeline_set_option(pipeline, "upstream-compatible", "true"));
  qn_status shown = qn_pipeline_print(pipeline, &printed, &size);
  if (ok(r, shown)) digest_text(r, printed, size);
  bool ran = set && ok(r, qn_model_run(model, pipeline, options));
  qn_pipeline_destroy(pipeline);
  char *unused = NULL;
  qn_status status = ran ? QN_OK : qn_model_print(model, NULL, &unused, &size);
  if (status != QN_OK && status != QN_LIMIT) r->status = QN_INTERNAL; /* lost, or as it was */
  qn_free(unused);
  if (ran) print(r, model, NULL);
}

static void run_passes(run *r) {
  qn_model *model;
  char path[512];
  snprintf(path, sizeof path, "%s/reproducer.mlir", r->folder);
  qn_run_options options = QN_RUN_OPTIONS_INIT;
  options.write = ignore_text;
  options.on_step = ignore_step;
  options.bisect_limit = -1;
  options.print_after = "all";
  options.print_after_change = options.timing = options.stats = options.stress_roundtrip = 1;
  options.config = "cpu=x86-64-v3";
  options.reproducer = path;
  if (!register_pass(r, "reread-module", NULL) || !register_pass(r, "reread-func", "func.func"))
    return;
  if (!load_text(r, text, &model)) return;
  run_pipeline(
      r, model,
      "builtin.module(func.func(canonicalize,cse,reread-func),inline,reread-module{way=back},"
      "symbol-dce,func.func(lower-quant-ops,canonicalize,cse),strip-func-quant-types)",
      &options);
  qn_model_destroy(model);
  (void)unlink(path); /* it stays when a pass fails */
}

static void run_wrong_passes(run *r) {
  static const char *const broken[] = {"nothing-of-this", "cse{a=b}", "canonicalize{",
                                       "func.func(inline)"};
  for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
    qn_pipeline *pipeline = NULL;
    qn_status status = qn_pipeline_parse(r->context, broken[i], &pipeline);
    qn_pipeline_destroy(pipeline);
    if (status == QN_LIMIT) r->status = status;
    digest(r, &status, sizeof status);
  }
}

static void run_reproducer(run *r) {
  static const char source[] =
      "module {}\n{-#\n external_resources: { mlir_reproducer: { pipeline: "
      "\"builtin.module(cse)\",\n"
      " disable_threading: true, verify_each: true },\n"
      " quern_reproducer: { config: \"cpu=x86-64\", disabled: \"cse\", required: \"cse\",\n"
      " opt_level: \"2\" } }\n#-}\n";
  qn_reproducer read;
  qn_bytes bytes = {(const uint8_t *)source, sizeof source - 1};
  if (!ok(r, qn_reproducer_read(r->context, bytes, "r.mlir", &read))) return;
  digest(r, read.pipeline, strlen(read.pipeline));
  digest(r, read.config, strlen(read.config));
  qn_reproducer_free(&read);
}

static void run_reduce(run *r) {
  qn_model *model;
  if (!load_text(r, text, &model)) return;
  uint32_t applied = 0, places = 0;
  for (uint32_t kind = 3; kind-- > 0 && r->status == QN_OK;) {
    (void)ok(r, qn_model_reduce(model, kind, 0, 2, &applied, &places));
    digest(r, &applied, sizeof applied);
  }
  qn_model_destroy(model);
}

/* ---- models ---- */

static bool load_sample(run *r, const char *name, qn_model **out_model) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s.tflite", r->folder, name);
  return ok(r, qn_model_load(r->context, path, NULL, out_model));
}

static const char *const operators[] = {"conv",    "depthwise", "linear", "add",
                                        "softmax", "concat",    "mean",   "pad"};
enum { OPERATORS = sizeof operators / sizeof *operators };

static void emit(run *r, const qn_model *model, qn_form form) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  char *bytes;
  size_t size;
  options.cpu = "x86-64-v3";
  if (ok(r, qn_emit_form(model, &options, form, &bytes, &size))) digest_text(r, bytes, size);
}

static void run_import(run *r) {
  for (size_t i = 0; i < OPERATORS && r->status == QN_OK; i++) {
    qn_model *model;
    char *json;
    size_t size;
    if (!load_sample(r, operators[i], &model)) return;
    print(r, model, NULL);
    if (ok(r, qn_model_inspect(model, &json, &size))) digest_text(r, json, size);
    qn_model_destroy(model);
  }
}

static void run_stages(run *r) {
  for (size_t i = 0; i < OPERATORS && r->status == QN_OK; i++) {
    qn_model *model;
    if (!load_sample(r, operators[i], &model)) return;
    for (int form = QN_FORM_MODEL; form <= QN_FORM_LOOPS; form++) emit(r, model, (qn_form)form);
    qn_model_destroy(model);
  }
}

/* ---- engines ---- */

static void take_tensor(void *user, int64_t index, const void *data, size_t bytes) {
  digest(user, &index, sizeof index);
  digest(user, data, bytes);
}

static void use(run *r, qn_executable *executable) {
  enum { MAX_TENSORS = 4, MAX_BYTES = 1 << 16 };
  static _Thread_local uint8_t in[MAX_TENSORS][MAX_BYTES], out[MAX_TENSORS][MAX_BYTES];
  const void *inputs[MAX_TENSORS];
  void *outputs[MAX_TENSORS];
  for (int i = 0; i < MAX_TENSORS; i++) {
    for (int k = 0; k < MAX_BYTES; k++) in[i][k] = (uint8_t)(k * 7 + i);
    inputs[i] = in[i];
    outputs[i] = out[i];
  }
  if (!ok(r, qn_executable_invoke(executable, inputs, outputs))) return;
  for (uint32_t i = 0; i < qn_executable_output_count(executable); i++)
    digest(r, out[i], qn_executable_output(executable, i).bytes);
  (void)ok(r, qn_executable_tensors(executable, take_tensor, r));
  qn_step_time steps[64];
  uint32_t count = qn_executable_step_count(executable);
  if (count > 0 && count < 64 && ok(r, qn_executable_profile(executable, inputs, outputs, steps)))
    digest(r, &count, sizeof count);
  qn_status status = qn_executable_set_threads(executable, 2);
  if (status != QN_OK) r->errors++; /* says why by its status alone */
  (void)ok(r, status);
}

static void run_engine(run *r, const char *sample, const qn_compile_options *options) {
  qn_model *model;
  qn_executable *executable = NULL;
  if (!load_sample(r, sample, &model)) return;
  bool compiled = ok(r, qn_compile(model, options, &executable));
  qn_model_destroy(model);
  if (compiled) use(r, executable);
  qn_executable_destroy(executable);
}

static void run_interpreter(run *r) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.engine = QN_ENGINE_INTERPRETER;
  options.keep_tensors = 1;
  for (int stage = QN_FORM_MODEL; stage <= QN_FORM_LOOPS && r->status == QN_OK; stage++) {
    options.stage = (qn_form)stage;
    run_engine(r, "conv", &options);
    run_engine(r, "softmax", &options);
  }
}

static void run_jit(run *r) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.keep_tensors = 1;
  run_engine(r, "conv", &options);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *at) {
  (void)info, (void)kind, (void)at;
  return remove(path);
}

/* Made and kept, then found. */
static void run_kept(run *r) {
  char folder[512];
  snprintf(folder, sizeof folder, "%s/kept", r->folder);
  nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.cache = folder;
  options.keep_tensors = 1;
  static const char *const samples[] = {"softmax",
                                        "wide"}; /* the second one with constants apart */
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
    for (int times = 0; times < 2; times++) run_engine(r, samples[i], &options);
}

/* Enough code for several parts, each translated by a thread of its own. */
static void run_threads(run *r) {
  qn_compile_options options = QN_COMPILE_OPTIONS_INIT;
  options.keep_tensors = 1;
  use_cpus(4);
  run_engine(r, "chain", &options);
  use_cpus(1);
}

static void run_object(run *r) {
  qn_model *model;
  char *header, *object, *report;
  size_t size, report_size;
  if (!load_sample(r, "conv", &model)) return;
  for (int form = QN_FORM_LLVM; form <= QN_FORM_OBJECT; form++) emit(r, model, (qn_form)form);
  if (ok(r, qn_emit_header(model, NULL, &header, &size))) digest_text(r, header, size);
  if (ok(r, qn_emit_reported(model, NULL, &object, &size, &report, &report_size))) {
    digest_text(r, object, size);
    digest_text(r, report, report_size);
  }
  qn_model_destroy(model);
  if (!load_sample(r, "wide", &model)) return;
  emit(r, model, QN_FORM_OBJECT);
  qn_model_destroy(model);
}

static void run_function(run *r) {
  qn_model *model;
  if (!load_text(r, text, &model)) return;
  const int64_t four = 4;
  const float numbers[] = {1, 2, 3, 4};
  qn_argument arguments[] = {{.dtype = QN_DTYPE_F32, .rank = 1, .dims = &four, .data = numbers},
                             {.constant = "3 : index"}};
  for (int engine = QN_ENGINE_JIT; engine <= QN_ENGINE_INTERPRETER; engine++) {
    qn_interpret_options options = QN_INTERPRET_OPTIONS_INIT;
    char *result;
    size_t size;
    options.engine = (qn_engine)engine;
    options.function = engine == QN_ENGINE_JIT ? "callee" : "main";
    arguments[0].name = engine == QN_ENGINE_JIT ? "a" : "x";
    if (ok(r, qn_model_interpret(model, &options, arguments, engine == QN_ENGINE_JIT ? 1 : 2,
                                 &result, &size)))
      digest_text(r, result, size);
  }
  qn_model_destroy(model);
}

/* ---- files and catalogues ---- */

static void run_files(run *r) {
  char path[512];
  snprintf(path, sizeof path, "%s/out.txt", r->folder);
  const qn_bytes old = {(const uint8_t *)"old", 3}, now = {(const uint8_t *)text, sizeof text - 1};
  (void)unlink(path);
  qn_status status = qn_context_write_file(r->context, path, old);
  if (ok(r, status)) (void)ok(r, qn_context_write_file(r->context, path, now));
  qn_load_options options = QN_LOAD_OPTIONS_INIT;
  options.allow_unregistered = 1;
  qn_model *model;
  if (r->status == QN_OK && ok(r, qn_model_load(r->context, path, &options, &model))) {
    print(r, model, NULL);
    qn_model_destroy(model);
  }
  (void)unlink(path);
}

static void run_lists(run *r) {
  static const char *const lists[] = {"ops",     "dialects", "passes", "tflite",
                                      "targets", "profiles", "stages", "integer-forms"};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    char *json;
    size_t size;
    if (ok(r, qn_list(lists[i], &json, &size))) digest_text(r, json, size);
  }
}

const scenario scenarios[] = {{"text", run_text, 4000, false, false},
                              {"errors", run_errors, 4000, false, false},
                              {"passes", run_passes, 4000, false, false},
                              {"wrong", run_wrong_passes, 4000, false, false},
                              {"reproducer", run_reproducer, 4000, false, false},
                              {"reduce", run_reduce, 4000, false, false},
                              {"import", run_import, 2000, false, false},
                              {"stages", run_stages, 2000, false, false},
                              {"interpreter", run_interpreter, 2000, false, false},
                              {"function", run_function, 1000, false, false},
                              {"object", run_object, 600, false, false},
                              {"jit", run_jit, 600, false, false},
                              {"kept", run_kept, 600, false, false},
                              {"files", run_files, 4000, false, false},
                              {"lists", run_lists, 1000, true, false},
                              {"threads", run_threads, 200, false, true},
                              {0}};
