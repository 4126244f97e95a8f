/* Sets of rewrite rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "api/call.h"
#include "api/rules/rules.h"
#include "base/file.h"
#include "rules/print/print.h"

static qn_status fill(qn_rules *rules, const qn_rule_options *options) {
  qn_rule_set_init(&rules->set, &rules->context->ir.diag, options);
  /* allocated now, so that the set owns the array (base/heap.h) */
  qn_array_reserve(&rules->files, 1);
  return QN_OK;
}

static qn_status fill_guarded(qn_rules *rules, const qn_rule_options *options) {
  qn_status status;
  QN_CALL(&status, rules->context, NULL, &rules->ring, fill(rules, options));
  return status;
}

qn_status qn_rules_create(qn_context *context, const qn_rules_options *options,
                          qn_rules **out_rules) {
  qn_rules_options all = QN_RULES_OPTIONS_INIT;
  if (options) memcpy(&all, options, options->size < sizeof all ? options->size : sizeof all);
  qn_rules *rules = calloc(1, sizeof *rules);
  if (!rules) return qn_call_refuse(context, NULL, QN_EXCEEDED_SYSTEM);
  rules->context = context;
  qn_ring_init(&rules->ring);
  const qn_rule_options inner = {.strict = all.strict_grammar != 0, .lint = all.lint != 0};
  qn_status status = fill_guarded(rules, &inner);
  if (status != QN_OK) {
    free(rules);
    return status;
  }
  *out_rules = rules;
  return QN_OK;
}

/* Frees the set after an aborted change, like qn_model_lose: nothing records which parts are
 * intact. */
static void lose(qn_rules *rules) {
  for (size_t i = 0; i < rules->files.count; i++) qn_file_release(rules->files.data[i]);
  qn_ring_free(&rules->ring);
  rules->set = (qn_rule_set){.diag = &rules->context->ir.diag};
  rules->files.data = NULL;
  rules->files.count = rules->files.capacity = 0;
  rules->context->rules = NULL;
  rules->changing = false;
  rules->lost = true;
}

qn_status qn_rules_check_there(const qn_rules *rules) {
  qn_diag_engine *diag = &rules->context->ir.diag;
  if (!rules->lost) return QN_OK;
  return qn_error(diag, diag->unknown, QN_LIMIT,
                  "the rules are gone: a call that was changing them had to be aborted");
}

void qn_rules_destroy(qn_rules *rules) {
  if (!rules) return;
  if (!rules->lost) qn_rule_set_deinit(&rules->set);
  for (size_t i = 0; i < rules->files.count; i++) qn_file_release(rules->files.data[i]);
  qn_array_free(&rules->files);
  free(rules);
}

static qn_status add_file(qn_rules *rules, qn_file *file, const char *path) {
  qn_diag_engine *diag = &rules->context->ir.diag;
  const char *kind = qn_file_kind(qn_file_bytes(file));
  if (kind)
    return qn_error(diag, qn_loc_file(diag, qn_str_of(path), 0, 0), QN_INVALID,
                    "this is %s, not a file of rules", kind);
  qn_context *context = rules->context;
  const qn_rule_file *read;
  QN_TRY(qn_rules_check_there(rules));
  rules->changing = true;
  qn_array_push(&rules->files, file);
  qn_bytes bytes = qn_file_bytes(file);
  context->source = (qn_str){bytes.data ? (const char *)bytes.data : "", bytes.size};
  context->source_name = qn_str_of(path);
  qn_status status = qn_rule_set_add(&rules->set, context->source_name, context->source, &read);
  context->source = context->source_name = (qn_str){0};
  rules->changing = false;
  return status;
}

static qn_status add_file_guarded(qn_rules *rules, qn_file *file, const char *path) {
  qn_status status;
  QN_CALL(&status, rules->context, path, &rules->ring, add_file(rules, file, path));
  return status;
}

qn_status qn_rules_add_file(qn_rules *rules, const char *path) {
  qn_file *file = NULL;
  size_t count = rules->files.count;
  QN_TRY(qn_context_get_file(rules->context, path, &file));
  qn_status status = add_file_guarded(rules, file, path);
  if (rules->files.count == count) qn_file_release(file);
  if (rules->changing) lose(rules);
  return status;
}

static qn_status check(qn_rules *rules) {
  QN_TRY(qn_rules_check_there(rules));
  rules->changing = true;
  rules->context->rules = &rules->set;
  qn_status status = qn_rule_set_check(&rules->set);
  rules->context->rules = NULL;
  rules->changing = false;
  return status;
}

qn_status qn_rules_check(qn_rules *rules) {
  qn_status status;
  QN_CALL(&status, rules->context, NULL, &rules->ring, check(rules));
  if (rules->changing) lose(rules);
  return status;
}

uint32_t qn_rules_count(const qn_rules *rules) { return (uint32_t)rules->set.rules.count; }

static qn_status give(qn_text *text, char **out_text, size_t *out_size) {
  qn_str view = qn_text_view(text);
  qn_status status = qn_give_text(view.data, view.size, out_text, out_size);
  qn_text_deinit(text);
  return status;
}

static qn_status format(const qn_rules *rules, uint32_t file, char **out_text, size_t *out_size) {
  if (file >= rules->set.files.count) return QN_NOT_FOUND;
  if (rules->set.files.data[file]->errors > 0) return QN_INVALID;
  qn_text text = {0};
  qn_rule_format_file(rules->set.files.data[file], &text);
  return give(&text, out_text, out_size);
}

static qn_status expand(const qn_rules *rules, char **out_text, size_t *out_size) {
  qn_text text = {0};
  qn_arena arena;
  qn_status status = QN_OK;
  qn_arena_init(&arena);
  for (size_t i = 0; i < rules->set.rules.count; i++) {
    const qn_rule *rule = rules->set.rules.data[i], *expanded = qn_rule_expand(&arena, rule);
    if (!expanded) {
      qn_diag_engine *diag = &rules->context->ir.diag;
      const qn_loc *loc = qn_loc_file(diag, rule->file->path, rule->pos.line, rule->pos.column);
      status = qn_error(diag, loc, QN_LIMIT, "the macros of this rule are nested too deeply");
      continue;
    }
    qn_text_format(&text, "%s// %.*s\n", i > 0 ? "\n" : "", QN_STR_ARG(rule->name));
    qn_rule_format(expanded, &text);
    qn_text_putc(&text, '\n');
  }
  qn_arena_deinit(&arena);
  if (status == QN_OK) return give(&text, out_text, out_size);
  qn_text_deinit(&text);
  return status;
}

static qn_status describe(const qn_rules *rules, char **out_json, size_t *out_size) {
  QN_TRY(qn_rules_check_there(rules));
  qn_json *pool = qn_json_create();
  json_t *rows = qn_json_keep(pool, json_array());
  for (size_t i = 0; i < rules->set.rules.count; i++)
    qn_json_append(rows, json_incref(qn_rule_json(pool, rules->set.rules.data[i])));
  qn_status status = qn_json_give(rows, out_json, out_size);
  qn_json_destroy(pool);
  return status;
}

qn_status qn_rules_format(const qn_rules *rules, uint32_t file, char **out_text, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, rules->context, NULL, NULL, format(rules, file, out_text, out_size));
  return status;
}

qn_status qn_rules_expand(const qn_rules *rules, char **out_text, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, rules->context, NULL, NULL, expand(rules, out_text, out_size));
  return status;
}

qn_status qn_rules_describe(const qn_rules *rules, char **out_json, size_t *out_size) {
  qn_status status;
  QN_CALL(&status, rules->context, NULL, NULL, describe(rules, out_json, out_size));
  return status;
}
