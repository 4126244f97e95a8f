/* The pass manager: order, aborting, and verification after a lowering.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ir/builder.h"
#include "pass/pass.h"

typedef struct journal {
  int calls; /* passes run so far */
} journal;

/* The manager passes `config` on unchanged; here it is the journal. */
static journal *journal_of(qn_pass_context *pc) { return (journal *)(uintptr_t)pc->config; }

static qn_status run_count(qn_pass_context *pc) {
  journal *j = journal_of(pc);
  assert_non_null(qn_arena_alloc(pc->scratch, 100000));
  j->calls++;
  pc->changed = true;
  return QN_OK;
}
static qn_status run_options(qn_pass_context *pc) {
  assert_string_equal(pc->options[0], "7");
  assert_string_equal(pc->options[1], "even");
  return run_count(pc);
}
static qn_status run_fail(qn_pass_context *pc) {
  journal_of(pc)->calls++;
  return QN_UNSUPPORTED;
}
/* Builds an op that the loops stage does not allow. */
static qn_status run_wrong_stage(qn_pass_context *pc) {
  qn_builder b = qn_builder_at_end(pc->module, qn_op_body(pc->module->op), pc->module->op->loc);
  const qn_type *i8 = qn_type_i(pc->cx, 8);
  const qn_type *tensor = qn_type_tensor(pc->cx, i8, 1, (const int64_t[]){1});
  const qn_attr *value = qn_attr_dense(pc->cx, tensor, (qn_bytes){(const uint8_t *)"\1", 1}, false);
  qn_build_1(&b, QN_OP_ML_CONST, tensor, NULL, 0, QN_ATTRS({"value", value}));
  journal_of(pc)->calls++;
  return QN_OK;
}

static const qn_option_spec option_specs[] = {{"limit", QN_OPTION_I64, "7", "a number"},
                                              {"rounding", QN_OPTION_STRING, "even", "a word"},
                                              {0}};
static const qn_pass count_pass = {.name = "count", .summary = "counts", .run = run_count};
static const qn_pass options_pass = {
    .name = "options", .summary = "reads options", .options = option_specs, .run = run_options};
static const qn_pass fail_pass = {.name = "fail", .summary = "fails", .run = run_fail};
static const qn_pass wrong_stage_pass = {.name = "wrong-stage",
                                         .summary = "breaks its promise",
                                         .sets_stage = true,
                                         .stage = QN_STAGE_LOOPS,
                                         .run = run_wrong_stage};

typedef struct fixture {
  qn_ir_context cx;
  qn_module *module;
  journal j;
  char last_error[200];
} fixture;

static void record(void *user, const qn_diag *diag) {
  fixture *f = user;
  if (diag->severity == QN_ERROR)
    snprintf(f->last_error, sizeof f->last_error, "%.*s", QN_STR_ARG(diag->text));
}

static void setup(fixture *f) {
  *f = (fixture){0};
  qn_ir_context_init(&f->cx);
  f->cx.diag.handler = record;
  f->cx.diag.user = f;
  f->module = qn_module_create(&f->cx, f->cx.diag.unknown);
}
static void teardown(fixture *f) {
  qn_module_destroy(f->module);
  qn_ir_context_deinit(&f->cx);
}

static void passes_run_in_order(void **state) {
  (void)state;
  fixture f;
  setup(&f);
  const qn_pass *passes[] = {&count_pass, &options_pass, &count_pass};
  qn_pipeline_options options = {.config = &f.j, .verify_each = true};
  assert_int_equal(qn_pipeline_run(f.module, passes, 3, &options), QN_OK);
  assert_int_equal(f.j.calls, 3);
  teardown(&f);
}

static void the_first_failure_stops_the_pipeline(void **state) {
  (void)state;
  fixture f;
  setup(&f);
  const qn_pass *passes[] = {&count_pass, &fail_pass, &count_pass};
  qn_pipeline_options options = {.config = &f.j};
  assert_int_equal(qn_pipeline_run(f.module, passes, 3, &options), QN_UNSUPPORTED);
  assert_int_equal(f.j.calls, 2);
  teardown(&f);
}

static void a_lowering_is_checked_at_its_stage(void **state) {
  (void)state;
  fixture f;
  setup(&f);
  const qn_pass *passes[] = {&wrong_stage_pass, &count_pass};
  qn_pipeline_options options = {.config = &f.j};
  assert_int_equal(qn_pipeline_run(f.module, passes, 2, &options), QN_INTERNAL);
  assert_int_equal(f.j.calls, 1);
  assert_string_equal(f.last_error, "the module is not valid after pass 'wrong-stage'");
  teardown(&f);
}

static void an_empty_pipeline_is_fine(void **state) {
  (void)state;
  fixture f;
  setup(&f);
  assert_int_equal(qn_pipeline_run(f.module, NULL, 0, NULL), QN_OK);
  teardown(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(passes_run_in_order),
      cmocka_unit_test(the_first_failure_stops_the_pipeline),
      cmocka_unit_test(a_lowering_is_checked_at_its_stage),
      cmocka_unit_test(an_empty_pipeline_is_fine),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
