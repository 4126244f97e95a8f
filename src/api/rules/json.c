/* Rules and what rules may name, as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/rules/rules.h"

#include "rules/functions.h"
#include "rules/passes.h"
#include "rules/print/print.h"

static json_t *json_of_str(qn_str text) { return json_stringn(text.data, text.size); }

/* ---- trees ---- */

static json_t *tree(const qn_rule_node *node);

static void add_call(json_t *object, const qn_rule_node *node) {
  json_t *args = json_array();
  for (uint32_t i = 0; i < node->arg_count; i++) json_array_append_new(args, tree(node->args[i]));
  json_object_set_new(object, "call", json_of_str(node->text));
  json_object_set_new(object, "operands", args);
}
static void add_name(json_t *object, const qn_rule_node *node) {
  json_object_set_new(object, "name", json_of_str(node->text));
}
static void add_string(json_t *object, const qn_rule_node *node) {
  json_object_set_new(object, "string", json_of_str(node->text));
}
static void add_integer(json_t *object, const qn_rule_node *node) {
  json_object_set_new(object, "integer", json_integer(node->integer));
}
static void add_real(json_t *object, const qn_rule_node *node) {
  json_object_set_new(object, "real", json_real(node->real));
}
static void add_dtype(json_t *object, const qn_rule_node *node) {
  json_object_set_new(object, "dtype", json_of_str(node->text));
}

static json_t *tree(const qn_rule_node *node) {
  static void (*const add[])(json_t * object, const qn_rule_node *node) = {
      [QN_RULE_CALL] = add_call,   [QN_RULE_NAME] = add_name,  [QN_RULE_STRING] = add_string,
      [QN_RULE_INT] = add_integer, [QN_RULE_FLOAT] = add_real, [QN_RULE_DTYPE] = add_dtype};
  json_t *object = json_object();
  add[node->kind](object, node);
  if (node->type != QN_RULE_POISON)
    json_object_set_new(object, "type", json_string(qn_rule_type_names[node->type]));
  return object;
}

/* ---- rules ---- */

static json_t *extensions_of(const qn_rule *rule) {
  json_t *list = json_array();
  for (uint32_t k = 1; qn_rule_extension_summary(k); k++)
    if (rule->extensions & 1u << k) json_array_append_new(list, json_sprintf("X%u", k));
  return list;
}

static json_t *tags_of(const qn_rule *rule) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < rule->tag_count; i++)
    json_array_append_new(list, json_of_str(rule->tags[i].name));
  return list;
}

json_t *qn_rule_json(const qn_rule *rule) {
  const qn_rule_node *root = rule->match;
  while (root->kind == QN_RULE_CALL && root->arg_count > 0) root = root->args[0];
  qn_text text = {0};
  qn_rule_format(rule, &text);
  json_t *object =
      json_pack("{s:o, s:o, s:i, s:o, s:I, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                json_of_str(rule->name), "file", json_of_str(rule->file->path), "line",
                (int)rule->pos.line, "pass", json_of_str(rule->pass_name), "pass_number",
                (json_int_t)rule->pass, "exact", qn_rule_exactness_names[rule->exact], "root",
                json_of_str(root->text), "extensions", extensions_of(rule), "tags", tags_of(rule),
                "match", tree(rule->match), "constraint", tree(rule->constraint), "replacement",
                tree(rule->replacement), "text", json_of_str(qn_text_view(&text)));
  qn_text_deinit(&text);
  return object;
}

/* ---- catalogues ---- */

json_t *qn_list_rule_passes(void) {
  json_t *rows = json_array();
  for (const qn_rule_pass *pass = qn_rule_passes; pass->name; pass++)
    json_array_append_new(rows, json_pack("{s:s, s:I, s:s}", "name", pass->name, "number",
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

json_t *qn_list_rule_functions(void) {
  json_t *rows = json_array();
  for (int i = 0; i < QN_RULE_FN_COUNT; i++)
    json_array_append_new(rows, function_row(&qn_rule_functions[i]));
  return rows;
}

json_t *qn_list_rule_ops(void) {
  json_t *rows = json_array();
  for (const qn_rule_word *op = qn_rule_default_names.ops; op->name; op++)
    json_array_append_new(rows, json_pack("{s:s, s:s}", "name", op->name, "summary", op->summary));
  return rows;
}

json_t *qn_list_rule_extensions(void) {
  json_t *rows = json_array();
  for (uint32_t k = 1; qn_rule_extension_summary(k); k++)
    json_array_append_new(rows, json_pack("{s:o, s:s}", "name", json_sprintf("X%u", k), "summary",
                                          qn_rule_extension_summary(k)));
  return rows;
}
