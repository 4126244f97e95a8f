/* Catalogues as JSON: targets, profiles, stages, file formats and their operators.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "api/list_ops.h"
#include "api/rules/rules.h"
#include "import/importers.h"
#include "ir/float_form/float_form.h"
#include "ir/ops/forms.h"
#include "plan/plan.h"
#include "pass/property.h"
#include "pass/registry.h"
#include "quant/profile.h"

static json_t *list_names(qn_json *pool, const qn_target *target,
                          const char *(*name_of)(const qn_target *, uint32_t)) {
  json_t *names = qn_json_keep(pool, json_array());
  const char *name;
  for (uint32_t i = 0; (name = name_of(target, i)); i++) qn_json_append(names, json_string(name));
  return names;
}

/* What a CPU must have: the instructions of a CPU that LLVM knows, and features. */
static json_t *list_needs(qn_json *pool, const qn_target *target) {
  json_t *names = qn_json_keep(pool, json_array());
  const char *cpu = target->llvm_cpu, *at = target->llvm_features;
  if (cpu && strncmp(cpu, "generic", strlen("generic")) != 0)
    qn_json_append(names, json_string(cpu));
  while (*at) {
    size_t size = strcspn(at, ",");
    if (*at == '+') qn_json_append(names, json_stringn(at + 1, size - 1));
    at += size;
    at += *at == ',';
  }
  return names;
}

static json_t *list_triples(qn_json *pool, const qn_target *target) {
  json_t *names = qn_json_keep(pool, json_array());
  const char *architecture;
  qn_arena arena;
  qn_arena_init(&arena);
  for (uint32_t i = 0; (architecture = qn_codegen_architecture_of(target, i)); i++)
    qn_json_append(names, json_string(qn_codegen_triple_of(&arena, architecture).data));
  qn_arena_deinit(&arena);
  return names;
}

static json_t *list_targets(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  uint32_t count;
  const qn_target *targets = qn_targets(&count);
  for (uint32_t i = 0; i < count; i++)
    qn_json_append(rows, json_pack("{s:s, s:i, s:b, s:O, s:O, s:O, s:O, s:s}", "name",
                                   targets[i].name, "vector_bits", (int)targets[i].vector_bytes * 8,
                                   "runs_here", qn_codegen_host_runs(&targets[i]), "architectures",
                                   list_names(pool, &targets[i], qn_codegen_architecture_of),
                                   "triples", list_triples(pool, &targets[i]), "needs",
                                   list_needs(pool, &targets[i]), "cpus",
                                   list_names(pool, &targets[i], qn_codegen_cpu_of), "summary",
                                   targets[i].summary));
  return rows;
}

static json_t *list_profiles(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  const qn_profile *profile;
  for (uint32_t i = 0; (profile = qn_profile_at(i)); i++)
    qn_json_append(rows,
                   json_pack("{s:s, s:s}", "name", profile->name, "summary", profile->summary));
  return rows;
}

static json_t *list_formats(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  const qn_importer_table all = qn_importers();
  for (size_t i = 0; i < all.count; i++)
    qn_json_append(rows, json_pack("{s:s, s:s, s:s, s:b}", "name", all.rows[i]->name, "extension",
                                   all.rows[i]->extension, "numerics", all.rows[i]->numerics,
                                   "signatures", (int)all.rows[i]->has_signatures));
  return rows;
}

static json_t *list_operators(qn_json *pool, const qn_import_catalogue *all) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < all->operator_count; i++) {
    const qn_import_operator *row = &all->operators[i];
    qn_json_append(rows, json_pack("{s:s, s:s, s:i, s:s}", "name", row->name, "op",
                                   qn_op_infos[row->op].name, "newest_version", row->newest_version,
                                   "summary", qn_op_infos[row->op].summary));
  }
  return rows;
}

/* A row per reason for which operators are unsupported, with the operators. */
static json_t *list_rejected(qn_json *pool, const qn_import_catalogue *all) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (uint32_t r = 0; r < all->reason_count; r++) {
    qn_text names = {0};
    for (uint32_t i = 0; i < all->refusal_count; i++)
      if (all->refusals[i].reason == r)
        qn_text_format(&names, "%s%s", names.size ? ", " : "", all->refusals[i].name);
    qn_json_append(rows, json_pack("{s:s, s:s%}", "reason", all->reasons[r], "operators",
                                   names.data, names.size));
    qn_text_deinit(&names);
  }
  return rows;
}

static json_t *list_stages(qn_json *pool) {
  static const char *const summaries[] = {
      [QN_STAGE_MODEL] = "the model's operators on quantized tensors",
      [QN_STAGE_INTEGER] = "explicit integers: zero points, multipliers, shifts and clamps",
      [QN_STAGE_LOOPS] = "buffers, loops and vectors, scheduled for one CPU level"};
  json_t *rows = qn_json_keep(pool, json_array());
  for (int i = QN_STAGE_MODEL; i <= QN_STAGE_LOOPS; i++)
    qn_json_append(
        rows, json_pack("{s:s, s:s}", "name", qn_stage_name((qn_stage)i), "summary", summaries[i]));
  return rows;
}

static json_t *list_integer_forms(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (int kind = 0; kind < QN_OP_COUNT; kind++) {
    const qn_plan_record *record = qn_plan_record_of((qn_op_kind)kind);
    if (!record || !record->needs) continue;
    bool fall_back = qn_has_float_form((qn_op_kind)kind) && !record->exact;
    qn_json_append(rows, json_pack("{s:s, s:s, s:s, s:s, s:b}", "op", qn_op_infos[kind].name,
                                   "default", fall_back ? "integer, else float" : "integer",
                                   "integer", qn_op_infos[record->integer].name, "needs",
                                   record->needs, "fall_back", fall_back));
  }
  return rows;
}

static json_t *list_options(qn_json *pool, const qn_pass *pass) {
  static const char *const kinds[] = {
      [QN_OPTION_BOOL] = "true|false", [QN_OPTION_I64] = "integer", [QN_OPTION_STRING] = "string"};
  json_t *rows = qn_json_keep(pool, json_array());
  for (uint32_t i = 0; i < qn_pass_option_count(pass); i++) {
    const qn_option_spec *spec = &pass->options[i];
    qn_str value = qn_option_default(spec);
    const char *kind = spec->kind == QN_OPTION_CHOICE ? spec->default_value : kinds[spec->kind];
    qn_json_append(rows,
                   json_pack("{s:s, s:s, s:s%, s:s}", "name", spec->name, "values", kind, "default",
                             value.data ? value.data : "", value.size, "summary", spec->summary));
  }
  return rows;
}

static const char *const numerics[] = {
    [QN_EXACT] = "exact", [QN_ROUNDING] = "rounding", [QN_APPROXIMATE] = "approximate"};

static json_t *list_properties(qn_json *pool, const qn_property *const *list) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (; list && *list; list++) qn_json_append(rows, json_string((*list)->name));
  return rows;
}

/* The named pipelines and their texts. */
static json_t *list_pipelines(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  qn_registry registry = {0};
  qn_registry_add_all(&registry);
  for (size_t i = 0; i < registry.passes.count; i++) {
    const qn_pass *pass = registry.passes.data[i];
    if (pass->pipeline)
      qn_json_append(rows,
                     json_pack("{s:s, s:s, s:s, s:s}", "name", pass->name, "summary", pass->summary,
                               "numerics", numerics[pass->numerics], "pipeline", pass->pipeline));
  }
  qn_registry_deinit(&registry);
  return rows;
}

static json_t *list_passes(qn_json *pool) {
  static const char *const anchors[] = {
      [QN_ON_MODULE] = "builtin.module", [QN_ON_FUNC] = "func.func", [QN_ON_ANY] = "any"};
  json_t *rows = qn_json_keep(pool, json_array());
  qn_registry registry = {0};
  qn_registry_add_all(&registry);
  for (size_t i = 0; i < registry.passes.count; i++) {
    const qn_pass *pass = registry.passes.data[i];
    json_t *required = qn_json_keep(pool, json_array());
    for (const char *const *name = pass->required; name && *name; name++)
      qn_json_append(required, json_string(*name));
    qn_json_append(
        rows,
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:i, s:s, s:O, s:O, s:O, s:O, s:O}", "name",
                  pass->name, "summary", pass->summary, "runs_on", anchors[pass->anchor],
                  "numerics", numerics[pass->numerics], "needs", pass->needs ? pass->needs : "",
                  "keeps", pass->keeps ? pass->keeps : "", "opt_level", (int)pass->opt_level,
                  "pipeline", pass->pipeline ? pass->pipeline : "", "required", required, "needed",
                  list_properties(pool, pass->needed), "established",
                  list_properties(pool, pass->established), "lost",
                  list_properties(pool, pass->lost), "options", list_options(pool, pass)));
  }
  qn_registry_deinit(&registry);
  return rows;
}

static qn_status list(const char *what, char **out_json, size_t *out_size) {
  static const struct {
    const char *name;
    json_t *(*make)(qn_json *pool);
  } lists[] = {{"ops", qn_list_ops},
               {"dialects", qn_list_dialects},
               {"passes", list_passes},
               {"pipelines", list_pipelines},
               {"integer-forms", list_integer_forms},
               {"formats", list_formats},
               {"targets", list_targets},
               {"profiles", list_profiles},
               {"stages", list_stages},
               {"rule-passes", qn_list_rule_passes},
               {"rule-functions", qn_list_rule_functions},
               {"rule-ops", qn_list_rule_ops},
               {"rule-extensions", qn_list_rule_extensions}};
  size_t row = 0;
  while (row < QN_COUNT(lists) && strcmp(lists[row].name, what) != 0) row++;
  bool rejected = false;
  const qn_importer *importer = qn_importer_listed(qn_importers(), what, &rejected);
  if (row == QN_COUNT(lists) && !importer) return QN_NOT_FOUND;
  qn_json *pool = qn_json_create();
  json_t *rows = row < QN_COUNT(lists) ? lists[row].make(pool)
                 : rejected            ? list_rejected(pool, importer->catalogue)
                                       : list_operators(pool, importer->catalogue);
  qn_status status = qn_json_give(rows, out_json, out_size);
  qn_json_destroy(pool);
  return status;
}

/* Runs without a context, so it reports errors only by its status. */
qn_status qn_list(const char *what, char **out_json, size_t *out_size) {
  qn_account account;
  qn_guard guard;
  qn_ring nothing;
  qn_account_init(&account);
  qn_ring_init(&nothing);
  qn_guard_open(&guard, &account);
  if (setjmp(guard.jump) != 0) {
    qn_guard_discard(&guard);
    return QN_LIMIT;
  }
  qn_status status = list(what, out_json, out_size);
  qn_guard_close(&guard, &nothing);
  return status;
}
