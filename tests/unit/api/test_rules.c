/* Rules from C: functions of a user, and what they may do.
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

static const char module[] =
    "func.func @f(%x: tensor<1x4x1x2xf32>) -> tensor<1x4x1x2xf32> {\n"
    "  %0 = \"ml.relu\"(%x) : (tensor<1x4x1x2xf32>) -> tensor<1x4x1x2xf32>\n"
    "  %1 = \"ml.tanh\"(%0) : (tensor<1x4x1x2xf32>) -> tensor<1x4x1x2xf32>\n"
    "  return %1 : tensor<1x4x1x2xf32>\n}\n";

static const char text[] =
    "//:rule name=deep\n"
    "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"x\"), EXTERNAL_CONSTRAINT(is_deep, \"x\", 2),\n"
    "    AUTOSPLIT(1, \"I\", 2, Op(\"Relu\", AUTOSPLIT_SLICE(\"x\", AUTOSPLIT_SHAPEFN_APPLY(begin, "
    "\"I\"),\n"
    "        AUTOSPLIT_SHAPEFN_APPLY(simple_split_size, \"I\", \"x\")))))\n"
    "//:rule name=other\n"
    "DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op(\"Tanh\", \"x\"), OK, EXTERNAL_REPLACE(sigmoid_of))\n";

static int is_deep(qn_rule_call *call, void *user) {
  ++*(int *)user;
  qn_rule_call_hold(call, qn_rule_call_size(call, 0, 3) >= qn_rule_call_integer(call, 0) &&
                              qn_rule_call_rank(call, 0) == 4 &&
                              qn_rule_call_elements(call, 0) < 0);
  return 1;
}

static int begin(qn_rule_call *call, void *user) {
  int64_t sizes[4] = {0}, dimension, start, size;
  (void)user;
  if (!qn_rule_call_piece(call, &dimension, &start, &size)) return 0;
  sizes[dimension] = start;
  qn_rule_call_give_shape(call, sizes, 4);
  return 1;
}

static int sigmoid_of(qn_rule_call *call, void *user) {
  (void)user;
  int x = qn_rule_call_input(call, QN_RULE_MATCHED, 0);
  qn_rule_call_give(call, qn_rule_call_build(call, "Sigmoid", &x, 1, QN_RULE_MATCHED));
  return 1;
}

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
  assert_int_equal(write(file, text, sizeof text - 1), (long)(sizeof text - 1));
  close(file);
  f->context = qn_context_create();
  qn_context_set_handler(f->context, ignore, NULL);
  qn_bytes bytes = {(const uint8_t *)module, sizeof module - 1};
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
  assert_int_equal(
      qn_rules_register(f.rules, QN_RULE_FUNCTION_CONSTRAINT, "is_deep", "oi", is_deep, &asked),
      QN_OK);
  assert_int_equal(
      qn_rules_register(f.rules, QN_RULE_FUNCTION_SPLIT_SHAPE, "begin", "", begin, NULL), QN_OK);
  assert_int_equal(
      qn_rules_register(f.rules, QN_RULE_FUNCTION_REPLACE, "sigmoid_of", "", sigmoid_of, NULL),
      QN_OK);
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
  assert_int_equal(
      qn_rules_register(f.rules, QN_RULE_FUNCTION_CONSTRAINT, "is_deep", "oi", declines, NULL),
      QN_OK);
  assert_int_equal(
      qn_rules_register(f.rules, QN_RULE_FUNCTION_SPLIT_SHAPE, "begin", "", begin, NULL), QN_OK);
  assert_int_equal(
      qn_rules_register(f.rules, QN_RULE_FUNCTION_REPLACE, "sigmoid_of", "", declines, NULL),
      QN_OK);
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
  assert_int_equal(qn_rules_add_file(f.rules, f.path), QN_INVALID); /* nobody has registered them */
  stop(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_decide_shape_and_build),
      cmocka_unit_test(what_declines_changes_nothing),
      cmocka_unit_test(bad_registrations_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
