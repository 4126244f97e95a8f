/* The C API of rules: functions that a program registers, and what is rejected.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <quern/quern.h>

#include "tests/support/called_rules.h"

static int declines(qn_rule_call *call, void *user) {
  (void)call, (void)user;
  return 0;
}

typedef struct fixture {
  qn_context *context;
  qn_rules *rules;
  qn_model *model;
  char path[32];
} fixture;

static void ignore(void *user, int severity, const char *message) {
  (void)user, (void)severity, (void)message;
}

static void start(fixture *f) {
  strcpy(f->path, "/tmp/rulesXXXXXX");
  int file = mkstemp(f->path);
  assert_true(file >= 0);
  assert_int_equal(write(file, called_rules, sizeof called_rules - 1),
                   (long)(sizeof called_rules - 1));
  close(file);
  f->context = qn_context_create();
  qn_context_set_handler(f->context, ignore, NULL);
  qn_bytes bytes = {(const uint8_t *)called_graph, sizeof called_graph - 1};
  assert_int_equal(qn_rules_create(f->context, NULL, &f->rules), QN_OK);
  assert_int_equal(qn_model_load_memory(f->context, bytes, "m.mlir", NULL, &f->model), QN_OK);
}

static void stop(fixture *f) {
  remove(f->path);
  qn_model_destroy(f->model);
  qn_rules_destroy(f->rules);
  qn_context_destroy(f->context);
}

static uint32_t count(const qn_model *model, const char *what) {
  char *printed;
  size_t size;
  uint32_t found = 0;
  assert_int_equal(qn_model_print(model, NULL, &printed, &size), QN_OK);
  for (const char *at = printed; (at = strstr(at, what)); at++) found++;
  qn_free(printed);
  return found;
}

static void functions_decide_shape_and_build(void **state) {
  (void)state;
  fixture f;
  int asked = 0;
  start(&f);
  assert_int_equal(called_register(f.rules, called_is_deep, called_sigmoid, &asked), QN_OK);
  assert_int_equal(qn_rules_add_file(f.rules, f.path), QN_OK);
  assert_int_equal(qn_rules_apply(f.rules, f.model, NULL, NULL, NULL), QN_OK);
  assert_true(asked > 0);
  assert_int_equal(count(f.model, "\"ml.relu\""), 2);
  assert_int_equal(count(f.model, "begin = array<i64: 0, 2, 0, 0>"), 1);
  assert_int_equal(count(f.model, "\"ml.sigmoid\""), 1);
  assert_int_equal(count(f.model, "\"ml.tanh\""), 0);
  stop(&f);
}

static void what_declines_changes_nothing(void **state) {
  (void)state;
  fixture f;
  start(&f);
  assert_int_equal(called_register(f.rules, declines, declines, NULL), QN_OK);
  assert_int_equal(qn_rules_add_file(f.rules, f.path), QN_OK);
  assert_int_equal(qn_rules_apply(f.rules, f.model, NULL, NULL, NULL), QN_OK);
  assert_int_equal(count(f.model, "\"ml.relu\""), 1);
  assert_int_equal(count(f.model, "\"ml.tanh\""), 1);
  stop(&f);
}

static void bad_registrations_are_refused(void **state) {
  (void)state;
  fixture f;
  start(&f);
  const qn_rule_function_kind kind = QN_RULE_FUNCTION_CONSTRAINT;
  assert_int_equal(qn_rules_register(f.rules, kind, "fits_budget", "oi", declines, NULL),
                   QN_INVALID);
  assert_int_equal(qn_rules_register(f.rules, kind, "no name", "o", declines, NULL), QN_INVALID);
  assert_int_equal(qn_rules_register(f.rules, kind, "x", "i", declines, NULL), QN_INVALID);
  assert_int_equal(qn_rules_register(f.rules, kind, "x", "oz", declines, NULL), QN_INVALID);
  assert_int_equal(qn_rules_register(f.rules, kind, "x", "o", NULL, NULL), QN_INVALID);
  assert_int_equal(qn_rules_add_file(f.rules, f.path),
                   QN_INVALID); /* its functions are not registered */
  stop(&f);
}

static const char option_rules[] =
    "//:rule name=mine\n"
    "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"x\"), AND(OPTION_BOOL(\"my_option\"),\n"
    "    EQ(OPTION_INT(\"my_option\"), 3)), Op(\"Relu6\", \"x\"))\n";

static void options_of_users_have_values(void **state) {
  (void)state;
  fixture f;
  qn_rewrite_options options = QN_REWRITE_OPTIONS_INIT;
  start(&f);
  FILE *file = fopen(f.path, "w");
  assert_non_null(file);
  assert_true(fputs(option_rules, file) >= 0);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(qn_rules_add_file(f.rules, f.path), QN_INVALID); /* not yet */
  assert_int_equal(qn_rules_register_option(f.rules, "my_option"), QN_OK);
  assert_int_equal(qn_rules_register_option(f.rules, "my_option"), QN_INVALID);
  assert_int_equal(qn_rules_register_option(f.rules, "fc_tile"), QN_INVALID);
  assert_int_equal(qn_rules_register_option(f.rules, "a,b"), QN_INVALID);
  assert_int_equal(qn_rules_register_option(f.rules, NULL), QN_INVALID);
  assert_int_equal(qn_rules_add_file(f.rules, f.path), QN_OK);
  assert_int_equal(qn_rules_apply(f.rules, f.model, NULL, NULL, NULL), QN_OK);
  assert_int_equal(count(f.model, "\"ml.relu6\""), 0);
  options.settings = "my_option=3";
  assert_int_equal(qn_rules_apply(f.rules, f.model, &options, NULL, NULL), QN_OK);
  assert_int_equal(count(f.model, "\"ml.relu6\""), 1);
  stop(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_decide_shape_and_build),
      cmocka_unit_test(what_declines_changes_nothing),
      cmocka_unit_test(bad_registrations_are_refused),
      cmocka_unit_test(options_of_users_have_values),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
