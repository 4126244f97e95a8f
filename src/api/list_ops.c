/* Prints the op tables and the declarations of attributes as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "api/list_ops.h"

#include <string.h>

#include "ir/ops/forms.h"
#include "ir/ops/infer/infer.h"

/* ---- rows ---- */

static const struct {
  uint32_t trait;
  qn_stage stage;
} stage_traits[] = {{QN_MODEL_STAGE, QN_STAGE_MODEL},
                    {QN_INTEGER_STAGE, QN_STAGE_INTEGER},
                    {QN_LOOPS_STAGE, QN_STAGE_LOOPS}};

static json_t *stages_of(qn_json *pool, const qn_op_info *info) {
  json_t *stages = qn_json_keep(pool, json_array());
  for (size_t i = 0; i < QN_COUNT(stage_traits); i++)
    if (info->traits & stage_traits[i].trait)
      qn_json_append(stages, json_string(qn_stage_name(stage_traits[i].stage)));
  return stages;
}

static const struct {
  uint32_t trait;
  const char *word;
} trait_words[] = {{QN_PURE, "pure"},
                   {QN_TERMINATOR, "terminator"},
                   {QN_COMMUTATIVE, "commutative"},
                   {QN_ELEMENTWISE, "elementwise"},
                   {QN_SYMBOL, "symbol"},
                   {QN_ISOLATED, "isolated"},
                   {QN_SAME_TYPE, "one type"},
                   {QN_CONSTANT, "constant"},
                   {QN_CAST, "cast"},
                   {QN_BRANCH, "branch"},
                   {QN_CONTROL, "control flow"},
                   {QN_BODY_EFFECTS, "pure if its body is"},
                   {QN_BATCHED, "batched"},
                   {QN_BATCHED_ALL, "batched in all operands"},
                   {QN_SPATIAL, "spatial"},
                   {QN_INDEXED, "batched in its indices"},
                   {QN_MATRICES, "of matrices"}};

static json_t *traits_of(qn_json *pool, const qn_op_info *info) {
  json_t *traits = qn_json_keep(pool, json_array());
  for (size_t i = 0; i < QN_COUNT(trait_words); i++)
    if (info->traits & trait_words[i].trait)
      qn_json_append(traits, json_string(trait_words[i].word));
  return traits;
}

/* Text such as "2", "2 to 3", "any number". */
static json_t *count_of(qn_json *pool, int32_t least, int32_t optional) {
  char text[32] = "any number";
  if (least >= 0 && optional == 0) snprintf(text, sizeof text, "%d", least);
  if (least >= 0 && optional > 0) snprintf(text, sizeof text, "%d to %d", least, least + optional);
  return qn_json_keep(pool, json_string(text));
}

/* ---- attributes ---- */

static const char *const kinds[] = {
    [QN_SPEC_ANY] = "any attribute",
    [QN_SPEC_UNIT] = "unit",
    [QN_SPEC_BOOL] = "bool",
    [QN_SPEC_I64] = "i64",
    [QN_SPEC_FLOAT] = "float",
    [QN_SPEC_STRING] = "string",
    [QN_SPEC_WORD] = "word",
    [QN_SPEC_I64S] = "array<i64>",
    [QN_SPEC_TYPE] = "type",
    [QN_SPEC_SYMBOL] = "symbol",
    [QN_SPEC_ELEMENTS] = "dense elements",
    [QN_SPEC_ARRAY] = "array",
    [QN_SPEC_DICT] = "dictionary",
};

/* The valid words, or the range of integers; empty if all values of the kind are valid. */
static json_t *values_of(qn_json *pool, const qn_attr_decl *decl) {
  char text[64] = "";
  if (decl->kind == QN_SPEC_WORD) return qn_json_keep(pool, json_string(decl->words));
  bool bounded = decl->low > INT64_MIN || decl->high < INT64_MAX;
  if ((decl->kind == QN_SPEC_I64 || decl->kind == QN_SPEC_I64S) && bounded)
    snprintf(text, sizeof text, "%lld to %lld", (long long)decl->low, (long long)decl->high);
  return qn_json_keep(pool, json_string(text));
}

static json_t *attributes_of(qn_json *pool, const qn_op_info *info) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (const qn_attr_spec *spec = info->attrs; spec->id; spec++) {
    const qn_attr_decl *decl = &qn_attr_decls[spec->id];
    qn_json_append(rows, json_pack("{s:s, s:s, s:O, s:b, s:s}", "name", decl->name, "type",
                                   kinds[decl->kind], "values", values_of(pool, decl), "required",
                                   spec->need == QN_REQUIRED, "summary", decl->summary));
  }
  return rows;
}

json_t *qn_list_ops(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
  for (int kind = QN_OP_UNREGISTERED + 1; kind < QN_OP_COUNT; kind++) {
    const qn_op_info *info = &qn_op_infos[kind];
    const char *layout = qn_inference_of((qn_op_kind)kind)->layout;
    json_t *row = qn_json_keep(
        pool, json_pack("{s:s, s:O, s:s, s:O, s:O, s:i, s:O, s:O}", "name", info->name, "stages",
                        stages_of(pool, info), "summary", info->summary, "operands",
                        count_of(pool, info->operands, info->optional_operands), "results",
                        count_of(pool, info->results, 0), "regions", info->regions, "traits",
                        traits_of(pool, info), "attributes", attributes_of(pool, info)));
    if (layout) qn_json_set(row, "layout", json_string(layout));
    qn_json_append(rows, json_incref(row));
  }
  return rows;
}

/* ---- dialects ---- */

static qn_str dialect_of(int kind) {
  const char *name = qn_op_infos[kind].name;
  return (qn_str){name, strcspn(name, ".")};
}

/* Dialects sorted by name: each step finds the smallest name after the previous one. */
json_t *qn_list_dialects(qn_json *pool) {
  json_t *rows = qn_json_keep(pool, json_array());
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
    qn_json_append(rows, json_pack("{s:s%, s:i}", "name", next.data, next.size, "ops", ops));
  }
}
