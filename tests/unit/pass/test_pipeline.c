/* The registry of passes, and pipelines from text: nesting, options, required passes, and errors
 * with their positions. Which passes run on which ops, how often, and when they are skipped.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/spelling.h"
#include "ir/builder.h"
#include "pass/manager.h"
#include "text/text.h"

typedef struct fixture {
  qn_ir_context cx;
  qn_registry registry;
  qn_text errors, ran; /* one line per error; name@symbol for each run */
} fixture;

/* ---- passes that record their runs; config is the fixture ---- */

static qn_status run_note(qn_pass_context *pc) {
  fixture *f = (fixture *)(uintptr_t)pc->config;
  qn_str symbol = qn_op_sym_name(pc->root);
  qn_text_format(&f->ran, "%s@%.*s ", pc->pass->name, QN_STR_ARG(symbol));
  return QN_OK;
}

/* Numbers the op as told, and reports the change, or does not. */
static qn_status run_number(qn_pass_context *pc) {
  if (!qn_str_is(qn_op_sym_name(pc->root), qn_pass_string(pc, "on"))) return QN_OK;
  qn_op_set_attr(pc->module, pc->root, "number", qn_attr_i64(pc->cx, qn_pass_i64(pc, "number")));
  pc->changed = qn_pass_bool(pc, "says");
  return QN_OK;
}

static const qn_option_spec number_specs[] = {{"on", QN_OPTION_STRING, "", "a symbol"},
                                              {"number", QN_OPTION_I64, "1", "what it gets"},
                                              {"says", QN_OPTION_BOOL, "true", "claims the change"},
                                              {0}};
static const qn_option_spec specs[] = {{"limit", QN_OPTION_I64, "7", "a number"},
                                       {"rounding", QN_OPTION_CHOICE, "even|away|floor", "a word"},
                                       {"strict", QN_OPTION_BOOL, "false", "a switch"},
                                       {"text", QN_OPTION_STRING, "", "anything"},
                                       {0}};
static const char *const needs_func[] = {"on-func", NULL};
static const char *const needs_module[] = {"on-module", NULL};
static const char *const needs_both[] = {"on-module", "needs-func", NULL};
static const char *const needs_high[] = {"high", NULL};
static const char *const needs_c[] = {"cycle-c", NULL};
static const char *const needs_b[] = {"cycle-b", NULL};
static const char *const needs_self[] = {"itself", NULL};
static const char *const needs_none[] = {"nowhere", NULL};

static const qn_pass records[] = {
    {.name = "on-module", .summary = "", .anchor = QN_ON_MODULE, .run = run_note},
    {.name = "on-func", .summary = "", .anchor = QN_ON_FUNC, .run = run_note},
    {.name = "on-any", .summary = "", .anchor = QN_ON_ANY, .options = specs, .run = run_note},
    {.name = "needs-func",
     .summary = "",
     .anchor = QN_ON_MODULE,
     .required = needs_func,
     .run = run_note},
    {.name = "needs-module",
     .summary = "",
     .anchor = QN_ON_FUNC,
     .required = needs_module,
     .opt_level = 3,
     .run = run_note},
    {.name = "needs-both",
     .summary = "",
     .anchor = QN_ON_ANY,
     .required = needs_both,
     .run = run_note},
    {.name = "high", .summary = "", .anchor = QN_ON_MODULE, .opt_level = 3, .run = run_note},
    {.name = "needs-high",
     .summary = "",
     .anchor = QN_ON_FUNC,
     .required = needs_high,
     .opt_level = 1,
     .run = run_note},
    {.name = "number",
     .summary = "",
     .anchor = QN_ON_ANY,
     .options = number_specs,
     .run = run_number},
    {.name = "watcher", .summary = "", .anchor = QN_ON_MODULE, .observes = true, .run = run_note},
    {.name = "both", .summary = "", .anchor = QN_ON_ANY, .pipeline = "on-func, on-module"},
    {.name = "four", .summary = "", .anchor = QN_ON_ANY, .opt_level = 2, .pipeline = "both,both"},
    {.name = "with-required",
     .summary = "",
     .anchor = QN_ON_ANY,
     .required = needs_high,
     .pipeline = "builtin.module(on-any)"},
    {.name = "cycle-b", .summary = "", .required = needs_c, .run = run_note},
    {.name = "cycle-c", .summary = "", .required = needs_b, .run = run_note},
    {.name = "itself", .summary = "", .required = needs_self, .run = run_note},
    {.name = "dangling", .summary = "", .required = needs_none, .run = run_note},
};

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
  for (size_t i = 0; i < QN_COUNT(records); i++)
    assert_true(qn_registry_add(&f.registry, &records[i]));
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_registry_deinit(&f->registry);
  qn_text_deinit(&f->errors);
  qn_text_deinit(&f->ran);
  qn_ir_context_deinit(&f->cx);
  return 0;
}

static qn_pipeline *parse(fixture *f, const char *text) {
  qn_pipeline *pipeline = NULL;
  qn_text_clear(&f->errors);
  qn_status status =
      qn_pipeline_parse_text(&f->cx, &f->registry, qn_str_of(text), qn_str_of("test"), &pipeline);
  assert_int_equal(status == QN_OK, pipeline != NULL);
  return pipeline;
}

/* Compares the printed form of a text, and reads it back. */
static void check_printed(fixture *f, const char *text, const char *expected) {
  qn_pipeline *pipeline = parse(f, text);
  qn_text printed = {0}, again = {0};
  assert_non_null(pipeline);
  qn_pipeline_print_text(pipeline, &printed);
  assert_string_equal(printed.data, expected);
  qn_pipeline_destroy(pipeline);
  pipeline = parse(f, printed.data);
  assert_non_null(pipeline);
  qn_pipeline_print_text(pipeline, &again);
  assert_string_equal(again.data, expected);
  qn_pipeline_destroy(pipeline);
  qn_text_deinit(&printed);
  qn_text_deinit(&again);
}

static void check_errors(fixture *f, const char *text, const char *expected) {
  assert_null(parse(f, text));
  assert_string_equal(f->errors.data, expected);
}

/* ---- the registry ---- */

static void names_are_found_once_and_suggested(void **state) {
  fixture *f = *state;
  assert_ptr_equal(qn_registry_find(&f->registry, qn_str_of("on-any")), &records[2]);
  assert_null(qn_registry_find(&f->registry, qn_str_of("on-an")));
  assert_ptr_equal(qn_registry_find(&f->registry, qn_str_of("on_any")), &records[2]);
  assert_ptr_equal(qn_registry_find(&f->registry, qn_str_of("common::on_any")), &records[2]);
  assert_null(qn_registry_find(&f->registry, qn_str_of("common::")));
  assert_null(qn_registry_find(&f->registry, qn_str_of("on:any")));
  assert_false(qn_registry_add(&f->registry, &records[0]));
  assert_string_equal(qn_registry_near(&f->registry, qn_str_of("on-modul")), "on-module");
  assert_string_equal(qn_registry_near(&f->registry, qn_str_of("no-func")), "on-func");
  assert_null(qn_registry_near(&f->registry, qn_str_of("something-else")));
  assert_null(qn_registry_near(&f->registry, qn_str_of("")));
  char name[500];
  memset(name, 'x', sizeof name);
  assert_null(qn_registry_near(&f->registry, (qn_str){name, sizeof name}));
  assert_int_equal(qn_name_distance(qn_str_of("abcd"), qn_str_of("abcd")), 0);
  assert_int_equal(qn_name_distance(qn_str_of("abcd"), qn_str_of("abd")), 1);
}

/* ---- reading and printing ---- */

static void a_list_is_nested_by_itself(void **state) {
  fixture *f = *state;
  check_printed(f, "", "builtin.module()");
  check_printed(f, " on-func , on-func,on-module,on-func",
                "builtin.module(func.func(on-func,on-func),on-module,func.func(on-func))");
  check_printed(f, "on-any,func.func(on-any)", "builtin.module(on-any,func.func(on-any))");
  check_printed(f, "builtin.module(on-module),on-module",
                "builtin.module(builtin.module(on-module),on-module)");
}

static void an_anchored_pipeline_is_taken_as_written(void **state) {
  fixture *f = *state;
  check_printed(f, "builtin.module ( func.func( on-func,\n on-any ) , on-module )",
                "builtin.module(func.func(on-func,on-any),on-module)");
  check_printed(f, "any(on-any,func.func())", "any(on-any,func.func())");
}

static void options_are_read_in_every_spelling(void **state) {
  fixture *f = *state;
  check_printed(f, "on-any{}", "builtin.module(on-any)");
  check_printed(f, "on-any{limit=7 rounding=even strict=false}", "builtin.module(on-any)");
  check_printed(f, "on-any{ rounding=away strict limit=-0x10 }",
                "builtin.module(on-any{limit=-0x10 rounding=away strict=true})");
  check_printed(f, "on-any{text='a b' strict=true}",
                "builtin.module(on-any{strict=true text=\"a b\"})");
  check_printed(f, "on-any{text={a {b} c}},on-module",
                "builtin.module(on-any{text=\"a {b} c\"},on-module)");
}

static void required_passes_come_before_and_once(void **state) {
  fixture *f = *state;
  check_printed(f, "needs-func", "builtin.module(func.func(on-func),needs-func)");
  check_printed(f, "on-func,needs-func,needs-func",
                "builtin.module(func.func(on-func),needs-func,needs-func)");
  check_printed(f, "builtin.module(func.func(on-any,needs-module,needs-module))",
                "builtin.module(on-module,func.func(on-any,needs-module,needs-module))");
  check_printed(f, "needs-both",
                "builtin.module(on-module,func.func(on-func),needs-func,needs-both)");
}

static void every_error_has_its_place(void **state) {
  fixture *f = *state;
  check_errors(f, "on-fun,what,on-module",
               "1:1 'on-fun' does not refer to a registered pass; did you mean 'on-func'?\n"
               "1:8 'what' does not refer to a registered pass\n");
  check_errors(f, "builtin.module(on-func,\n  func.func(on-module))",
               "1:16 can't run pass 'on-func', restricted to 'func.func', in a pipeline on "
               "'builtin.module'; nest it: func.func(on-func)\n"
               "2:13 can't run pass 'on-module', restricted to 'builtin.module', in a pipeline on "
               "'func.func'\n");
  check_errors(
      f, "any(on-module)",
      "1:5 can't run pass 'on-module', restricted to 'builtin.module', in a pipeline on 'any'\n");
  check_errors(f, "on-any{size=1 limit=x limit=1 rounding=up strict=1 text}",
               "1:8 pass 'on-any' has no option 'size'; it has limit, rounding, strict, text\n"
               "1:21 option 'limit' of pass 'on-any' takes an integer, not 'x'\n"
               "1:23 option 'limit' is given twice\n"
               "1:40 option 'rounding' of pass 'on-any' takes one of even|away|floor, not 'up'\n"
               "1:50 option 'strict' of pass 'on-any' takes true or false, not '1'\n"
               "1:52 option 'text' needs a value\n");
  check_errors(
      f, "on-any{limit=99999999999999999999}",
      "1:14 option 'limit' of pass 'on-any' takes an integer, not '99999999999999999999'\n");
  check_errors(f, "on-any{", "1:7 expected '}' at the end of the options\n");
  check_errors(
      f, "on-any{text=\"x}",
      "1:13 expected the quote to be closed\n1:7 expected '}' at the end of the options\n");
  check_errors(f, "on-any{=1}",
               "1:8 expected the name of an option\n1:9 pass 'on-any' has no option '1'; it has "
               "limit, rounding, strict, text\n");
  check_errors(f, "func.func(on-func", "1:10 expected ')' at the end of the pipeline\n");
  check_errors(f, "on-any)",
               "1:7 unexpected text after the pipeline; is there one ')' too many?\n");
  check_errors(f, "on-any on-any", "1:8 expected ',' between passes\n");
  check_errors(f, "on-any,,on-any", "1:8 expected the name of a pass\n");
  check_errors(f, "arith.addi(on-any)",
               "1:1 can't run a pipeline on 'arith.addi': its regions use values from outside\n");
}

static void passes_that_require_each_other_are_an_error(void **state) {
  fixture *f = *state;
  check_errors(f, "cycle-b", "1:1 passes require each other: cycle-b <- cycle-c <- cycle-b\n");
  check_errors(f, "itself", "1:1 passes require each other: itself <- itself\n");
  check_errors(f, "on-any,dangling",
               "1:8 pass 'dangling' requires 'nowhere', which does not exist\n");
}

static void no_text_is_too_much(void **state) {
  fixture *f = *state;
  char text[20000];
  memset(text, '(', sizeof text);
  text[sizeof text - 1] = '\0';
  assert_null(parse(f, text));
  for (size_t i = 0; i + 4 < sizeof text; i += 4) memcpy(text + i, "any(", 4);
  assert_null(parse(f, text));
  memset(text, '{', sizeof text - 1);
  memcpy(text, "on-any", 6);
  assert_null(parse(f, text));
}

/* ---- running ---- */

static void check_ran(fixture *f, const char *text, qn_run_settings settings,
                      const char *expected) {
  static const char source[] = "func.func @a() { return }\n"
                               "module @inner { func.func @b() { return } }\n"
                               "func.func @c() { return }\n";
  qn_module *module;
  assert_int_equal(qn_text_parse(&f->cx, qn_str_of(source), qn_str_of("m"), &module), QN_OK);
  qn_pipeline *pipeline = parse(f, text);
  assert_non_null(pipeline);
  qn_text_clear(&f->ran);
  qn_text_puts(&f->ran, "");
  settings.config = f;
  assert_int_equal(qn_pipeline_execute(module, pipeline, &settings), QN_OK);
  assert_string_equal(f->ran.data, expected);
  qn_pipeline_destroy(pipeline);
  qn_module_destroy(module);
}

static void passes_run_on_their_ops(void **state) {
  fixture *f = *state;
  const qn_run_settings plain = QN_RUN_SETTINGS_INIT;
  check_ran(f, "on-func,on-module", plain, "on-func@a on-func@c on-module@ ");
  check_ran(f, "builtin.module(func.func(on-any))", plain, "on-any@a on-any@c ");
  check_ran(f, "builtin.module(builtin.module(func.func(on-any),on-module))", plain,
            "on-any@b on-module@inner ");
  check_ran(f, "any(any(on-any))", plain, "on-any@a on-any@inner on-any@c ");
}

static void levels_and_lists_choose_passes(void **state) {
  fixture *f = *state;
  qn_run_settings low = QN_RUN_SETTINGS_INIT, off = low, forced = low;
  low.opt_level = 2;
  forced.opt_level = 2;
  forced.required = "on-any,needs-module";
  off.disabled = "on-func,on-any";
  check_ran(f, "needs-module,on-any", low, "on-any@ ");
  check_ran(f, "needs-module", forced, "on-module@ needs-module@a needs-module@c ");
  check_ran(f, "on-func,on-module,on-any", off, "on-module@ ");
}

static void what_is_required_runs_at_every_level(void **state) {
  fixture *f = *state;
  qn_run_settings low = QN_RUN_SETTINGS_INIT, lowest = low, off = low;
  low.opt_level = 1;
  lowest.opt_level = 0;
  off.opt_level = 1;
  off.disabled = "needs-high";
  const char *const both = "high@ needs-high@a needs-high@c ";
  check_ran(f, "needs-high", low, both);
  check_ran(f, "high,needs-high", low, both);
  check_ran(f, "needs-high,high", low, both); /* no pass requires the second */
  check_ran(f, "needs-high", lowest, "");
  check_ran(f, "high,needs-high", lowest, "");
  check_ran(f, "needs-high", off, "");
  check_ran(f, "with-required", lowest, "high@ on-any@ ");
}

static void what_is_required_can_not_be_disabled_alone(void **state) {
  fixture *f = *state;
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  settings.disabled = "high";
  qn_module *module = qn_module_create(&f->cx, f->cx.diag.unknown);
  qn_pipeline *pipeline = parse(f, "on-any,needs-high");
  settings.config = f;
  assert_int_equal(qn_pipeline_execute(module, pipeline, &settings), QN_INVALID);
  assert_string_equal(f->errors.data,
                      "1:8 pass 'high' is disabled, but 'needs-high', which runs, requires it\n");
  assert_int_equal(f->ran.size, 0);
  qn_pipeline_destroy(pipeline);
  qn_module_destroy(module);
  settings.disabled = "all";
  check_ran(f, "needs-high", settings, "");
}

static void a_name_stands_for_a_pipeline(void **state) {
  fixture *f = *state;
  const qn_run_settings plain = QN_RUN_SETTINGS_INIT;
  qn_run_settings low = plain, off = plain;
  low.opt_level = 1;
  off.disabled = "both";
  check_printed(f, "on-any,both", "builtin.module(on-any,func.func(on-func),on-module)");
  check_printed(f, "with-required", "builtin.module(high,on-any)");
  check_ran(f, "both", plain, "on-func@a on-func@c on-module@ ");
  check_ran(f, "four,on-any", low, "on-any@ ");
  check_ran(f, "four,on-any", off, "on-any@ ");
  check_errors(f, "func.func(both)",
               "1:10 can't run pass 'on-module', restricted to 'builtin.module', in a pipeline on "
               "'func.func'\n");
  check_errors(f, "both{a=b},what",
               "1:1 'both' is the name of a pipeline and takes no options\n"
               "1:11 'what' does not refer to a registered pass\n");
}

static void names_of_names_are_limited(void **state) {
  fixture *f = *state;
  enum { LEVELS = 40 };
  static char names[LEVELS][8], texts[LEVELS][24];
  static qn_pass passes[LEVELS];
  for (int i = 0; i < LEVELS; i++) {
    snprintf(names[i], sizeof names[i], "n%d", i);
    if (i > 0) snprintf(texts[i], sizeof texts[i], "n%d,n%d", i - 1, i - 1);
    passes[i] =
        (qn_pass){.name = names[i], .summary = "", .anchor = QN_ON_ANY, .pipeline = texts[i]};
    assert_true(qn_registry_add(&f->registry, &passes[i]));
  }
  assert_null(parse(f, "n39"));
  assert_non_null(strstr(f->errors.data, "expand to more than 65536 passes"));
  assert_null(strchr(strchr(f->errors.data, '\n') + 1, '\n'));
}

static void a_pass_that_observes_is_never_skipped(void **state) {
  fixture *f = *state;
  const qn_run_settings plain = QN_RUN_SETTINGS_INIT;
  check_ran(f, "watcher,on-any,watcher,on-any", plain, "watcher@ on-any@ watcher@ ");
}

static void a_pass_that_changed_nothing_is_skipped(void **state) {
  fixture *f = *state;
  const qn_run_settings plain = QN_RUN_SETTINGS_INIT;
  check_ran(f, "on-any,on-any,on-any{limit=1}", plain, "on-any@ on-any@ ");
}

static void a_change_at_the_op_above_it_or_inside_ends_skipping(void **state) {
  fixture *f = *state;
  const qn_run_settings plain = QN_RUN_SETTINGS_INIT;
  check_ran(f, "on-func,func.func(number{on=c}),on-func", plain, "on-func@a on-func@c on-func@c ");
  check_ran(f, "on-func,any(any(number{on=b})),on-func", plain, "on-func@a on-func@c ");
  check_ran(f, "on-func,number,on-func", plain, "on-func@a on-func@c on-func@a on-func@c ");
  check_ran(f, "on-module,func.func(number{on=a}),on-module", plain, "on-module@ on-module@ ");
  check_ran(f, "on-module,func.func(number{on=none}),on-module", plain, "on-module@ ");
}

static void look(void *user, const qn_pass_event *event, qn_status status, bool changed) {
  (void)user, (void)event, (void)status, (void)changed;
}
static void an_unclaimed_change_is_a_defect(void **state) {
  fixture *f = *state;
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  qn_module *module;
  settings.after = look;
  assert_int_equal(
      qn_text_parse(&f->cx, qn_str_of("func.func @a() { return }"), qn_str_of("m"), &module),
      QN_OK);
  qn_pipeline *pipeline = parse(f, "func.func(number{on=a says=false})");
  assert_int_equal(qn_pipeline_execute(module, pipeline, &settings), QN_INTERNAL);
  assert_non_null(strstr(f->errors.data, "pass 'number' changes something and does not say so"));
  qn_pipeline_destroy(pipeline);
  qn_module_destroy(module);
}

static void a_limit_stops_runs(void **state) {
  fixture *f = *state;
  qn_run_settings settings = QN_RUN_SETTINGS_INIT;
  settings.bisect_limit = 1;
  check_ran(f, "on-func,on-module", settings, "on-func@a ");
  settings.bisect_limit = 0;
  check_ran(f, "on-func,on-module", settings, "");
  settings.bisect_limit = -1;
  check_ran(f, "on-func,on-module", settings, "on-func@a on-func@c on-module@ ");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(names_are_found_once_and_suggested),
      TEST(a_list_is_nested_by_itself),
      TEST(an_anchored_pipeline_is_taken_as_written),
      TEST(options_are_read_in_every_spelling),
      TEST(required_passes_come_before_and_once),
      TEST(every_error_has_its_place),
      TEST(passes_that_require_each_other_are_an_error),
      TEST(no_text_is_too_much),
      TEST(passes_run_on_their_ops),
      TEST(levels_and_lists_choose_passes),
      TEST(what_is_required_runs_at_every_level),
      TEST(what_is_required_can_not_be_disabled_alone),
      TEST(a_name_stands_for_a_pipeline),
      TEST(names_of_names_are_limited),
      TEST(a_pass_that_observes_is_never_skipped),
      TEST(a_pass_that_changed_nothing_is_skipped),
      TEST(a_change_at_the_op_above_it_or_inside_ends_skipping),
      TEST(an_unclaimed_change_is_a_defect),
      TEST(a_limit_stops_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
