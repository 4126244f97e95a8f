/* Reading protobuf messages by a table of the schema (schema.def). One pass over the bytes checks
 * the wire format and makes a record of each message: its known fields in the order of the file.
 * Strings, bytes and packed numbers stay in the file, which the records borrow from.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_PROTOBUF_H
#define QN_IMPORT_ONNX_PROTOBUF_H

#include <stdbool.h>

#include "diag/diag.h"

/* One enumerator per row of the schema. A message is named by its own row; its fields follow it. */
typedef enum qn_pb_row {
#define MESSAGE(message, text) QN_PB_##message,
#define FIELD(message, name, ...) QN_PB_##message##_##name,
#include "import/onnx/schema.def"
#undef MESSAGE
#undef FIELD
  QN_PB_ROW_COUNT
} qn_pb_row;

typedef enum qn_pb_kind {
  QN_PB_KIND_MESSAGE, /* the row opens a message */
  QN_PB_KIND_INT,
  QN_PB_KIND_FLOAT,
  QN_PB_KIND_STRING,
  QN_PB_KIND_BYTES,
  QN_PB_KIND_INTS,
  QN_PB_KIND_FLOATS,
  QN_PB_KIND_DOUBLES,
  QN_PB_KIND_STRINGS,
  QN_PB_KIND_CHILD,
  QN_PB_KIND_CHILDREN
} qn_pb_kind;

typedef struct qn_pb_message qn_pb_message;

/* One occurrence of a field. */
typedef struct qn_pb_entry {
  uint16_t row;
  bool packed;    /* `bytes` holds a packed run of numbers */
  uint32_t count; /* quantity of numbers in the packed run; else 1 */
  union {
    int64_t number; /* bits of a float or double */
    qn_bytes bytes;
    qn_pb_message *child;
  };
} qn_pb_entry;

struct qn_pb_message {
  uint16_t row;
  uint32_t count;
  size_t at; /* offset in the file, for messages */
  qn_pb_entry *entries;
  qn_pb_message *next, *last; /* further occurrences of a message that is merged */
};

/* Parses the file and stores the record of its root message in *out_root. All records live in
 * `arena`. Damage is reported at `loc` with the path and the offset ("graph.node[5].input: ...")
 * and gives QN_INVALID. QN_LIMIT if the records would take much more memory than the file, as for a
 * file of empty messages. */
QN_NODISCARD qn_status qn_pb_read(qn_diag_engine *diag, const qn_loc *loc, qn_bytes file,
                                  qn_arena *arena, const qn_pb_message **out_root);

/* Whether the bytes begin as a model does: with a plausible version, followed by known fields. */
bool qn_pb_is_model(qn_bytes bytes);

/* ---- access; an absent message (NULL) has no fields ---- */

bool qn_pb_has(const qn_pb_message *message, qn_pb_row field);
int64_t qn_pb_int(const qn_pb_message *message, qn_pb_row field); /* absent: 0 */
float qn_pb_float(const qn_pb_message *message, qn_pb_row field);
qn_str qn_pb_string(const qn_pb_message *message, qn_pb_row field);
qn_bytes qn_pb_bytes(const qn_pb_message *message, qn_pb_row field);
const qn_pb_message *qn_pb_child(const qn_pb_message *message, qn_pb_row field);

/* A walk over the occurrences of a repeated field, in the order of the file. */
typedef struct qn_pb_walk {
  const qn_pb_message *part;
  uint32_t index;
  qn_pb_row field;
} qn_pb_walk;
qn_pb_walk qn_pb_begin(const qn_pb_message *message, qn_pb_row field);
bool qn_pb_next_child(qn_pb_walk *walk, const qn_pb_message **out_child);
bool qn_pb_next_string(qn_pb_walk *walk, qn_str *out_string);

/* Elements of a repeated field: numbers, strings or messages. */
size_t qn_pb_count(const qn_pb_message *message, qn_pb_row field);
/* Stores all numbers of a repeated field in `out`, which has room for qn_pb_count numbers. Floats
 * are stored as their bits. */
void qn_pb_numbers(const qn_pb_message *message, qn_pb_row field, int64_t *out);
/* The packed run that holds all numbers of a field, if there is only one and its numbers have 32 or
 * 64 bits; else size 0. */
qn_bytes qn_pb_packed(const qn_pb_message *message, qn_pb_row field);

#endif
