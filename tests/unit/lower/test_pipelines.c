/* Properties of modules at the integer stage, and pipelines of that stage's passes. A pass that is
 * run alone finds the properties that it requires, or reports the missing one. A property that a
 * pass destroys is established again before another pass requires it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "text/text.h"
#include "tests/support/passes.h"

static const char padded[] =
    "func.func @main(%x: tensor<1x4x4x4xi8>) -> tensor<1x4x4x4xi8> {\n"
    "  %w = \"ml.const\"() {value = dense<1> : tensor<4x3x3x4xi8>} : () -> tensor<4x3x3x4xi8>\n"
    "  %b = \"ml.const\"() {value = dense<0> : tensor<4xi32>} : () -> tensor<4xi32>\n"
    "  %m = \"ml.const\"() {value = dense<1073741824> : tensor<4xi32>} : () -> tensor<4xi32>\n"
    "  %s = \"ml.const\"() {value = dense<-4> : tensor<4xi32>} : () -> tensor<4xi32>\n"
    "  %y = \"ml.integer_conv\"(%x, %w, %b, %m, %s) {strides = array<i64: 1, 1>, dilations = "
    "array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, groups = 1 : i64, input_zero_point = 3 : i64, "
    "weight_zero_point = 0 : i64, output_zero_point = 0 : i64, rounding = \"double\", min = -128 : "
    "i64, max = 127 : i64}\n"
    "    : (tensor<1x4x4x4xi8>, tensor<4x3x3x4xi8>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) "
    "-> tensor<1x4x4x4xi8>\n"
    "  return %y : tensor<1x4x4x4xi8>\n"
    "}\n";

typedef struct fixture {
  qn_ir_context cx;
  qn_text errors;
} fixture;

static void record(void *user, const qn_diag *diag) {
  fixture *f = user;
  qn_text_format(&f->errors, "%u:%u %.*s\n", diag->loc->line, diag->loc->column,
                 QN_STR_ARG(diag->text));
}

static int setup(void **state) {
  static fixture f;
  f = (fixture){0};
  qn_ir_context_init(&f.cx);
  f.cx.diag.handler = record;
  f.cx.diag.user = &f;
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_text_deinit(&f->errors);
  qn_ir_context_deinit(&f->cx);
  return 0;
}

static qn_status run(fixture *f, const qn_pass *const *passes, uint32_t count) {
  qn_module *module;
  qn_text_clear(&f->errors);
  assert_int_equal(qn_text_parse(&f->cx, qn_str_of(padded), qn_str_of("m"), &module), QN_OK);
  qn_pipeline_options options = {.verify_each = true};
  qn_status status = qn_pipeline_run(module, passes, count, &options);
  qn_module_destroy(module);
  return status;
}

static void what_is_missing_is_named_where_it_is_missing(void **state) {
  fixture *f = *state;
  const qn_pass *steps[] = {&qn_pass_lower_to_loops, &qn_pass_lower_to_loops,
                            &qn_pass_lower_to_loops};
  assert_int_equal(run(f, steps, 1), QN_INVALID);
  assert_string_equal(
      f->errors.data,
      "6:8 pass 'lower-to-loops' needs 'padding-explicit' (without a border of its "
      "own), which this 'ml.integer_conv' is not: run 'materialize-padding' first\n");
  steps[0] = &qn_pass_materialize_padding;
  assert_int_equal(run(f, steps, 2), QN_INVALID);
  assert_non_null(strstr(f->errors.data, "run 'fold-zero-points' first"));
  steps[1] = &qn_pass_fold_zero_points;
  assert_int_equal(run(f, steps, 3), QN_OK);
}

/* Compares the passes of a pipeline in their order, each name followed by a space. */
static void check_passes(fixture *f, const char *text, const char *expected) {
  qn_test_passes passes = qn_test_passes_of(&f->cx, text);
  qn_text names = {0};
  for (uint32_t i = 0; i < passes.count; i++) qn_text_format(&names, "%s ", passes.pass[i]->name);
  assert_string_equal(names.data, expected);
  qn_text_deinit(&names);
}

static void what_is_needed_is_put_in_front(void **state) {
  fixture *f = *state;
  check_passes(f, "lower-to-loops",
               "lower-to-integer materialize-padding fold-zero-points lower-to-loops ");
  check_passes(f, "use-unsigned", "lower-to-integer use-unsigned ");
  check_passes(f, "fold-zero-points,lower-to-loops",
               "lower-to-integer materialize-padding fold-zero-points lower-to-loops ");
  check_passes(f, "lower-to-integer,prepare-integer,lower-to-loops",
               "lower-to-integer tabulate-bytes fold-clamps use-unsigned materialize-padding "
               "fold-zero-points remove-unread-channels rows-to-depth fuse-elementwise "
               "simplify-integer lower-to-loops ");
}

static void what_is_lost_comes_back(void **state) {
  fixture *f = *state;
  check_passes(f, "fold-zero-points,use-unsigned,lower-to-loops",
               "lower-to-integer materialize-padding fold-zero-points use-unsigned "
               "fold-zero-points lower-to-loops ");
}

static void records_agree_with_properties(void **state) {
  (void)state;
  for (const qn_pass *const *pass = qn_lower_passes; *pass; pass++) {
    const qn_property *const *lists[] = {(*pass)->needed, (*pass)->established, (*pass)->lost};
    for (size_t i = 0; i < QN_COUNT(lists); i++)
      for (const qn_property *const *p = lists[i]; p && *p; p++) {
        assert_non_null((*p)->holds);
        assert_true(qn_property_is_in(*p, (*p)->by->established));
        assert_false(qn_property_is_in(*p, (*p)->by->needed));
      }
    assert_int_equal((*pass)->numerics, QN_EXACT);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_missing_is_named_where_it_is_missing, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(what_is_needed_is_put_in_front, setup, teardown),
      cmocka_unit_test_setup_teardown(what_is_lost_comes_back, setup, teardown),
      cmocka_unit_test(records_agree_with_properties),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
