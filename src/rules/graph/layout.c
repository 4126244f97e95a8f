/* Layouts, and tensor types as rules see them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "ir/types/quant_at.h"
#include "rules/graph/graph.h"

enum { SEEN_RANK = 4 };

static const struct {
  uint32_t rank;
  int32_t of[SEEN_RANK];
} layouts[QN_RULE_LAYOUTS] = {
    [QN_RULE_FILTER] = {4, {1, 2, 3, 0}},    [QN_RULE_DEPTHWISE] = {4, {1, 2, 0, 3}},
    [QN_RULE_COLUMNS] = {2, {-1, -1, 1, 0}}, [QN_RULE_ROWS] = {2, {0, -1, -1, 1}},
    [QN_RULE_VECTOR] = {1, {-1, -1, -1, 0}},
};

bool qn_rule_layout_dims(qn_rule_layout layout, uint32_t rank, qn_rule_dims *out_dims) {
  QN_ASSERT(layout < QN_RULE_LAYOUTS);
  if (rank > QN_RULE_MAX_RANK) return false;
  *out_dims = (qn_rule_dims){.rank = rank > SEEN_RANK ? rank : SEEN_RANK};
  if (layout != QN_RULE_NATURAL && layouts[layout].rank != rank) return false;
  int32_t ones = (int32_t)(out_dims->rank - rank);
  for (uint32_t i = 0; i < out_dims->rank; i++) {
    int32_t natural = (int32_t)i - ones;
    out_dims->of[i] =
        layout == QN_RULE_NATURAL ? (natural < 0 ? -1 : natural) : layouts[layout].of[i];
    QN_ASSERT(out_dims->of[i] >= -1 && out_dims->of[i] < (int32_t)rank);
  }
  return true;
}

/* ---- element types ---- */

static const char *storage_word(const qn_type *element) {
  static const struct {
    uint32_t width;
    bool is_signed, quantized;
    const char *word;
  } rows[] = {
      {8, false, true, "QUInt8"},   {8, true, true, "QInt8"},     {16, false, true, "QUInt16"},
      {16, true, true, "QInt16"},   {32, true, true, "QInt32"},   {32, true, false, "Int32"},
      {8, false, false, "UInt8"},   {8, true, false, "Int8"},     {16, false, false, "UInt16"},
      {16, true, false, "Int16"},   {32, false, false, "UInt32"}, {64, true, false, "Int64"},
      {64, false, false, "UInt64"}, {1, true, false, "Bool"}};
  qn_quant_storage storage;
  bool quantized = qn_quant_storage_of(element, &storage);
  if (!quantized && element->kind != QN_TYPE_INTEGER) return NULL;
  uint32_t width = quantized ? storage.width : element->integer.width;
  bool is_signed = quantized ? storage.is_signed : element->integer.sign != QN_UNSIGNED;
  for (size_t i = 0; i < QN_COUNT(rows); i++)
    if (rows[i].width == width && rows[i].is_signed == is_signed && rows[i].quantized == quantized)
      return rows[i].word;
  return NULL;
}

static const char *float_word(const qn_type *element) {
  static const struct {
    qn_float_kind kind;
    const char *word;
  } rows[] = {{QN_F16, "Float16"}, {QN_F32, "Float32"}, {QN_BF16, "BFloat16"}, {QN_F64, "Float64"}};
  for (size_t i = 0; element->kind == QN_TYPE_FLOAT && i < QN_COUNT(rows); i++)
    if (rows[i].kind == element->float_kind) return rows[i].word;
  return NULL;
}

uint32_t qn_rule_dtype_of(const qn_type *element) {
  const char *word = element->kind == QN_TYPE_FLOAT ? float_word(element) : storage_word(element);
  for (uint32_t i = 0; word && qn_rule_dtypes[i]; i++)
    if (strcmp(word, qn_rule_dtypes[i]) == 0) return i;
  return UINT32_MAX;
}

/* ---- definitions ---- */

static void define_encoding(qn_arena *arena, const qn_quant_uniform *q, const qn_rule_dims *dims,
                            qn_rule_definition *d) {
  QN_ASSERT(q->count > 0);
  float *steps = QN_NEW_ARRAY(arena, q->count, float);
  int32_t *zeros = QN_NEW_ARRAY(arena, q->count, int32_t);
  for (uint32_t i = 0; i < q->count; i++) {
    steps[i] = (float)q->scales[i];
    zeros[i] = (int32_t)q->zero_points[i];
  }
  d->quantized = true;
  d->channels = q->count;
  d->axis = -1;
  d->steps = steps;
  d->zero_offsets = zeros;
  for (uint32_t i = 0; q->scheme == QN_PER_AXIS && i < dims->rank; i++)
    if (dims->of[i] == q->axis) d->axis = (int32_t)i;
}

bool qn_rule_define(qn_arena *arena, const qn_type *tensor, qn_rule_layout layout,
                    qn_rule_definition *out_definition) {
  qn_rule_dims dims;
  if (tensor->kind != QN_TYPE_TENSOR || !qn_type_is_static(tensor) ||
      !qn_rule_layout_dims(layout, tensor->shaped.rank, &dims))
    return false;
  const qn_type *element = qn_type_element(tensor);
  const qn_quant_uniform *q = qn_type_quant(element);
  *out_definition = (qn_rule_definition){.rank = dims.rank,
                                         .dtype = qn_rule_dtype_of(element),
                                         .element_bytes = qn_type_bytes(element),
                                         .channels = 1};
  for (uint32_t i = 0; i < dims.rank; i++)
    out_definition->sizes[i] = dims.of[i] < 0 ? 1 : tensor->shaped.dims[dims.of[i]];
  if (q) define_encoding(arena, q, &dims, out_definition);
  return out_definition->dtype != UINT32_MAX;
}
