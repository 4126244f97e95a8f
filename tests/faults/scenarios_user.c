/* Scenarios of what users bring: rules, instruments, keys of configuration, files of their own.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/faults/scenario.h"

/* ---- rules ---- */

static const char good_rules[] =
    "// Comments are kept.\n"
    "//:rule name=relu-as-clip exact=bit\n"
    "DEF_PACKAGE_OPTIMIZATION(EARLY,\n"
    "    Op(\"Relu\", \"x\"),\n"
    "    OR(IS_QUINT8(\"*\"), IS_QINT8(\"*\")),\n"
    "    Op(\"Clip\", \"x\", gen_ConstScalar_f32(0.0f), gen_ConstScalar_f32(INF)))\n";
static const char bad_rules[] =
    "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"x\"), EQ(1), \"y\")\n"
    "DEF_PACKAGE_OPTIMIZATION(EARLY,\n";

static bool add_rules(run *r, qn_rules *rules, const char *name, const char *text,
                      qn_status wanted) {
  char path[512];
  const qn_bytes bytes = {(const uint8_t *)text, strlen(text)};
  snprintf(path, sizeof path, "%s/%s", r->folder, name);
  if (!ok(r, qn_context_write_file(r->context, path, bytes))) return false;
  qn_status status = qn_rules_add_file(rules, path);
  (void)unlink(path);
  digest(r, &status, sizeof status);
  return status == wanted || ok(r, status);
}

static void use_rules(run *r, const qn_rules *rules) {
  char *made;
  size_t size;
  uint32_t count = qn_rules_count(rules);
  digest(r, &count, sizeof count);
  if (ok(r, qn_rules_format(rules, 0, &made, &size))) digest_text(r, made, size);
  if (ok(r, qn_rules_expand(rules, &made, &size))) digest_text(r, made, size);
  if (ok(r, qn_rules_describe(rules, &made, &size))) {
    qn_free(made); /* it has the path of the file */
    digest(r, &count, sizeof count);
  }
}

static void run_rules(run *r) {
  qn_rules_options options = QN_RULES_OPTIONS_INIT;
  qn_rules *rules;
  options.lint = 1;
  if (!ok(r, qn_rules_create(r->context, &options, &rules))) return;
  if (add_rules(r, rules, "good.rr", good_rules, QN_OK) && ok(r, qn_rules_check(rules)))
    use_rules(r, rules);
  if (r->status == QN_OK) (void)add_rules(r, rules, "bad.rr", bad_rules, QN_INVALID);
  qn_rules_destroy(rules);
}

/* ---- instruments and keys ---- */

static void count_enter(void *user) { ++*(uint32_t *)user; }
static void count_leave(void *user, qn_status status) {
  *(uint32_t *)user += 10 + (uint32_t)status;
}
static int allow_all_but_inline(void *user, const qn_pass_step *step) {
  ++*(uint32_t *)user;
  return strcmp(step->pass, "inline") != 0;
}
static void count_before(void *user, const qn_pass_step *step) {
  (void)step;
  *(uint32_t *)user += 100;
}
static void count_after(void *user, const qn_pass_step *step, qn_status status, int changed) {
  (void)step, (void)status;
  *(uint32_t *)user += changed ? 10000 : 1000;
}

static qn_status read_key(const qn_pass_api *api, qn_pass_run *pass, void *user) {
  const char *value = api->config(pass, "faults.way");
  (void)user;
  return value && strcmp(value, "back") == 0 ? QN_OK : QN_INVALID;
}

/* The context may have them from the run before. */
static bool register_key(run *r) {
  static const qn_user_option key = {"faults.way", "there|back", NULL, "where"};
  const qn_user_pass pass = {.size = sizeof pass,
                             .name = "read-key",
                             .summary = "reads a key of configuration",
                             .run = read_key};
  for (uint32_t i = 0; i < qn_pass_count(r->context); i++)
    if (strcmp(qn_pass_at(r->context, i).name, "read-key") == 0) return true;
  /* A run that failed at the pass has registered the key: INVALID, as it is there already. */
  qn_status status = qn_config_key_register(r->context, &key);
  if (status != QN_INVALID && !ok(r, status)) return false;
  return ok(r, qn_pass_register(r->context, &pass));
}

static void run_instruments(run *r) {
  static const char text[] = "func.func private @g(%x: i32) -> i32 { return %x : i32 }\n"
                             "func.func @f(%x: i32) -> i32 {\n  %0 = call @g(%x) : (i32) -> i32\n"
                             "  %1 = arith.addi %0, %0 : i32\n  %2 = arith.addi %0, %0 : i32\n"
                             "  %3 = arith.muli %1, %2 : i32\n  return %3 : i32\n}\n";
  uint32_t seen = 0;
  const qn_instrument watch = {.size = sizeof watch,
                               .enter = count_enter,
                               .leave = count_leave,
                               .should_run = allow_all_but_inline,
                               .before = count_before,
                               .after = count_after,
                               .user = &seen};
  const qn_instrument *const instruments[] = {&watch, NULL};
  qn_run_options options = QN_RUN_OPTIONS_INIT;
  qn_model *model;
  const qn_bytes bytes = {(const uint8_t *)text, sizeof text - 1};
  options.instruments = instruments;
  options.config = "faults.way=back";
  if (!register_key(r) ||
      !ok(r, qn_model_load_memory(r->context, bytes, "text.mlir", NULL, &model)))
    return;
  if (ok(r, qn_model_run_pipeline(model, "inline,func.func(cse),read-key", &options))) {
    char *printed;
    size_t size;
    digest(r, &seen, sizeof seen);
    if (ok(r, qn_model_print(model, NULL, &printed, &size))) digest_text(r, printed, size);
  }
  qn_model_destroy(model);
}

/* ---- files ---- */

/* All of them or none: what is there then is all new or all old. */
static void check_pair(run *r, const char *const *paths, qn_status status) {
  char *data[2] = {NULL, NULL};
  size_t size;
  for (int i = 0; i < 2; i++)
    if (!ok(r, qn_context_read_file(r->context, paths[i], &data[i], &size))) data[i] = NULL;
  if (data[0] && data[1]) {
    bool is_new = strcmp(data[0], "new a") == 0;
    if (strcmp(data[1], is_new ? "new b" : "old") != 0 || (status == QN_OK) != is_new)
      r->status = QN_INTERNAL;
    digest(r, data[0], strlen(data[0]));
  }
  qn_free(data[0]);
  qn_free(data[1]);
}

static void run_pairs(run *r) {
  char paths[2][512];
  const char *list[] = {paths[0], paths[1]};
  const qn_bytes old[] = {{(const uint8_t *)"old", 3}, {(const uint8_t *)"old", 3}};
  const qn_bytes now[] = {{(const uint8_t *)"new a", 5}, {(const uint8_t *)"new b", 5}};
  for (int i = 0; i < 2; i++) {
    snprintf(paths[i], sizeof paths[i], "%s/pair%d.txt", r->folder, i);
    (void)unlink(paths[i]);
  }
  if (ok(r, qn_context_write_files(r->context, 2, list, old))) {
    qn_status status = qn_context_write_files(r->context, 2, list, now);
    (void)ok(r, status);
    check_pair(r, list, status);
  }
  for (int i = 0; i < 2; i++) (void)unlink(paths[i]);
}

const scenario user_scenarios[] = {{"rules", run_rules, 4000, false, false},
                                   {"instruments", run_instruments, 4000, false, false},
                                   {"pairs", run_pairs, 4000, false, false},
                                   {0}};
