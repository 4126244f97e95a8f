/* Locations and how diagnostics read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>

#include "diag/diag.h"

#include <cmocka.h>

typedef struct fixture {
  qn_arena arena;
  qn_diag_engine engine;
  qn_text seen;
  const char *source;
} fixture;

static void collect(void *user, const qn_diag *diag) {
  fixture *f = user;
  qn_diag_render(diag, qn_str_of(f->source), false, &f->seen);
}

static int setup(void **state) {
  static fixture f;
  f = (fixture){.source = ""};
  qn_arena_init(&f.arena);
  qn_diag_init(&f.engine, &f.arena);
  f.engine.handler = collect;
  f.engine.user = &f;
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_diag_deinit(&f->engine);
  qn_arena_deinit(&f->arena);
  qn_text_deinit(&f->seen);
  return 0;
}

static void equal_locations_are_one_pointer(void **state) {
  fixture *f = *state;
  const qn_loc *file = qn_loc_file(&f->engine, qn_str_of("a.mlir"), 3, 7);
  assert_ptr_equal(file, qn_loc_file(&f->engine, qn_str_of("a.mlir"), 3, 7));
  assert_ptr_not_equal(file, qn_loc_file(&f->engine, qn_str_of("a.mlir"), 3, 8));
  const qn_loc *name = qn_loc_name(&f->engine, qn_str_of("conv"), file);
  assert_ptr_equal(name, qn_loc_name(&f->engine, qn_str_of("conv"), file));
  assert_ptr_not_equal(name, qn_loc_name(&f->engine, qn_str_of("conv"), NULL));
  for (uint32_t i = 0; i < 1000; i++) qn_loc_file(&f->engine, qn_str_of("a.mlir"), i, i);
  assert_ptr_equal(file, qn_loc_file(&f->engine, qn_str_of("a.mlir"), 3, 7));
}

static void errors_name_file_operator_and_tensor(void **state) {
  fixture *f = *state;
  const qn_loc *model = qn_loc_file(&f->engine, qn_str_of("model.tflite"), 0, 0);
  const qn_loc *op = qn_loc_name(&f->engine, qn_str_of("operator 5 (CONV_2D), tensor 'x'"), model);
  assert_int_equal(qn_error(&f->engine, op, QN_UNSUPPORTED, "%d groups", 3), QN_UNSUPPORTED);
  qn_warning(&f->engine, f->engine.unknown, "slow");
  assert_string_equal(f->seen.data,
                      "model.tflite: operator 5 (CONV_2D), tensor 'x': error: 3 groups\n"
                      "warning: slow\n");
  assert_int_equal(f->engine.errors, 1);
  assert_int_equal(f->engine.warnings, 1);
}

static void fused_and_called_locations_name_all_parts(void **state) {
  fixture *f = *state;
  const qn_loc *a = qn_loc_file(&f->engine, qn_str_of("a"), 1, 2);
  const qn_loc *b = qn_loc_name(&f->engine, qn_str_of("b"), NULL);
  const qn_loc *both[] = {a, b};
  qn_text out = {0};
  qn_loc_render(qn_loc_fused(&f->engine, both, 2), &out);
  assert_string_equal(out.data, "a:1:2 and b");
  qn_text_clear(&out);
  qn_loc_render(qn_loc_callsite(&f->engine, b, a), &out);
  assert_string_equal(out.data, "b called from a:1:2");
  qn_text_deinit(&out);
}

static void the_source_line_is_shown_with_a_caret(void **state) {
  fixture *f = *state;
  f->source = "first\n\tse\033cond\nthird";
  const qn_diag note = {.severity = QN_NOTE,
                        .loc = qn_loc_file(&f->engine, qn_str_of("t"), 3, 1),
                        .text = qn_str_of("see")};
  const qn_diag diag = {.severity = QN_ERROR,
                        .loc = qn_loc_file(&f->engine, qn_str_of("t"), 2, 4),
                        .text = qn_str_of("bad"),
                        .notes = &note,
                        .note_count = 1};
  qn_report(&f->engine, &diag);
  assert_string_equal(f->seen.data,
                      "t:2:4: error: bad\n\tse?cond\n\t  ^\nt:3:1: note: see\nthird\n^\n");
}

static void codes_and_help_are_shown(void **state) {
  fixture *f = *state;
  const qn_diag help = {
      .severity = QN_HELP, .loc = f->engine.unknown, .text = qn_str_of("write b")};
  const qn_diag diag = {.severity = QN_ERROR,
                        .loc = qn_loc_file(&f->engine, qn_str_of("t"), 2, 4),
                        .text = qn_str_of("bad"),
                        .notes = &help,
                        .note_count = 1,
                        .code = "X1"};
  qn_report(&f->engine, &diag);
  assert_string_equal(f->seen.data, "t:2:4: error[X1]: bad\nhelp: write b\n");
}

static void positions_outside_of_the_source_are_harmless(void **state) {
  fixture *f = *state;
  f->source = "one";
  qn_error(&f->engine, qn_loc_file(&f->engine, qn_str_of("t"), 9, 1), QN_INVALID, "a");
  qn_error(&f->engine, qn_loc_file(&f->engine, qn_str_of("t"), 1, 99), QN_INVALID, "b");
  assert_string_equal(f->seen.data, "t:9:1: error: a\nt:1:99: error: b\none\n   ^\n");
}

static void deeply_nested_locations_are_cut(void **state) {
  fixture *f = *state;
  const qn_loc *loc = f->engine.unknown;
  for (int i = 0; i < 100000; i++) loc = qn_loc_name(&f->engine, qn_str_of("n"), loc);
  qn_error(&f->engine, loc, QN_INVALID, "deep");
  assert_memory_equal(f->seen.data, "...: n: ", 8);
}

static void errors_beyond_the_limit_are_counted_only(void **state) {
  fixture *f = *state;
  f->engine.error_limit = 2;
  for (int i = 0; i < 5; i++) qn_error(&f->engine, f->engine.unknown, QN_INVALID, "%d", i);
  assert_string_equal(f->seen.data, "error: 0\nerror: 1\n");
  assert_int_equal(f->engine.errors, 5);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(equal_locations_are_one_pointer),
      TEST(errors_name_file_operator_and_tensor),
      TEST(fused_and_called_locations_name_all_parts),
      TEST(the_source_line_is_shown_with_a_caret),
      TEST(codes_and_help_are_shown),
      TEST(positions_outside_of_the_source_are_harmless),
      TEST(deeply_nested_locations_are_cut),
      TEST(errors_beyond_the_limit_are_counted_only),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
