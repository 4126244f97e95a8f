/* A plug-in for the tests, with passes that do their work, fail, and break the IR. Compiled again
 * with another version of the interface, and without a description.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <quern/plugin.h>
#include <stdlib.h>
#include <string.h>

#ifndef TEST_DESCRIPTION
#define TEST_DESCRIPTION &plugin
#endif
#ifndef TEST_API_VERSION
#define TEST_API_VERSION QN_PASS_API_VERSION
#endif

/* The module with every `from` become `to`; malloc'ed. */
static char *replaced(qn_str text, const char *from, const char *to, size_t *out_size) {
  char *out = malloc(text.size * (strlen(to) + 1) + 1);
  size_t size = 0;
  for (size_t i = 0; out && i < text.size;) {
    if (text.size - i >= strlen(from) && memcmp(text.data + i, from, strlen(from)) == 0) {
      memcpy(out + size, to, strlen(to));
      size += strlen(to);
      i += strlen(from);
    } else {
      out[size++] = text.data[i++];
    }
  }
  *out_size = size;
  return out;
}

static qn_status rewrite(const qn_pass_api *api, qn_pass_run *run, const char *from,
                         const char *to) {
  size_t size;
  char *text = replaced(api->text(run, 0), from, to, &size);
  qn_status status = text ? api->replace(run, (qn_str){text, size}) : QN_LIMIT;
  free(text);
  return status;
}

static qn_status run_rename(const qn_pass_api *api, qn_pass_run *run, void *user) {
  (void)user;
  api->report(run, QN_MESSAGE_REMARK, "renaming");
  return rewrite(api, run, api->option(run, "from"), api->option(run, "to"));
}

/* What it makes reads, but does not verify. */
static qn_status run_break(const qn_pass_api *api, qn_pass_run *run, void *user) {
  (void)user;
  return rewrite(api, run, "-> i32", "-> i64");
}

static qn_status run_fail(const qn_pass_api *api, qn_pass_run *run, void *user) {
  (void)user;
  api->report(run, QN_MESSAGE_ERROR, "this never works");
  return QN_UNSUPPORTED;
}

/* No status at all. */
static qn_status run_77(const qn_pass_api *api, qn_pass_run *run, void *user) {
  (void)api;
  (void)run;
  (void)user;
  return (qn_status)77;
}

/* An error, with a severity that there is or not, and QN_OK. */
static qn_status run_hide(const qn_pass_api *api, qn_pass_run *run, void *user) {
  (void)user;
  if (strcmp(api->option(run, "how"), "text") == 0) {
    (void)!api->replace(run, (qn_str){"garbage {{{", 11});
    return QN_OK;
  }
  api->report(run, strcmp(api->option(run, "how"), "odd") == 0 ? 9 : QN_MESSAGE_ERROR, "hidden");
  return QN_OK;
}

static qn_status run_config(const qn_pass_api *api, qn_pass_run *run, void *user) {
  (void)user;
  api->report(run, QN_MESSAGE_REMARK, api->config(run, "test-mode"));
  api->report(run, QN_MESSAGE_REMARK, api->config(run, "test-limit"));
  if (api->config(run, "cpu") || api->config(run, "absent")) return QN_INVALID;
  return QN_OK;
}

static qn_status run_abort(const qn_pass_api *api, qn_pass_run *run, void *user) {
  (void)api;
  (void)run;
  (void)user;
  abort();
}

static const qn_user_option rename_options[] = {{"from", "string", "@f", "what to replace"},
                                                {"to", "string", "@g", "by what"}};
static const qn_user_option hide_options[] = {
    {"how", "text|odd|plain", "plain", "what is reported"}};
static const qn_user_option config_keys[] = {{"test-mode", "slow|fast", "fast", "a mode"},
                                             {"test-limit", "integer", "7", "a limit"}};
static const char *const needs_rename[] = {"test-rename", NULL};
static const char *const cycle_a[] = {"test-cycle-b", NULL};
static const char *const cycle_b[] = {"test-cycle-a", NULL};

static const qn_user_pass passes[] = {
    {.size = sizeof(qn_user_pass),
     .name = "test-rename",
     .summary = "replace text",
     .options = rename_options,
     .option_count = 2,
     .run = run_rename},
    {.size = sizeof(qn_user_pass),
     .name = "test-break",
     .summary = "break the IR",
     .run = run_break},
    {.size = sizeof(qn_user_pass), .name = "test-fail", .summary = "fail", .run = run_fail},
    {.size = sizeof(qn_user_pass),
     .name = "test-abort",
     .summary = "take the process down",
     .run = run_abort},
    {.size = sizeof(qn_user_pass),
     .name = "test-needs",
     .summary = "need another pass",
     .required = needs_rename,
     .opt_level = 3,
     .run = run_fail},
    {.size = sizeof(qn_user_pass),
     .name = "test-cycle-a",
     .summary = "need b",
     .required = cycle_a,
     .run = run_fail},
    {.size = sizeof(qn_user_pass),
     .name = "test-function",
     .summary = "replace text of each function",
     .options = rename_options,
     .option_count = 2,
     .run = run_rename,
     .runs_on = "func.func"},
    {.size = sizeof(qn_user_pass),
     .name = "test-77",
     .summary = "end with no status",
     .run = run_77},
    {.size = sizeof(qn_user_pass),
     .name = "test-hide",
     .summary = "report an error and end well",
     .options = hide_options,
     .option_count = 1,
     .run = run_hide},
    {.size = sizeof(qn_user_pass),
     .name = "test-config",
     .summary = "report keys of the configuration",
     .run = run_config},
    {.size = sizeof(qn_user_pass),
     .name = "test-pipeline",
     .summary = "two passes under one name",
     .opt_level = 2,
     .pipeline = "builtin.module(print-ir{label=first},test-rename{to=@h},func.func(cse))"},
    {.size = sizeof(qn_user_pass),
     .name = "test-nested",
     .summary = "a pipeline with a pipeline in it",
     .pipeline = "test-pipeline,symbol-dce"},
    {.size = sizeof(qn_user_pass),
     .name = "test-cycle-b",
     .summary = "need a",
     .required = cycle_b,
     .run = run_fail},
};

QN_PLUGIN_EXPORT const qn_plugin *qn_plugin_describe(void) {
  static const qn_plugin plugin = {.api_version = TEST_API_VERSION,
                                   .name = "test",
                                   .version = "1",
                                   .passes = passes,
                                   .pass_count = sizeof passes / sizeof passes[0],
                                   .config_keys = config_keys,
                                   .config_key_count = 2};
  (void)plugin;
  return TEST_DESCRIPTION;
}
