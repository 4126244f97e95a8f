/* The effects of a profile as text: a module of that profile is run on fixed inputs, and all
 * messages and all bytes of the results are collected. The profile "changed" is a copy that the
 * test modifies.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_PROFILE_FIELDS_H
#define QN_TESTS_PROFILE_FIELDS_H

/* The profiles of the library, and a search that also finds "changed". These definitions replace
 * those of the archive: the linker then does not take quant/profile.o from it. */
#define qn_profile_find find_of_library
#include "quant/profile.c"
#undef qn_profile_find

static qn_profile changed;

qn_status qn_profile_find(qn_diag_engine *diag, const qn_loc *loc, qn_str name,
                          const qn_profile **out_profile);

qn_status qn_profile_find(qn_diag_engine *diag, const qn_loc *loc, qn_str name,
                          const qn_profile **out_profile) {
  if (!qn_str_is(name, "changed")) return find_of_library(diag, loc, name, out_profile);
  *out_profile = &changed;
  return QN_OK;
}

#include "base/file.h"
#include "eval/eval.h"
#include "ir/walk.h"
#include "lower/lower.h"
#include "pass/pipeline.h"
#include "tests/support/tflite_samples.h"
#include "tests/unit/import/import_test.h"
#include "text/text.h"

/* ---- running a module ---- */

/* Numbers within and beyond the range of every type, the same in every run. */
static double next_number(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(int32_t)*seed / 0x1p28;
}

static qn_rt_value make_argument(qn_arena *arena, const qn_type *type, uint32_t *seed) {
  const qn_type *element = qn_type_element(type);
  int64_t count = qn_type_is_shaped(type) ? qn_type_elements(type) : 1;
  qn_rt_value value = {.type = type, .size = count * qn_type_bytes(element)};
  value.data = qn_arena_alloc(arena, (size_t)value.size + 16);
  for (int64_t i = 0; i < count; i++) {
    double x = next_number(seed);
    uint8_t *at = value.data + i * qn_type_bytes(element);
    float f = (float)x;
    int64_t integer = (int64_t)(x * 0x1p28);
    bool is_f32 = qn_type_is_float(element, QN_F32);
    if (is_f32)
      memcpy(at, &f, sizeof f);
    else if (qn_type_is_float(element, QN_F64))
      memcpy(at, &x, sizeof x);
    else if (qn_type_is_int(element, 1))
      *at = integer < 0;
    else
      memcpy(at, (const uint8_t *)&integer + 2,
             qn_type_bytes(element) < 6 ? qn_type_bytes(element) : 6);
  }
  return value;
}

static bool can_run(const qn_op *func) {
  const qn_block *body = qn_op_body(func);
  for (uint32_t i = 0; body && i < body->arg_count; i++) {
    const qn_type *type = body->args[i]->type, *element = qn_type_element(type);
    bool number = element->kind == QN_TYPE_FLOAT || element->kind == QN_TYPE_INTEGER ||
                  qn_type_quant(element);
    if (type->kind != QN_TYPE_TENSOR || !qn_type_is_static(type) || !number) return false;
  }
  return body != NULL;
}

static void put_result(const qn_rt_value *value, qn_text *out) {
  qn_text_putc(out, '\n');
  if (!value->data) qn_text_format(out, "%lld %a", (long long)value->i, value->f);
  for (int64_t i = 0; value->data && i < value->size; i++)
    qn_text_format(out, "%02x", value->data[i]);
}

static void run_function(const qn_module *module, const qn_op *func, qn_text *out) {
  enum { MOST_RESULTS = 16 };
  const qn_block *body = qn_op_body(func);
  qn_rt_value results[MOST_RESULTS];
  uint32_t seed = 1, count = qn_op_function_type(func)->function.result_count;
  if (!can_run(func) || count > MOST_RESULTS) return;
  qn_arena arena;
  qn_arena_init(&arena);
  qn_rt_value *args = QN_NEW_ARRAY(&arena, body->arg_count + 1, qn_rt_value);
  for (uint32_t i = 0; i < body->arg_count; i++)
    args[i] = make_argument(&arena, body->args[i]->type, &seed);
  qn_status status = qn_eval_call(module, func, args, body->arg_count, results, &arena, NULL);
  qn_text_format(out, "\n%s", qn_status_name(status));
  for (uint32_t i = 0; status == QN_OK && i < count; i++) put_result(&results[i], out);
  qn_arena_deinit(&arena);
}

static void run_functions(const qn_module *module, qn_text *out) {
  QN_FOR_EACH_OP(op, qn_op_body(module->op))
  if (op->kind == QN_OP_FUNC) run_function(module, op, out);
}

/* ---- sources of modules ---- */

static void take_messages(import_run *run, qn_text *out) {
  qn_text_put(out, qn_text_view(&run->messages));
}

/* Imports a .tflite model, and writes the module and its results. */
static void run_model(void (*build)(qn_tfb *b), qn_text *out) {
  qn_tfb *b = qn_tfb_create();
  build(b);
  import_run run;
  const qn_import_options options = {.numerics = qn_str_of("changed")};
  import_bytes(&run, qn_tfb_finish(b), &options);
  qn_text_format(out, "%s", qn_status_name(run.status));
  if (run.module) {
    qn_text_print(run.module, NULL, out);
    run_functions(run.module, out);
  }
  take_messages(&run, out);
  import_end(&run);
  qn_tfb_destroy(b);
}

/* Writes the module at the integer stage, or the reason why there is none. */
static void put_integer_form(qn_module *module, qn_text *out) {
  static const qn_pass *const lower[] = {&qn_pass_lower_to_integer};
  const qn_pipeline_options options = {.verify_each = true};
  qn_status status = qn_pipeline_run(module, lower, QN_COUNT(lower), &options);
  qn_text_format(out, "\n%s\n", qn_status_name(status));
  if (status == QN_OK) qn_text_print(module, NULL, out);
}

/* Parses a module. Its profile is replaced by "changed". */
static void run_text(qn_str text, qn_text *out) {
  import_run run = {0};
  qn_ir_context_init(&run.cx);
  run.cx.diag.handler = collect_message;
  run.cx.diag.user = &run.messages;
  run.status = qn_text_parse(&run.cx, text, qn_str_of("text.mlir"), &run.module);
  if (run.module && run.status == QN_OK) {
    qn_op_set_attr(run.module, run.module->op, "quern.numerics",
                   qn_attr_string(&run.cx, qn_str_of("changed")));
    run.status = qn_verify(run.module);
  }
  qn_text_format(out, "%s", qn_status_name(run.status));
  if (run.status == QN_OK) run_functions(run.module, out);
  if (run.status == QN_OK) put_integer_form(run.module, out);
  take_messages(&run, out);
  import_end(&run);
}

#endif
