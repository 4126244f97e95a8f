/* Rules, and the names that rules can use, as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/rules/rules.h"

#include <string.h>

#include "rules/functions.h"
#include "rules/graph/form.h"
#include "rules/passes.h"
#include "rules/print/print.h"

static json_t *json_of_str(qn_json *pool, qn_str text) {
  return json_incref(qn_json_keep(pool, json_stringn(text.data, text.size)));
}

/* A JSON string that only the pool owns. */
static json_t *kept_str(qn_json *pool, qn_str text) {
  return qn_json_keep(pool, json_stringn(text.data, text.size));
}

/* ---- trees ---- */

static json_t *tree(qn_json *pool, const qn_rule_node *node);

static void add_call(qn_json *pool, json_t *object, const qn_rule_node *node) {
  json_t *args = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < node->arg_count; i++)
    qn_json_append(args, json_incref(tree(pool, node->args[i])));
  qn_json_set(object, "call", json_of_str(pool, node->text));
  qn_json_set(object, "operands", json_incref(args));
}
static void add_name(qn_json *pool, json_t *object, const qn_rule_node *node) {
  qn_json_set(object, "name", json_of_str(pool, node->text));
}
static void add_string(qn_json *pool, json_t *object, const qn_rule_node *node) {
  qn_json_set(object, "string", json_of_str(pool, node->text));
}
static void add_integer(qn_json *pool, json_t *object, const qn_rule_node *node) {
  (void)pool;
  qn_json_set(object, "integer", json_integer(node->integer));
}
static void add_real(qn_json *pool, json_t *object, const qn_rule_node *node) {
  (void)pool;
  qn_json_set(object, "real", json_real(node->real));
}
static void add_dtype(qn_json *pool, json_t *object, const qn_rule_node *node) {
  qn_json_set(object, "dtype", json_of_str(pool, node->text));
}

static json_t *tree(qn_json *pool, const qn_rule_node *node) {
  static void (*const add[])(qn_json * pool, json_t * object, const qn_rule_node *node) = {
      [QN_RULE_CALL] = add_call,   [QN_RULE_NAME] = add_name,  [QN_RULE_STRING] = add_string,
      [QN_RULE_INT] = add_integer, [QN_RULE_FLOAT] = add_real, [QN_RULE_DTYPE] = add_dtype};
  json_t *object = qn_json_keep(pool, json_object());
  add[node->kind](pool, object, node);
  if (node->type != QN_RULE_POISON)
    qn_json_set(object, "type", json_string(qn_rule_type_names[node->type]));
  return object;
}

/* ---- rules ---- */

static json_t *extensions_of(qn_json *pool, const qn_rule *rule) {
  json_t *list = qn_json_keep(pool, json_array());
  for (uint32_t k = 1; qn_rule_extension_summary(k); k++)
    if (rule->extensions & 1u << k) qn_json_append(list, json_sprintf("X%u", k));
  return list;
}

static json_t *tags_of(qn_json *pool, const qn_rule *rule) {
  json_t *list = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < rule->tag_count; i++)
    qn_json_append(list, json_of_str(pool, rule->tags[i].name));
  return list;
}

json_t *qn_rule_json(qn_json *pool, const qn_rule *rule) {
  const qn_rule_node *root = rule->match;
  while (root->kind == QN_RULE_CALL && root->arg_count > 0) root = root->args[0];
  qn_text text = {0};
  qn_rule_format(rule, &text);
  json_t *object = qn_json_keep(
      pool,
      json_pack("{s:O, s:O, s:i, s:O, s:I, s:s, s:s, s:O, s:O, s:O, s:O, s:O, s:O, s:O, s:b, s:b}",
                "name", kept_str(pool, rule->name), "file", kept_str(pool, rule->file->path),
                "line", (int)rule->pos.line, "pass", kept_str(pool, rule->pass_name), "pass_number",
                (json_int_t)rule->pass, "exact", qn_rule_exactness_names[rule->exact], "when",
                qn_rule_when_names[rule->when], "root", kept_str(pool, root->text), "extensions",
                extensions_of(pool, rule), "tags", tags_of(pool, rule), "match",
                tree(pool, rule->match), "constraint", tree(pool, rule->constraint), "replacement",
                tree(pool, rule->replacement), "text", kept_str(pool, qn_text_view(&text)),
                "sizes_proved", rule->sizes_proved, "encoding_proved", rule->encoding_proved));
  qn_text_deinit(&text);
  return object;
}

/* ---- catalogues ---- */

json_t *qn_list_rule_passes(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (const qn_rule_pass *pass = qn_rule_passes; pass->name; pass++)
    qn_json_append(rows, json_pack("{s:s, s:I, s:s}", "name", pass->name, "number",
                                   (json_int_t)pass->number, "summary", pass->summary));
  return rows;
}

static json_t *function_row(const qn_rule_function *f) {
  static const char *const results[] = {
      [QN_RULE_RESULT_NONE] = "",           [QN_RULE_RESULT_BOOL] = "bool",
      [QN_RULE_RESULT_I32] = "int",         [QN_RULE_RESULT_SIZE] = "size",
      [QN_RULE_RESULT_F32] = "float",       [QN_RULE_RESULT_DTYPE_TAG] = "dtype",
      [QN_RULE_RESULT_PROMOTED] = "number", [QN_RULE_RESULT_NEGATED] = "number"};
  return json_pack("{s:s, s:s, s:s, s:o}", "name", f->name, "operands", f->words, "type",
                   results[f->result], "extension",
                   f->extension ? json_sprintf("X%u", f->extension) : json_string(""));
}

json_t *qn_list_rule_functions(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (int i = 0; i < QN_RULE_FN_COUNT; i++)
    qn_json_append(rows, function_row(&qn_rule_functions[i]));
  return rows;
}

/* A row per op name, with all ops of the model dialect that the name can denote. */
json_t *qn_list_rule_ops(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (const qn_rule_form *form = qn_rule_forms; form->name;) {
    const char *name = form->name, *summary = form->summary;
    json_t *ops = qn_json_keep(pool, json_array());
    for (; form->name && strcmp(form->name, name) == 0; form++)
      if (form->kind != QN_OP_UNREGISTERED)
        qn_json_append(ops, json_string(qn_op_infos[form->kind].name));
    qn_json_append(rows,
                   json_pack("{s:s, s:s, s:O}", "name", name, "summary", summary, "ops", ops));
  }
  return rows;
}

json_t *qn_list_rule_extensions(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (uint32_t k = 1; qn_rule_extension_summary(k); k++)
    qn_json_append(rows, json_pack("{s:o, s:s}", "name", json_sprintf("X%u", k), "summary",
                                   qn_rule_extension_summary(k)));
  return rows;
}
