/* The wire format: see protobuf.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "import/onnx/protobuf.h"

#include <ctype.h>

#include "import/onnx/wire.h"

enum {
  MAX_DEPTH = 200, /* nesting of messages, about 64 nested graphs */
  MAX_FIELDS = 16, /* fields of a message in the schema */
  MAX_REPORTED = 20
};
/* Memory budget of parsed messages: in files of exporters these take at most 4 times the file's
 * bytes, if all of it is nodes. */
static const int64_t budget_base = 64 << 20, budget_per_byte = 8;

static const struct row {
  const char *name; /* name of the message or field */
  uint16_t message, of;
  uint8_t kind, number;
} schema[QN_PB_ROW_COUNT] = {
#define MESSAGE(message, text) {text, QN_PB_##message, 0, QN_PB_KIND_MESSAGE, 0},
#define FIELD(message, name, number, kind, of)                                                     \
  {#name, QN_PB_##message, QN_PB_##of, QN_PB_KIND_##kind, number},
#include "import/onnx/schema.def"
#undef MESSAGE
#undef FIELD
};

/* The path to the current position, for messages; on the stack. */
typedef struct path {
  const struct path *up;
  uint16_t field;
  uint32_t index;
} path;

typedef struct reader {
  qn_diag_engine *diag;
  const qn_loc *loc;
  qn_bytes file;
  qn_arena *arena;
  int64_t budget;
  uint32_t problems;
} reader;

static void render(const path *p, qn_text *out) {
  if (!p) return;
  render(p->up, out);
  for (const char *c = schema[p->field].name; *c; c++)
    qn_text_putc(out, (char)tolower((unsigned char)*c));
  uint8_t kind = schema[p->field].kind;
  if (kind == QN_PB_KIND_CHILDREN || kind == QN_PB_KIND_STRINGS)
    qn_text_format(out, "[%u]", p->index);
  qn_text_puts(out, ".");
}

static bool damaged(reader *r, const path *p, size_t at, const char *what) {
  if (r->problems++ >= MAX_REPORTED) return false;
  qn_text where = {0};
  render(p, &where);
  if (where.size) where.data[where.size - 1] = ':';
  qn_status ignored = qn_error(r->diag, r->loc, QN_INVALID, "%.*s%sbyte %zu: %s",
                               QN_STR_ARG(qn_text_view(&where)), where.size ? " " : "", at, what);
  (void)ignored;
  qn_text_deinit(&where);
  return false;
}

static uint16_t field_of(uint16_t message, uint64_t number) {
  for (uint16_t f = message + 1; f < QN_PB_ROW_COUNT && schema[f].message == message; f++)
    if (schema[f].number == number) return f;
  return 0;
}

/* Bit set of the wire types that a field may have. */
static uint32_t wires_of(uint8_t kind) {
  switch (kind) {
  case QN_PB_KIND_INT:
    return 1u << QN_WIRE_VARINT;
  case QN_PB_KIND_FLOAT:
    return 1u << QN_WIRE_32;
  case QN_PB_KIND_INTS:
    return 1u << QN_WIRE_VARINT | 1u << QN_WIRE_BYTES;
  case QN_PB_KIND_FLOATS:
    return 1u << QN_WIRE_32 | 1u << QN_WIRE_BYTES;
  case QN_PB_KIND_DOUBLES:
    return 1u << QN_WIRE_64 | 1u << QN_WIRE_BYTES;
  default:
    return 1u << QN_WIRE_BYTES;
  }
}

static bool is_repeated(uint8_t kind) {
  return kind == QN_PB_KIND_CHILDREN || (kind >= QN_PB_KIND_INTS && kind <= QN_PB_KIND_STRINGS);
}

/* Bytes of a number in a packed run; 0: varint. */
static size_t width_of(uint8_t kind) {
  return kind == QN_PB_KIND_FLOATS ? 4 : kind == QN_PB_KIND_DOUBLES ? 8 : 0;
}

/* Counts the numbers in a packed run; false if it ends within a number, or a number is too long. */
static bool count_packed(uint8_t kind, qn_bytes run, uint32_t *out_count) {
  const size_t width = width_of(kind);
  if (width > 0) {
    *out_count = (uint32_t)(run.size / width);
    return run.size % width == 0;
  }
  qn_wire w = {run.data, 0, run.size};
  uint64_t ignored;
  for (*out_count = 0; w.at < w.end; ++*out_count)
    if (!qn_wire_varint(&w, &ignored)) return false;
  return true;
}

/* Stores a known field that is not a message. */
static bool read_field(reader *r, const qn_wire_field *f, uint16_t row, const path *up,
                       qn_pb_entry *entry) {
  path here = {up, row, 0};
  uint8_t kind = schema[row].kind;
  size_t at = (size_t)(f->bytes.data - r->file.data);
  *entry = (qn_pb_entry){.row = row, .count = 1};
  if (f->wire != QN_WIRE_BYTES) {
    entry->number = (int64_t)f->number;
    return true;
  }
  entry->bytes = f->bytes;
  if (kind < QN_PB_KIND_INTS || kind > QN_PB_KIND_DOUBLES) return true;
  if (f->bytes.size > UINT32_MAX || !count_packed(kind, f->bytes, &entry->count))
    return damaged(r, &here, at, "packed numbers do not end with their bytes");
  entry->packed = true;
  return true;
}

/* Reads the next field of the wire, without parsing its content. */
static bool next_field(reader *r, qn_wire *w, const path *p, qn_wire_field *f) {
  size_t before = w->at;
  const char *problem = qn_wire_next(w, f);
  return !problem || damaged(r, p, (size_t)(w->data - r->file.data) + before, problem);
}

/* Counts known fields; false if damaged. */
static bool count_fields(reader *r, qn_bytes bytes, uint16_t row, const path *p,
                         uint32_t *out_count) {
  qn_wire w = {bytes.data, 0, bytes.size};
  qn_wire_field f;
  for (*out_count = 0; w.at < w.end;) {
    if (!next_field(r, &w, p, &f)) return false;
    uint16_t field = field_of(row, f.field);
    if (field == 0) continue;
    if (!(wires_of(schema[field].kind) >> f.wire & 1)) {
      path here = {p, field, 0};
      size_t at = (size_t)(bytes.data - r->file.data) + w.at;
      return damaged(r, &here, at, "the field has another wire type");
    }
    ++*out_count;
  }
  return true;
}

static bool spend(reader *r, size_t bytes) {
  r->budget -= (int64_t)bytes;
  return r->budget >= 0;
}

static void chain(qn_pb_message **merged, qn_pb_message *part) {
  part->last = part;
  if (!*merged) {
    *merged = part;
    return;
  }
  (*merged)->last->next = part;
  (*merged)->last = part;
}

/* Parses a message from bytes and appends it to *merged. */
static bool read_message(reader *r, qn_bytes bytes, uint16_t row, const path *p, uint32_t depth,
                         qn_pb_message **merged) {
  uint32_t count, seen[MAX_FIELDS] = {0};
  qn_pb_message *children[MAX_FIELDS] = {NULL};
  size_t at = (size_t)(bytes.data - r->file.data);
  if (depth > MAX_DEPTH) return damaged(r, p, at, "messages are nested more than 200 deep");
  if (!count_fields(r, bytes, row, p, &count)) return false;
  if (!spend(r, sizeof(qn_pb_message) + count * sizeof(qn_pb_entry))) return false;
  qn_pb_message *m = QN_NEW(r->arena, qn_pb_message);
  *m = (qn_pb_message){.row = row, .at = at};
  m->entries = QN_NEW_ARRAY(r->arena, count, qn_pb_entry);
  chain(merged, m);
  qn_wire w = {bytes.data, 0, bytes.size};
  qn_wire_field f;
  bool good = true;
  while (w.at < w.end) {
    const char *problem = qn_wire_next(&w, &f);
    QN_ASSERT(!problem); /* already checked while counting */
    const uint16_t field = field_of(row, f.field);
    if (field == 0) continue;
    uint8_t kind = schema[field].kind;
    if (kind != QN_PB_KIND_CHILD && kind != QN_PB_KIND_CHILDREN) {
      good &= read_field(r, &f, field, p, &m->entries[m->count++]);
      continue;
    }
    const int of = field - row - 1;
    path here = {p, field, seen[of]++};
    bool first = kind == QN_PB_KIND_CHILDREN || !children[of];
    if (kind == QN_PB_KIND_CHILDREN) children[of] = NULL;
    good &= read_message(r, f.bytes, schema[field].of, &here, depth + 1, &children[of]);
    if (r->budget < 0) return false;
    if (first && children[of])
      m->entries[m->count++] = (qn_pb_entry){.row = field, .count = 1, .child = children[of]};
  }
  return good;
}

qn_status qn_pb_read(qn_diag_engine *diag, const qn_loc *loc, qn_bytes file, qn_arena *arena,
                     const qn_pb_message **out_root) {
  if (file.size == 0) return qn_error(diag, loc, QN_INVALID, "the file is empty");
  reader r = {.diag = diag,
              .loc = loc,
              .file = file,
              .arena = arena,
              .budget = budget_base + budget_per_byte * (int64_t)file.size};
  qn_pb_message *root = NULL;
  bool good = read_message(&r, file, QN_PB_MODEL, NULL, 0, &root);
  if (r.problems > MAX_REPORTED)
    return qn_error(diag, loc, QN_INVALID, "%u more damaged places", r.problems - MAX_REPORTED);
  if (r.problems) return QN_INVALID;
  if (!good)
    return qn_error(diag, loc, QN_LIMIT, "the file has so many small messages that it is not read");
  *out_root = root;
  return QN_OK;
}

/* Detects the format from a few fields: text and other formats do not begin with a small version
 * followed by valid fields. A SavedModel does, with version 1. */
bool qn_pb_is_model(qn_bytes bytes) {
  enum { OLDEST_PLAUSIBLE = 2, NEWEST_PLAUSIBLE = 127, FIELDS = 4, VERSION = 1, MODEL_VERSION = 5 };
  static const uint32_t messages = 1u << 2 | 1u << 3 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 8 |
                                   1u << 14 | 1u << 20 | 1u << 25 | 1u << 26;
  qn_wire w = {bytes.data, 0, bytes.size};
  for (uint32_t i = 0; i < FIELDS && w.at < w.end; i++) {
    qn_wire tag = w;
    qn_wire_field f;
    uint64_t key;
    if (!qn_wire_varint(&tag, &key)) return false;
    bool number = key == (VERSION << 3 | QN_WIRE_VARINT) ||
                  (i > 0 && key == (MODEL_VERSION << 3 | QN_WIRE_VARINT));
    bool text = (key & 7) == QN_WIRE_BYTES && key >> 3 < 32 && (messages >> (key >> 3) & 1);
    if (i == 0 ? !number : !number && !text) return false;
    if (qn_wire_next(&w, &f)) return i > 0; /* the bytes are a prefix of the file, or damaged */
    if (i == 0 && (f.number < OLDEST_PLAUSIBLE || f.number > NEWEST_PLAUSIBLE)) return false;
  }
  return bytes.size > 0;
}

/* ---- access ---- */

qn_pb_walk qn_pb_begin(const qn_pb_message *message, qn_pb_row field) {
  QN_ASSERT(!message || schema[field].message == message->row);
  return (qn_pb_walk){message, 0, field};
}

static const qn_pb_entry *next_entry(qn_pb_walk *walk) {
  for (; walk->part; walk->part = walk->part->next, walk->index = 0)
    while (walk->index < walk->part->count) {
      const qn_pb_entry *e = &walk->part->entries[walk->index++];
      if (e->row == walk->field) return e;
    }
  return NULL;
}

bool qn_pb_next_child(qn_pb_walk *walk, const qn_pb_message **out_child) {
  const qn_pb_entry *e = next_entry(walk);
  if (e) *out_child = e->child;
  return e != NULL;
}

bool qn_pb_next_string(qn_pb_walk *walk, qn_str *out_string) {
  const qn_pb_entry *e = next_entry(walk);
  if (e) *out_string = (qn_str){(const char *)e->bytes.data, e->bytes.size};
  return e != NULL;
}

static const qn_pb_entry *last_entry(const qn_pb_message *message, qn_pb_row field) {
  qn_pb_walk walk = qn_pb_begin(message, field);
  const qn_pb_entry *last = NULL;
  for (const qn_pb_entry *e; (e = next_entry(&walk));) last = e;
  return last;
}

bool qn_pb_has(const qn_pb_message *message, qn_pb_row field) {
  return last_entry(message, field) != NULL;
}

int64_t qn_pb_int(const qn_pb_message *message, qn_pb_row field) {
  const qn_pb_entry *e = last_entry(message, field);
  return e ? e->number : 0;
}

float qn_pb_float(const qn_pb_message *message, qn_pb_row field) {
  uint32_t bits = (uint32_t)qn_pb_int(message, field);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

qn_bytes qn_pb_bytes(const qn_pb_message *message, qn_pb_row field) {
  const qn_pb_entry *e = last_entry(message, field);
  return e ? e->bytes : (qn_bytes){NULL, 0};
}

qn_str qn_pb_string(const qn_pb_message *message, qn_pb_row field) {
  qn_bytes bytes = qn_pb_bytes(message, field);
  return bytes.size ? (qn_str){(const char *)bytes.data, bytes.size} : (qn_str){"", 0};
}

const qn_pb_message *qn_pb_child(const qn_pb_message *message, qn_pb_row field) {
  const qn_pb_entry *e = last_entry(message, field);
  return e ? e->child : NULL;
}

size_t qn_pb_count(const qn_pb_message *message, qn_pb_row field) {
  QN_ASSERT(is_repeated(schema[field].kind));
  qn_pb_walk walk = qn_pb_begin(message, field);
  size_t count = 0;
  for (const qn_pb_entry *e; (e = next_entry(&walk));) count += e->count;
  return count;
}

static int64_t *unpack(const qn_pb_entry *e, size_t width, int64_t *out) {
  qn_wire w = {e->bytes.data, 0, e->bytes.size};
  for (uint32_t i = 0; i < e->count; i++) {
    uint64_t number = 0;
    if (width == 4)
      number = qn_wire_load_32(e->bytes.data + 4 * (size_t)i);
    else if (width == 8)
      number = qn_wire_load_64(e->bytes.data + 8 * (size_t)i);
    else if (!qn_wire_varint(&w, &number))
      QN_UNREACHABLE("packed numbers have been counted");
    *out++ = (int64_t)number;
  }
  return out;
}

void qn_pb_numbers(const qn_pb_message *message, qn_pb_row field, int64_t *out) {
  qn_pb_walk walk = qn_pb_begin(message, field);
  for (const qn_pb_entry *e; (e = next_entry(&walk));)
    if (e->packed)
      out = unpack(e, width_of(schema[field].kind), out);
    else
      *out++ = e->number;
}

qn_bytes qn_pb_packed(const qn_pb_message *message, qn_pb_row field) {
  QN_ASSERT(width_of(schema[field].kind) > 0);
  qn_pb_walk walk = qn_pb_begin(message, field);
  const qn_pb_entry *first = next_entry(&walk), *second = next_entry(&walk);
  return first && first->packed && !second ? first->bytes : (qn_bytes){NULL, 0};
}
