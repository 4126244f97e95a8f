/* A function written as text, and calls of it with numbers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TEST_EVAL_TEXT_FUNCTION_H
#define QN_TEST_EVAL_TEXT_FUNCTION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "eval/eval.h"
#include "ir/verify/verify.h"
#include "text/text.h"

typedef struct fixture {
  qn_ir_context cx;
  qn_module *module;
  qn_arena arena;
  char message[512]; /* the last diagnostic */
  qn_rt_value args[4], results[4];
  uint32_t arg_count;
  int64_t max_steps;
} fixture;

static inline void note(void *user, const qn_diag *diag) {
  fixture *f = user;
  snprintf(f->message, sizeof f->message, "%.*s", QN_STR_ARG(diag->text));
}

static inline int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  qn_ir_context_init(&f->cx);
  f->cx.diag.handler = note;
  f->cx.diag.user = f;
  f->cx.print_type = qn_text_print_type;
  qn_arena_init(&f->arena);
  *state = f;
  return 0;
}

static inline int teardown(void **state) {
  fixture *f = *state;
  qn_module_destroy(f->module);
  qn_arena_deinit(&f->arena);
  qn_ir_context_deinit(&f->cx);
  free(f);
  return 0;
}

/* Parses the text. `run` calls its function @main. */
static inline void load(fixture *f, const char *text) {
  qn_module_destroy(f->module);
  f->module = NULL;
  f->arg_count = 0;
  qn_status status = qn_text_parse(&f->cx, qn_str_of(text), qn_str_of("test"), &f->module);
  if (status == QN_OK) status = qn_verify(f->module);
  if (status != QN_OK) fail_msg("%s", f->message);
}

static inline qn_status run(fixture *f) {
  qn_eval_options options = {.max_steps = f->max_steps};
  f->message[0] = '\0';
  return qn_eval_call(f->module, qn_module_main(f->module), f->args, f->arg_count, f->results,
                      &f->arena, &options);
}

static inline qn_rt_value *add_arg(fixture *f, const char *type) {
  qn_rt_value *arg = &f->args[f->arg_count++];
  *arg = (qn_rt_value){.type = NULL};
  assert_int_equal(qn_text_parse_type(&f->cx, qn_str_of(type), &arg->type), QN_OK);
  return arg;
}

static inline void add_data(fixture *f, const char *type, const void *data, size_t size) {
  qn_rt_value *arg = add_arg(f, type);
  arg->data = qn_arena_copy(&f->arena, data, size);
  arg->size = (int64_t)size;
}
#define DATA(f, type, T, ...)                                                                      \
  add_data(f, type, (const T[]){__VA_ARGS__}, sizeof((const T[]){__VA_ARGS__}))

static inline void add_int(fixture *f, const char *type, int64_t value) {
  add_arg(f, type)->i = value;
}

static inline void expect_type(fixture *f, uint32_t result, const char *text) {
  const qn_type *type;
  assert_int_equal(qn_text_parse_type(&f->cx, qn_str_of(text), &type), QN_OK);
  assert_ptr_equal(f->results[result].type, type);
}

static inline void expect_bytes(const fixture *f, uint32_t result, const void *data, size_t size) {
  assert_int_equal(f->results[result].size, size);
  assert_memory_equal(f->results[result].data, data, size);
}
#define EXPECT(f, result, T, ...)                                                                  \
  expect_bytes(f, result, (const T[]){__VA_ARGS__}, sizeof((const T[]){__VA_ARGS__}))

static inline void expect_failure(fixture *f, qn_status status, const char *message) {
  assert_int_equal(run(f), status);
  assert_string_equal(f->message, message);
}

/* A test with its own context. */
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
