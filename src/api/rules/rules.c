/* Sets of rewrite rules.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "api/rules/rules.h"
#include "base/file.h"
#include "rules/print/print.h"

qn_status qn_rules_create(qn_context *context, const qn_rules_options *options,
                          qn_rules **out_rules) {
  qn_rules_options all = QN_RULES_OPTIONS_INIT;
  if (options) memcpy(&all, options, options->size < sizeof all ? options->size : sizeof all);
  qn_rules *rules = calloc(1, sizeof *rules);
  if (!rules) return QN_LIMIT;
  rules->context = context;
  const qn_rule_options inner = {.strict = all.strict_grammar != 0, .lint = all.lint != 0};
  qn_rule_set_init(&rules->set, &context->ir.diag, &inner);
  *out_rules = rules;
  return QN_OK;
}

void qn_rules_destroy(qn_rules *rules) {
  if (!rules) return;
  qn_rule_set_deinit(&rules->set);
  for (size_t i = 0; i < rules->files.count; i++) qn_file_release(rules->files.data[i]);
  qn_array_free(&rules->files);
  free(rules);
}

qn_status qn_rules_add_file(qn_rules *rules, const char *path) {
  qn_context *context = rules->context;
  const char *reason = NULL;
  const qn_rule_file *read;
  qn_file *file;
  qn_status status = qn_file_open(path, &file, &reason);
  if (status != QN_OK)
    return qn_error(&context->ir.diag, qn_loc_file(&context->ir.diag, qn_str_of(path), 0, 0),
                    status, "can't be read: %s", reason);
  qn_array_push(&rules->files, file);
  qn_bytes bytes = qn_file_bytes(file);
  context->source = (qn_str){bytes.data ? (const char *)bytes.data : "", bytes.size};
  context->source_name = qn_str_of(path);
  status = qn_rule_set_add(&rules->set, context->source_name, context->source, &read);
  context->source = context->source_name = (qn_str){0};
  return status;
}

qn_status qn_rules_check(qn_rules *rules) {
  rules->context->rules = &rules->set;
  qn_status status = qn_rule_set_check(&rules->set);
  rules->context->rules = NULL;
  return status;
}

uint32_t qn_rules_count(const qn_rules *rules) { return (uint32_t)rules->set.rules.count; }

static qn_status give(qn_text *text, char **out_text, size_t *out_size) {
  qn_str view = qn_text_view(text);
  qn_status status = qn_give_text(view.data, view.size, out_text, out_size);
  qn_text_deinit(text);
  return status;
}

qn_status qn_rules_format(const qn_rules *rules, uint32_t file, char **out_text, size_t *out_size) {
  if (file >= rules->set.files.count) return QN_NOT_FOUND;
  if (rules->set.files.data[file]->errors > 0) return QN_INVALID;
  qn_text text = {0};
  qn_rule_format_file(rules->set.files.data[file], &text);
  return give(&text, out_text, out_size);
}

qn_status qn_rules_expand(const qn_rules *rules, char **out_text, size_t *out_size) {
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

qn_status qn_rules_describe(const qn_rules *rules, char **out_json, size_t *out_size) {
  json_t *rows = json_array();
  for (size_t i = 0; i < rules->set.rules.count; i++)
    json_array_append_new(rows, qn_rule_json(rules->set.rules.data[i]));
  char *text = json_dumps(rows, JSON_INDENT(1) | JSON_ENSURE_ASCII);
  json_decref(rows);
  if (!text) return QN_LIMIT;
  qn_status status = qn_give_text(text, strlen(text), out_json, out_size);
  free(text);
  return status;
}
