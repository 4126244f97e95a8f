/* Passes whose functions are callbacks of the program, and pipelines run through the public API
 * only.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <quern/quern.h>

typedef struct fixture {
  qn_context *context;
  qn_model *model;
  char messages[2000];
  char dumps[4000];
  int runs;
  const char *becomes; /* text by which the callback replaces the module, or NULL */
} fixture;

static void take_message(void *user, int severity, const char *message) {
  fixture *f = user;
  size_t used = strlen(f->messages);
  snprintf(f->messages + used, sizeof f->messages - used, "%d %s\n", severity, message);
}

static void take_dump(void *user, const char *text, size_t size) {
  fixture *f = user;
  strncat(f->dumps, text, size < 1000 ? size : 1000);
}

static qn_status run(const qn_pass_api *api, qn_pass_run *pass, void *user) {
  fixture *f = user;
  assert_int_equal(api->version, QN_PASS_API_VERSION);
  f->runs++;
  qn_str pretty = api->text(pass, 0);
  assert_non_null(memmem(pretty.data, pretty.size, "func.func @f()", 14));
  qn_str generic = api->text(pass, 1);
  assert_non_null(memmem(generic.data, generic.size, "\"func.func\"()", 13));
  assert_null(api->option(pass, "absent"));
  if (strcmp(api->option(pass, "mode"), "fail") == 0) return QN_UNSUPPORTED;
  api->report(pass, QN_MESSAGE_WARNING, api->option(pass, "text"));
  if (!f->becomes) return QN_OK;
  return api->replace(pass, (qn_str){f->becomes, strlen(f->becomes)});
}

static const qn_user_option options[] = {{"mode", "work|fail", NULL, "what it does"},
                                         {"text", "string", "hello", "what it says"}};

static qn_user_pass user_pass(fixture *f) {
  return (qn_user_pass){.size = sizeof(qn_user_pass),
                        .name = "mine",
                        .summary = "a callback",
                        .options = options,
                        .option_count = 2,
                        .run = run,
                        .user = f};
}

static int setup(void **state) {
  static const char text[] = "func.func @f() { return }";
  static fixture f;
  f = (fixture){.context = qn_context_create()};
  qn_context_set_handler(f.context, take_message, &f);
  qn_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
  assert_int_equal(qn_model_load_memory(f.context, bytes, "m", NULL, &f.model), QN_OK);
  qn_user_pass pass = user_pass(&f);
  assert_int_equal(qn_pass_register(f.context, &pass), QN_OK);
  *state = &f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  qn_model_destroy(f->model);
  qn_context_destroy(f->context);
  return 0;
}

static void check_text(const fixture *f, const char *expected) {
  char *text;
  size_t size;
  assert_int_equal(qn_model_print(f->model, NULL, &text, &size), QN_OK);
  assert_string_equal(text, expected);
  qn_free(text);
}

static void a_callback_is_a_pass(void **state) {
  fixture *f = *state;
  f->becomes = "func.func private @other()";
  assert_int_equal(qn_model_run_pipeline(f->model, "cse,mine{text=moin}", NULL), QN_OK);
  assert_int_equal(f->runs, 1);
  assert_string_equal(f->messages, "1 m: warning: moin\n");
  check_text(f, "module {\n  func.func private @other()\n}\n");
  qn_pass_name last = qn_pass_at(f->context, qn_pass_count(f->context) - 1);
  assert_string_equal(last.name, "mine");
  assert_string_equal(last.summary, "a callback");
}

static void a_callback_does_not_run_on_inner_modules(void **state) {
  fixture *f = *state;
  qn_model *outer;
  static const char text[] = "module @inner {}\nfunc.func @f() { return }";
  qn_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
  assert_int_equal(qn_model_load_memory(f->context, bytes, "outer", NULL, &outer), QN_OK);
  assert_int_equal(qn_model_run_pipeline(outer, "builtin.module(builtin.module(mine))", NULL),
                   QN_UNSUPPORTED);
  assert_non_null(strstr(f->messages, "pass 'mine' runs on the top-level module only"));
  assert_int_equal(f->runs, 0);
  qn_model_destroy(outer);
}

static void a_failed_callback_fails_the_pipeline(void **state) {
  fixture *f = *state;
  assert_int_equal(qn_model_run_pipeline(f->model, "mine{mode=fail},mine", NULL), QN_UNSUPPORTED);
  assert_int_equal(f->runs, 1);
  assert_string_equal(f->messages, "0 m: error: pass 'mine' failed\n");
}

static void text_that_does_not_read_leaves_the_module(void **state) {
  fixture *f = *state;
  f->becomes = "func.func @";
  assert_int_equal(qn_model_run_pipeline(f->model, "mine", NULL), QN_INVALID);
  assert_non_null(strstr(f->messages, "0 mine:1:"));
  check_text(f, "module {\n  func.func @f() {\n    return\n  }\n}\n");
}

static void a_module_that_does_not_verify_is_the_passes_fault(void **state) {
  fixture *f = *state;
  f->becomes = "func.func @f() -> i32 { return }";
  assert_int_equal(qn_model_run_pipeline(f->model, "mine", NULL), QN_INTERNAL);
  assert_non_null(strstr(f->messages, "the module is not valid after pass 'mine'"));
}

static void a_round_trip_after_each_pass_changes_nothing(void **state) {
  fixture *f = *state;
  qn_run_options run_options = QN_RUN_OPTIONS_INIT;
  run_options.stress_roundtrip = 1;
  run_options.print_after = "all";
  run_options.write = take_dump;
  run_options.user = f;
  assert_int_equal(qn_model_run_pipeline(f->model, "mine,func.func(cse)", &run_options), QN_OK);
  assert_string_equal(f->dumps, "// -----// IR Dump After Mine (mine) //----- //\n"
                                "module {\n  func.func @f() {\n    return\n  }\n}\n\n"
                                "// -----// IR Dump After CSE (cse) //----- //\n"
                                "func.func @f() {\n  return\n}\n\n");
}

static void records_that_make_no_sense_are_refused(void **state) {
  fixture *f = *state;
  static const qn_user_option unnamed[] = {{NULL, "bool", "true", ""}};
  static const qn_user_option no_bool[] = {{"on", "bool", "perhaps", ""}};
  static const qn_user_option no_kind[] = {{"on", "int", "1", ""}};
  static const qn_user_option twice[] = {{"on", "bool", "true", ""}, {"on", "integer", "1", ""}};
  qn_user_pass pass = user_pass(f);
  assert_int_equal(qn_pass_register(f->context, &pass), QN_INVALID);
  assert_non_null(strstr(f->messages, "there is a pass 'mine' already"));
  static const char *const names[] = {NULL, "", "My-Pass", "-x", "a b", "a{b}"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    pass.name = names[i];
    assert_int_equal(qn_pass_register(f->context, &pass), QN_INVALID);
  }
  pass.name = "new";
  pass.run = NULL;
  assert_int_equal(qn_pass_register(f->context, &pass), QN_INVALID);
  pass.run = run;
  pass.option_count = 1;
  pass.options = unnamed;
  assert_int_equal(qn_pass_register(f->context, &pass), QN_INVALID);
  pass.options = no_bool;
  assert_int_equal(qn_pass_register(f->context, &pass), QN_INVALID);
  pass.options = no_kind;
  assert_int_equal(qn_pass_register(f->context, &pass), QN_INVALID);
  assert_non_null(strstr(f->messages, "option 'on' is no bool, integer, string or choice"));
  pass.option_count = 2;
  pass.options = twice;
  assert_int_equal(qn_pass_register(f->context, &pass), QN_INVALID);
  assert_non_null(strstr(f->messages, "option 'on' is declared twice"));
  pass.option_count = 0;
  assert_int_equal(qn_pass_register(f->context, &pass), QN_OK);
}

static void a_pipeline_runs_on_many_models(void **state) {
  fixture *f = *state;
  qn_pipeline *pipeline;
  char *text;
  size_t size;
  assert_int_equal(qn_pipeline_parse(f->context, "cse,mine{text='a b'}", &pipeline), QN_OK);
  assert_int_equal(qn_pipeline_print(pipeline, &text, &size), QN_OK);
  assert_string_equal(text, "builtin.module(cse,mine{text=\"a b\"})");
  assert_int_equal(size, strlen(text));
  qn_free(text);
  for (int i = 0; i < 3; i++) assert_int_equal(qn_model_run(f->model, pipeline, NULL), QN_OK);
  assert_int_equal(f->runs, 3);
  qn_pipeline_destroy(pipeline);
  qn_pipeline_destroy(NULL);
  assert_int_equal(qn_pipeline_parse(f->context, "my", &pipeline), QN_INVALID);
}

static void the_options_of_an_older_caller_are_shorter(void **state) {
  fixture *f = *state;
  qn_run_options old = QN_RUN_OPTIONS_INIT;
  old.size = offsetof(qn_run_options, opt_level);
  old.disabled = "mine"; /* beyond the size that the caller states */
  assert_int_equal(qn_model_run_pipeline(f->model, "mine", &old), QN_OK);
  assert_int_equal(f->runs, 1);
}

/* ---- named pipelines, values, keys ---- */

static void a_pipeline_has_a_name(void **state) {
  fixture *f = *state;
  char *text;
  size_t size;
  qn_pipeline *pipeline;
  qn_user_pass named = {.size = sizeof named,
                        .name = "mine-twice",
                        .summary = "two of it",
                        .pipeline = "mine,cse,mine{text=moin}"};
  assert_int_equal(qn_pass_register(f->context, &named), QN_OK);
  assert_int_equal(qn_pass_register(f->context, &named), QN_INVALID);
  assert_int_equal(qn_model_run_pipeline(f->model, "mine-twice", NULL), QN_OK);
  assert_int_equal(f->runs, 2);
  assert_int_equal(qn_pipeline_parse(f->context, "mine-twice", &pipeline), QN_OK);
  assert_int_equal(qn_pipeline_print(pipeline, &text, &size), QN_OK);
  assert_string_equal(text, "builtin.module(mine,cse,mine{text=moin})");
  qn_free(text);
  qn_pipeline_destroy(pipeline);
  qn_user_pass wrong[] = {
      {.size = sizeof named, .name = "wrong", .summary = "", .pipeline = "cse,"},
      {.size = sizeof named, .name = "wrong", .summary = "", .pipeline = "wrong"},
      {.size = sizeof named, .name = "wrong", .summary = "", .pipeline = "cse", .run = run},
      {.size = sizeof named,
       .name = "wrong",
       .summary = "",
       .pipeline = "cse",
       .options = options,
       .option_count = 2}};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_int_equal(qn_pass_register(f->context, &wrong[i]), QN_INVALID);
}

static void an_option_is_set_to_what_its_pass_takes(void **state) {
  fixture *f = *state;
  qn_pipeline *pipeline;
  char *text;
  size_t size;
  assert_int_equal(qn_pipeline_parse(f->context, "cse,mine,mine{mode=fail}", &pipeline), QN_OK);
  assert_int_equal(qn_pipeline_set_option(pipeline, "mode", "perhaps"), QN_INVALID);
  assert_non_null(strstr(f->messages, "option 'mode' of pass 'mine' takes one of work|fail"));
  assert_int_equal(qn_pipeline_set_option(pipeline, "mode", "work"), QN_OK);
  assert_int_equal(qn_pipeline_set_option(pipeline, "of-no-pass", "perhaps"), QN_OK);
  assert_int_equal(qn_pipeline_print(pipeline, &text, &size), QN_OK);
  assert_string_equal(text, "builtin.module(cse,mine,mine)");
  qn_free(text);
  qn_pipeline_destroy(pipeline);
  qn_run_options run_options = QN_RUN_OPTIONS_INIT;
  run_options.timing = 4;
  assert_int_equal(qn_run_options_check(f->context, &run_options), QN_INVALID);
}

static void the_default_of_a_choice_is_one_of_its_words(void **state) {
  fixture *f = *state;
  static const qn_user_option second[] = {{"mode", "fail|work", "work", ""},
                                          {"text", "string", "hello", ""}};
  static const qn_user_option neither[] = {{"mode", "fail|work", "rest", ""}};
  qn_user_pass pass = user_pass(f);
  pass.name = "second";
  pass.options = second;
  assert_int_equal(qn_pass_register(f->context, &pass), QN_OK);
  assert_int_equal(qn_model_run_pipeline(f->model, "second", NULL), QN_OK);
  assert_int_equal(f->runs, 1);
  pass.name = "neither";
  pass.options = neither;
  pass.option_count = 1;
  assert_int_equal(qn_pass_register(f->context, &pass), QN_INVALID);
  assert_non_null(strstr(f->messages, "default of option 'mode' is not one of fail|work"));
}

static qn_status run_config(const qn_pass_api *api, qn_pass_run *pass, void *user) {
  fixture *f = user;
  assert_null(api->config(pass, "cpu"));
  assert_null(api->config(pass, "absent"));
  snprintf(f->dumps, sizeof f->dumps, "%s %s", api->config(pass, "depth"),
           api->config(pass, "how"));
  return QN_OK;
}

static void keys_of_users_reach_their_passes(void **state) {
  fixture *f = *state;
  static const qn_user_option depth = {"depth", "integer", "3", "how deep"};
  static const qn_user_option how = {"how", "fast|slow", "slow", "how fast"};
  static const qn_user_option bad[] = {{"cpu", "string", "x", ""},
                                       {"depth", "bool", "true", ""},
                                       {"a b", "bool", "true", ""},
                                       {"n", "integer", "x", ""}};
  assert_int_equal(qn_config_key_register(f->context, &depth), QN_OK);
  assert_int_equal(qn_config_key_register(f->context, &how), QN_OK);
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_int_equal(qn_config_key_register(f->context, &bad[i]), QN_INVALID);
  qn_user_pass pass = {
      .size = sizeof pass, .name = "reads", .summary = "", .run = run_config, .user = f};
  assert_int_equal(qn_pass_register(f->context, &pass), QN_OK);
  qn_run_options run_options = QN_RUN_OPTIONS_INIT;
  assert_int_equal(qn_model_run_pipeline(f->model, "reads", &run_options), QN_OK);
  assert_string_equal(f->dumps, "3 slow");
  run_options.config = "how=fast,keep-tensors,depth=-4";
  assert_int_equal(qn_model_run_pipeline(f->model, "reads", &run_options), QN_OK);
  assert_string_equal(f->dumps, "-4 fast");
  run_options.config = "depth=deep";
  assert_int_equal(qn_model_run_pipeline(f->model, "reads", &run_options), QN_INVALID);
  run_options.config = "width=1";
  assert_int_equal(qn_model_run_pipeline(f->model, "reads", &run_options), QN_INVALID);
  assert_non_null(strstr(f->messages, "cpu, features, keep-tensors, depth or how"));
}

/* ---- instruments ---- */

typedef struct journal {
  char text[600];
  const char *veto; /* the pass to be skipped */
} journal;

static void note(void *user, const char *what, const char *more) {
  journal *j = user;
  size_t used = strlen(j->text);
  snprintf(j->text + used, sizeof j->text - used, "%s%s%s;", what, more[0] ? " " : "", more);
}
static void note_enter(void *user) { note(user, "enter", ""); }
static void note_leave(void *user, qn_status status) {
  note(user, "leave", qn_status_name(status));
}
static int may_run(void *user, const qn_pass_step *step) {
  const journal *j = user;
  return !j->veto || strcmp(j->veto, step->pass) != 0;
}
static void note_before(void *user, const qn_pass_step *step) {
  char *text;
  size_t size;
  note(user, "before", step->pass);
  assert_int_equal(qn_pass_step_print(step, NULL, &text, &size), QN_OK);
  assert_non_null(strstr(text, step->symbol));
  qn_free(text);
}
static void note_after(void *user, const qn_pass_step *step, qn_status status, int changed) {
  char *text;
  size_t size;
  note(user, status == QN_OK ? changed ? "changed" : "same" : "failed", step->pass);
  assert_int_equal(qn_pass_step_print(step, NULL, &text, &size), QN_OK);
  if (changed) assert_non_null(strstr(text, "@other"));
  qn_free(text);
}

static void instruments_watch_and_veto(void **state) {
  fixture *f = *state;
  journal all = {.veto = NULL}, some = {.veto = "cse"};
  const qn_instrument first = {sizeof first, note_enter, note_leave, may_run,
                               note_before,  note_after, &all};
  const qn_instrument second = {sizeof second, NULL, NULL, may_run, NULL, note_after, &some};
  const qn_instrument *const list[] = {&first, &second, NULL};
  qn_run_options run_options = QN_RUN_OPTIONS_INIT;
  run_options.instruments = list;
  f->becomes = "func.func @f() { return }\nfunc.func private @other()";
  assert_int_equal(
      qn_model_run_pipeline(f->model, "func.func(cse),mine,canonicalize", &run_options), QN_OK);
  assert_string_equal(all.text, "enter;before mine;changed mine;before canonicalize;"
                                "same canonicalize;leave ok;");
  assert_string_equal(some.text, "changed mine;same canonicalize;");
  all.text[0] = '\0';
  run_options.required = "cse"; /* should_run is not called for it */
  f->becomes = "func.func @";
  assert_int_equal(qn_model_run_pipeline(f->model, "cse,mine", &run_options), QN_INVALID);
  assert_string_equal(all.text, "enter;before cse;same cse;before mine;failed mine;"
                                "leave invalid input;");
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
  const struct CMUnitTest tests[] = {
      TEST(a_callback_is_a_pass),
      TEST(a_callback_does_not_run_on_inner_modules),
      TEST(a_failed_callback_fails_the_pipeline),
      TEST(text_that_does_not_read_leaves_the_module),
      TEST(a_module_that_does_not_verify_is_the_passes_fault),
      TEST(a_round_trip_after_each_pass_changes_nothing),
      TEST(records_that_make_no_sense_are_refused),
      TEST(a_pipeline_runs_on_many_models),
      TEST(a_pipeline_has_a_name),
      TEST(an_option_is_set_to_what_its_pass_takes),
      TEST(the_default_of_a_choice_is_one_of_its_words),
      TEST(keys_of_users_reach_their_passes),
      TEST(instruments_watch_and_veto),
      TEST(the_options_of_an_older_caller_are_shorter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
