/* Catalogues as JSON: ops, targets, profiles, stages, and the operators of TensorFlow Lite.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "api/rules/rules.h"
#include "import/import.h"
#include "ir/float_form/float_form.h"
#include "lower/integer/forms.h"
#include "pass/registry.h"
#include "quant/profile.h"

static const struct {
  uint32_t trait;
  qn_stage stage;
} stage_traits[] = {{QN_MODEL_STAGE, QN_STAGE_MODEL},
                    {QN_INTEGER_STAGE, QN_STAGE_INTEGER},
                    {QN_LOOPS_STAGE, QN_STAGE_LOOPS}};

static json_t *list_ops(void) {
  json_t *rows = json_array();
  for (int kind = QN_OP_UNREGISTERED + 1; kind < QN_OP_COUNT; kind++) {
    const qn_op_info *info = &qn_op_infos[kind];
    json_t *stages = json_array();
    for (size_t i = 0; i < QN_COUNT(stage_traits); i++)
      if (info->traits & stage_traits[i].trait)
        json_array_append_new(stages, json_string(qn_stage_name(stage_traits[i].stage)));
    json_array_append_new(rows, json_pack("{s:s, s:o, s:s}", "name", info->name, "stages", stages,
                                          "summary", info->summary));
  }
  return rows;
}

static qn_str dialect_of(int kind) {
  const char *name = qn_op_infos[kind].name;
  return (qn_str){name, strcspn(name, ".")};
}

/* By name: each time the first one behind the one before. */
static json_t *list_dialects(void) {
  json_t *rows = json_array();
  for (qn_str before = {"", 0}, next;; before = next) {
    int ops = 0;
    next = (qn_str){NULL, 0};
    for (int kind = QN_OP_UNREGISTERED + 1; kind < QN_OP_COUNT; kind++) {
      qn_str dialect = dialect_of(kind);
      if (qn_str_compare(dialect, before) <= 0) continue;
      int order = next.data ? qn_str_compare(dialect, next) : -1;
      if (order < 0) next = dialect;
      ops = order < 0 ? 1 : ops + (order == 0);
    }
    if (!next.data) return rows;
    json_array_append_new(
        rows, json_pack("{s:s%, s:i}", "name", next.data, next.size, "ops", ops));
  }
}

static json_t *list_targets(void) {
  json_t *rows = json_array();
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(rows, json_pack("{s:s, s:i, s:b, s:s}", "name", targets[i].name,
                                          "vector_bits", (int)targets[i].vector_bytes * 8,
                                          "runs_here", qn_codegen_host_runs(&targets[i]), "summary",
                                          targets[i].summary));
  return rows;
}

static json_t *list_profiles(void) {
  json_t *rows = json_array();
  const qn_profile *profile;
  for (uint32_t i = 0; (profile = qn_profile_at(i)); i++)
    json_array_append_new(
        rows, json_pack("{s:s, s:s}", "name", profile->name, "summary", profile->summary));
  return rows;
}

static json_t *list_tflite(void) {
  json_t *rows = json_array();
  uint32_t count;
  const qn_tflite_operator *operators = qn_import_tflite_operators(&count);
  for (uint32_t i = 0; i < count; i++)
    json_array_append_new(rows, json_pack("{s:s, s:s, s:i, s:s}", "name", operators[i].name, "op",
                                          qn_op_infos[operators[i].op].name, "newest_version",
                                          operators[i].newest_version, "summary",
                                          qn_op_infos[operators[i].op].summary));
  return rows;
}

static json_t *list_stages(void) {
  static const char *const summaries[] = {
      [QN_STAGE_MODEL] = "the model's operators on quantized tensors",
      [QN_STAGE_INTEGER] = "explicit integers: zero points, multipliers, shifts and clamps",
      [QN_STAGE_LOOPS] = "buffers, loops and vectors, scheduled for one CPU level"};
  json_t *rows = json_array();
  for (int i = QN_STAGE_MODEL; i <= QN_STAGE_LOOPS; i++)
    json_array_append_new(
        rows, json_pack("{s:s, s:s}", "name", qn_stage_name((qn_stage)i), "summary", summaries[i]));
  return rows;
}

static json_t *list_integer_forms(void) {
  json_t *rows = json_array();
  uint32_t count;
  const qn_integer_form *forms = qn_integer_forms(&count);
  for (uint32_t i = 0; i < count; i++) {
    bool fall_back = qn_has_float_form(forms[i].op) && !forms[i].exact;
    json_array_append_new(
        rows, json_pack("{s:s, s:s, s:s, s:s, s:b}", "op", qn_op_infos[forms[i].op].name, "default",
                        fall_back ? "integer, else float" : "integer", "integer",
                        qn_op_infos[forms[i].integer].name, "needs", forms[i].needs, "fall_back",
                        fall_back));
  }
  return rows;
}

static json_t *list_options(const qn_pass *pass) {
  static const char *const kinds[] = {
      [QN_OPTION_BOOL] = "true|false", [QN_OPTION_I64] = "integer", [QN_OPTION_STRING] = "string"};
  json_t *rows = json_array();
  for (uint32_t i = 0; i < qn_pass_option_count(pass); i++) {
    const qn_option_spec *spec = &pass->options[i];
    qn_str value = qn_option_default(spec);
    const char *kind = spec->kind == QN_OPTION_CHOICE ? spec->default_value : kinds[spec->kind];
    json_array_append_new(rows, json_pack("{s:s, s:s, s:s%, s:s}", "name", spec->name, "values",
                                          kind, "default", value.data ? value.data : "", value.size,
                                          "summary", spec->summary));
  }
  return rows;
}

static json_t *list_passes(void) {
  static const char *const anchors[] = {
      [QN_ON_MODULE] = "builtin.module", [QN_ON_FUNC] = "func.func", [QN_ON_ANY] = "any"};
  static const char *const numerics[] = {
      [QN_EXACT] = "exact", [QN_ROUNDING] = "rounding", [QN_APPROXIMATE] = "approximate"};
  json_t *rows = json_array();
  qn_registry registry = {0};
  qn_registry_add_all(&registry);
  for (size_t i = 0; i < registry.passes.count; i++) {
    const qn_pass *pass = registry.passes.data[i];
    json_t *required = json_array();
    for (const char *const *name = pass->required; name && *name; name++)
      json_array_append_new(required, json_string(*name));
    json_array_append_new(
        rows, json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:o, s:o}", "name", pass->name,
                        "summary", pass->summary, "runs_on", anchors[pass->anchor], "numerics",
                        numerics[pass->numerics], "needs", pass->needs ? pass->needs : "", "keeps",
                        pass->keeps ? pass->keeps : "", "opt_level", (int)pass->opt_level,
                        "required", required, "options", list_options(pass)));
  }
  qn_registry_deinit(&registry);
  return rows;
}

qn_status qn_list(const char *what, char **out_json, size_t *out_size) {
  static const struct {
    const char *name;
    json_t *(*make)(void);
  } lists[] = {
      {"ops", list_ops},
      {"dialects", list_dialects},         {"passes", list_passes},     {"integer-forms", list_integer_forms},
      {"targets", list_targets}, {"profiles", list_profiles}, {"tflite", list_tflite},
      {"stages", list_stages},
      {"rule-passes", qn_list_rule_passes},
      {"rule-functions", qn_list_rule_functions},
      {"rule-ops", qn_list_rule_ops},
      {"rule-extensions", qn_list_rule_extensions}};
  for (size_t i = 0; i < QN_COUNT(lists); i++) {
    if (strcmp(lists[i].name, what) != 0) continue;
    json_t *rows = lists[i].make();
    char *text = json_dumps(rows, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    json_decref(rows);
    if (!text) return QN_LIMIT;
    qn_status status = qn_give_text(text, strlen(text), out_json, out_size);
    free(text);
    return status;
  }
  return QN_NOT_FOUND;
}
