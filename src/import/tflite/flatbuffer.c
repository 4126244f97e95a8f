/* The schema as an array, and the accessors (flatbuffer.h). Requires a file that qn_fb_verify has
 * accepted.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/tflite/flatbuffer.h"

#include <string.h>

const qn_fb_info qn_fb_schema[QN_FB_ROW_COUNT] = {
#define TABLE(table, text) {text, QN_FB_##table, QN_FB_KIND_TABLE, QN_FB_##table, 0, 0},
#define FIELD(table, name, id, kind, of, fallback)                                                 \
  {#name, QN_FB_##table, QN_FB_KIND_##kind, QN_FB_##of, id, fallback},
#define OPTIONS(code, table)
#include "import/tflite/schema.def"
#undef TABLE
#undef FIELD
#undef OPTIONS
};

static const struct options_row {
  uint8_t code;
  qn_fb_row table;
} options_rows[] = {
#define TABLE(table, text)
#define FIELD(table, name, ...)
#define OPTIONS(code, table) {code, QN_FB_##table},
#include "import/tflite/schema.def"
#undef TABLE
#undef FIELD
#undef OPTIONS
};

qn_fb_row qn_fb_options_table(uint8_t code) {
  for (size_t i = 0; i < QN_COUNT(options_rows); i++)
    if (options_rows[i].code == code) return options_rows[i].table;
  return QN_FB_NO_OPTIONS;
}

uint8_t qn_fb_options_code(qn_fb_row table) {
  for (size_t i = 0; i < QN_COUNT(options_rows); i++)
    if (options_rows[i].table == table) return options_rows[i].code;
  return 0;
}

uint16_t qn_fb_load_u16(const uint8_t *p) { return (uint16_t)(p[0] | p[1] << 8); }

uint32_t qn_fb_load_u32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint64_t qn_fb_load_u64(const uint8_t *p) {
  return (uint64_t)qn_fb_load_u32(p) | (uint64_t)qn_fb_load_u32(p + 4) << 32;
}

/* Position of a field in the file; 0 if absent. */
static size_t field_at(qn_fb_table table, qn_fb_row field) {
  if (table.at == 0) return 0;
  QN_ASSERT(qn_fb_schema[field].table == table.row);
  const uint8_t *base = table.file.data;
  size_t vtable = (size_t)((int64_t)table.at - (int32_t)qn_fb_load_u32(base + table.at));
  size_t slot = 4 + 2 * (size_t)qn_fb_schema[field].id;
  if (slot + 2 > qn_fb_load_u16(base + vtable)) return 0;
  uint16_t offset = qn_fb_load_u16(base + vtable + slot);
  return offset ? table.at + offset : 0;
}

/* Position that the offset in a field refers to; 0 if absent. */
static size_t target_of(qn_fb_table table, qn_fb_row field) {
  size_t at = field_at(table, field);
  return at ? at + qn_fb_load_u32(table.file.data + at) : 0;
}

bool qn_fb_has(qn_fb_table table, qn_fb_row field) { return field_at(table, field) != 0; }

int64_t qn_fb_int(qn_fb_table table, qn_fb_row field) {
  size_t at = field_at(table, field);
  if (!at) return qn_fb_schema[field].fallback;
  const uint8_t *p = table.file.data + at;
  switch (qn_fb_schema[field].kind) {
  case QN_FB_KIND_U8:
    return p[0];
  case QN_FB_KIND_I8:
    return (int8_t)p[0];
  case QN_FB_KIND_BOOL:
    return p[0] != 0;
  case QN_FB_KIND_U32:
    return qn_fb_load_u32(p);
  case QN_FB_KIND_I32:
    return (int32_t)qn_fb_load_u32(p);
  case QN_FB_KIND_U64:
    return (int64_t)qn_fb_load_u64(p);
  default:
    QN_UNREACHABLE("not an integer field");
  }
}

static float float_of(const uint8_t *p) {
  uint32_t bits = qn_fb_load_u32(p);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

float qn_fb_float(qn_fb_table table, qn_fb_row field) {
  size_t at = field_at(table, field);
  return at ? float_of(table.file.data + at) : (float)qn_fb_schema[field].fallback;
}

qn_fb_vector qn_fb_vector_of(qn_fb_table table, qn_fb_row field) {
  size_t at = target_of(table, field);
  if (!at) return (qn_fb_vector){table.file, 0, 0};
  return (qn_fb_vector){table.file, at + 4, qn_fb_load_u32(table.file.data + at)};
}

qn_str qn_fb_string(qn_fb_table table, qn_fb_row field) {
  qn_fb_vector v = qn_fb_vector_of(table, field);
  return v.count ? (qn_str){(const char *)table.file.data + v.at, v.count} : (qn_str){"", 0};
}

qn_bytes qn_fb_bytes(qn_fb_table table, qn_fb_row field) {
  qn_fb_vector v = qn_fb_vector_of(table, field);
  return v.count ? (qn_bytes){table.file.data + v.at, v.count} : (qn_bytes){NULL, 0};
}

qn_fb_table qn_fb_child(qn_fb_table table, qn_fb_row field) {
  return (qn_fb_table){table.file, target_of(table, field), qn_fb_schema[field].of};
}

qn_fb_table qn_fb_options(qn_fb_table op, qn_fb_row row) {
  uint8_t code = (uint8_t)qn_fb_int(op, QN_FB_OPERATOR_BUILTIN_OPTIONS_TYPE);
  size_t at = 0;
  if (code && qn_fb_options_table(code) == row) at = target_of(op, QN_FB_OPERATOR_BUILTIN_OPTIONS);
  return (qn_fb_table){op.file, at, row};
}

int32_t qn_fb_i32_at(qn_fb_vector vector, uint32_t index) {
  QN_ASSERT(index < vector.count);
  return (int32_t)qn_fb_load_u32(vector.file.data + vector.at + 4 * (size_t)index);
}

int64_t qn_fb_i64_at(qn_fb_vector vector, uint32_t index) {
  QN_ASSERT(index < vector.count);
  return (int64_t)qn_fb_load_u64(vector.file.data + vector.at + 8 * (size_t)index);
}

float qn_fb_f32_at(qn_fb_vector vector, uint32_t index) {
  QN_ASSERT(index < vector.count);
  return float_of(vector.file.data + vector.at + 4 * (size_t)index);
}

qn_fb_table qn_fb_child_at(qn_fb_vector vector, uint32_t index, qn_fb_row row) {
  QN_ASSERT(index < vector.count);
  size_t at = vector.at + 4 * (size_t)index;
  return (qn_fb_table){vector.file, at + qn_fb_load_u32(vector.file.data + at), row};
}
