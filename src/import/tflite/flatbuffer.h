/* Reads FlatBuffers with a table of the schema (schema.def). First everything reachable is verified
 * (qn_fb_verify), then accessors read without further checks. Values are loaded byte by byte, so
 * alignment does not matter. Nothing is copied: views point into the file.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_TFLITE_FLATBUFFER_H
#define QN_IMPORT_TFLITE_FLATBUFFER_H

#include <stdbool.h>

#include "diag/diag.h"

/* One enumerator per row of the schema. A table has its own row, followed by its fields. */
typedef enum qn_fb_row {
#define TABLE(table, text) QN_FB_##table,
#define FIELD(table, name, ...) QN_FB_##table##_##name,
#define OPTIONS(code, table)
#include "import/tflite/schema.def"
#undef TABLE
#undef FIELD
#undef OPTIONS
  QN_FB_ROW_COUNT
} qn_fb_row;

typedef enum qn_fb_kind {
  QN_FB_KIND_TABLE, /* the row opens a table */
  QN_FB_KIND_U8,
  QN_FB_KIND_I8,
  QN_FB_KIND_BOOL,
  QN_FB_KIND_U32,
  QN_FB_KIND_I32,
  QN_FB_KIND_F32,
  QN_FB_KIND_U64,
  QN_FB_KIND_STRING,
  QN_FB_KIND_BYTES,
  QN_FB_KIND_I32S,
  QN_FB_KIND_I64S,
  QN_FB_KIND_F32S,
  QN_FB_KIND_CHILD,
  QN_FB_KIND_CHILDREN,
  QN_FB_KIND_UNION,
} qn_fb_kind;

typedef struct qn_fb_info {
  const char *name; /* name of the table or field, in lower case */
  qn_fb_row table;  /* the table that the row belongs to */
  qn_fb_kind kind;
  qn_fb_row of; /* table type of CHILD and CHILDREN */
  uint16_t id;
  int32_t fallback; /* default of an absent scalar */
} qn_fb_info;
extern const qn_fb_info qn_fb_schema[QN_FB_ROW_COUNT];

/* qn_fb_options_table gives the table that a code of the union of operator options selects, or
 * QN_FB_NO_OPTIONS if the importer does not read its fields. qn_fb_options_code gives the code of a
 * table, or 0 if the table is not in the union. */
qn_fb_row qn_fb_options_table(uint8_t code);
uint8_t qn_fb_options_code(qn_fb_row table);

/* A table in the file. If absent (at == 0), every scalar has its default, and everything else is
 * empty. */
typedef struct qn_fb_table {
  qn_bytes file;
  size_t at;
  qn_fb_row row;
} qn_fb_table;

/* A vector of `count` elements of 1, 4 or 8 bytes, or of table offsets. */
typedef struct qn_fb_vector {
  qn_bytes file;
  size_t at; /* offset of the first element */
  uint32_t count;
} qn_fb_vector;

/* Little-endian loads. */
uint16_t qn_fb_load_u16(const uint8_t *p);
uint32_t qn_fb_load_u32(const uint8_t *p);
uint64_t qn_fb_load_u64(const uint8_t *p);

/* Verifies everything reachable from the root by the schema. Damage is reported at `loc` with its
 * path ("subgraphs[0].operators[5].inputs: ..."), and gives QN_INVALID. A file in which so many
 * offsets refer to the same bytes that reading it would cost more than a fixed multiple of its size
 * gives QN_LIMIT, so that reading each vector a constant number of times takes linear time. Data
 * after the first 2 GiB is not part of the FlatBuffer; `out_end` is the end of the verified bytes.
 */
QN_NODISCARD qn_status qn_fb_verify(qn_diag_engine *diag, const qn_loc *loc, qn_bytes file,
                                    qn_fb_table *out_root, size_t *out_end);

bool qn_fb_has(qn_fb_table table, qn_fb_row field);
int64_t qn_fb_int(qn_fb_table table,
                  qn_fb_row field); /* U8 I8 BOOL U32 I32 U64 (two's complement) */
float qn_fb_float(qn_fb_table table, qn_fb_row field);
qn_str qn_fb_string(qn_fb_table table, qn_fb_row field);
qn_bytes qn_fb_bytes(qn_fb_table table, qn_fb_row field);
qn_fb_vector qn_fb_vector_of(qn_fb_table table, qn_fb_row field); /* I32S I64S F32S CHILDREN */
qn_fb_table qn_fb_child(qn_fb_table table, qn_fb_row field);
/* The options of an operator; absent if they are of another table than `row`. */
qn_fb_table qn_fb_options(qn_fb_table op, qn_fb_row row);

/* Element `index` of the vector; requires index < count. */
int32_t qn_fb_i32_at(qn_fb_vector vector, uint32_t index);
/* The sublist of `count` int32 elements from index `first` on. */
static inline qn_fb_vector qn_fb_i32_part(qn_fb_vector v, uint32_t first, uint32_t count) {
  return (qn_fb_vector){v.file, v.at + 4 * (size_t)first, count};
}
int64_t qn_fb_i64_at(qn_fb_vector vector, uint32_t index);
float qn_fb_f32_at(qn_fb_vector vector, uint32_t index);
qn_fb_table qn_fb_child_at(qn_fb_vector vector, uint32_t index, qn_fb_row row);

#endif
