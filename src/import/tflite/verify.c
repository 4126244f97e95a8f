/* The verifier of flatbuffer.h. In an accepted file, no access through its offsets is out of
 * bounds.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>

#include "import/tflite/flatbuffer.h"

/* Every visit is charged, so that many offsets to the same bytes exhaust the budget: a table costs
 * TABLE_COST units, vectors and strings one per byte. Converters share vtables and a few vectors
 * only; their files stay below 2 units per byte. */
enum { TABLE_COST = 16, BUDGET_PER_BYTE = 4, BUDGET_BASE = 4096, MAX_REPORTED = 20 };

/* The path to the current position, for messages; on the stack. */
typedef struct path {
  const struct path *up;
  qn_fb_row field;
  int64_t index; /* index in a vector; -1 if not an element */
} path;

typedef struct verifier {
  qn_diag_engine *diag;
  const qn_loc *loc;
  qn_bytes file; /* the part of the file that offsets can reach */
  size_t end;    /* end of the bytes that were checked */
  int64_t budget;
  uint32_t problems;
  uint32_t outside; /* number of problems beyond the end of the file, which share one message */
  bool exhausted;
} verifier;

static void render(const path *p, qn_text *out) {
  if (!p) return;
  render(p->up, out);
  if (out->size) qn_text_putc(out, '.');
  for (const char *c = qn_fb_schema[p->field].name; *c; c++) {
    qn_text_putc(out, (char)tolower((unsigned char)*c));
  }
  if (p->index >= 0) qn_text_format(out, "[%lld]", (long long)p->index);
}

static void report(verifier *v, const path *p, const char *what, const char *behind) {
  qn_text where = {0};
  render(p, &where);
  qn_status ignored =
      qn_error(v->diag, v->loc, QN_INVALID, "%.*s%s%s%s", QN_STR_ARG(qn_text_view(&where)),
               where.size ? ": " : "", what, behind);
  (void)ignored;
  qn_text_deinit(&where);
}

static bool damaged(verifier *v, const path *p, const char *what) {
  if (v->problems++ < MAX_REPORTED) report(v, p, what, "");
  return false;
}

/* Reports a position beyond the end, once per file, because a truncated file has thousands of them.
 */
static bool beyond(verifier *v, const path *p, const char *what) {
  if (v->outside++ == 0) report(v, p, what, ": it is damaged, or was cut short");
  return false;
}

static bool inside(verifier *v, size_t at, size_t size) {
  if (at > v->file.size || size > v->file.size - at) return false;
  if (at + size > v->end) v->end = at + size;
  return true;
}

static bool spend(verifier *v, size_t cost) {
  v->budget -= (int64_t)cost;
  if (v->budget < 0) v->exhausted = true;
  return !v->exhausted;
}

/* Bytes of a scalar or of an element of a vector. */
static size_t width_of(qn_fb_kind kind) {
  static const uint8_t widths[] = {
      [QN_FB_KIND_U8] = 1,    [QN_FB_KIND_I8] = 1,       [QN_FB_KIND_BOOL] = 1,
      [QN_FB_KIND_U32] = 4,   [QN_FB_KIND_I32] = 4,      [QN_FB_KIND_F32] = 4,
      [QN_FB_KIND_U64] = 8,   [QN_FB_KIND_STRING] = 1,   [QN_FB_KIND_BYTES] = 1,
      [QN_FB_KIND_I32S] = 4,  [QN_FB_KIND_I64S] = 8,     [QN_FB_KIND_F32S] = 4,
      [QN_FB_KIND_CHILD] = 4, [QN_FB_KIND_CHILDREN] = 4, [QN_FB_KIND_UNION] = 4,
  };
  return widths[kind];
}

static bool verify_table(verifier *v, size_t at, qn_fb_row row, const path *p);

/* Follows the offset stored at `at`. */
static bool follow(verifier *v, size_t at, const path *p, size_t *out_target) {
  uint32_t offset = qn_fb_load_u32(v->file.data + at);
  if (offset == 0) return damaged(v, p, "an offset is zero");
  *out_target = at + offset;
  if (!inside(v, *out_target, 4)) return beyond(v, p, "an offset leads outside of the file");
  return true;
}

static bool verify_vector(verifier *v, size_t at, qn_fb_row field, const path *p) {
  qn_fb_kind kind = qn_fb_schema[field].kind;
  uint32_t count = qn_fb_load_u32(v->file.data + at);
  if (!inside(v, at + 4, count * width_of(kind)))
    return beyond(v, p,
                  kind == QN_FB_KIND_STRING ? "a string reaches beyond the end of the file"
                                            : "a vector reaches beyond the end of the file");
  if (kind == QN_FB_KIND_BYTES) return true; /* payload: the import does not iterate over it */
  if (!spend(v, count * width_of(kind))) return false;
  if (kind != QN_FB_KIND_CHILDREN) return true;
  bool good = true;
  for (uint32_t i = 0; i < count && !v->exhausted; i++) {
    path here = {p->up, p->field, i};
    size_t child;
    good &= follow(v, at + 4 + 4 * (size_t)i, &here, &child) &&
            verify_table(v, child, qn_fb_schema[field].of, &here);
  }
  return good;
}

static bool verify_field(verifier *v, qn_fb_table table, qn_fb_row field, size_t at,
                         const path *up) {
  const qn_fb_info *info = &qn_fb_schema[field];
  path here = {up, field, -1};
  size_t width = info->kind >= QN_FB_KIND_STRING ? 4 : width_of(info->kind);
  if (!inside(v, at, width)) return beyond(v, &here, "a field lies outside of the file");
  if (info->kind < QN_FB_KIND_STRING) return true;
  size_t target;
  if (info->kind == QN_FB_KIND_UNION) {
    /* The selector precedes the union in the schema, so it has been checked. */
    qn_fb_row of = qn_fb_options_table((uint8_t)qn_fb_int(table, field - 1));
    return of == QN_FB_NO_OPTIONS ||
           (follow(v, at, &here, &target) && verify_table(v, target, of, &here));
  }
  if (!follow(v, at, &here, &target)) return false;
  if (info->kind == QN_FB_KIND_CHILD) return verify_table(v, target, info->of, &here);
  return verify_vector(v, target, field, &here);
}

static bool verify_table(verifier *v, size_t at, qn_fb_row row, const path *p) {
  if (!spend(v, TABLE_COST)) return false;
  if (!inside(v, at, 4)) return beyond(v, p, "a table lies outside of the file");
  int64_t vtable = (int64_t)at - (int32_t)qn_fb_load_u32(v->file.data + at);
  if (vtable < 0 || !inside(v, (size_t)vtable, 4))
    return beyond(v, p, "a vtable lies outside of the file");
  uint16_t size = qn_fb_load_u16(v->file.data + vtable);
  if (size < 4 || size % 2) return damaged(v, p, "a vtable has an impossible size");
  if (!inside(v, (size_t)vtable, size)) return beyond(v, p, "a vtable lies outside of the file");
  qn_fb_table table = {v->file, at, row};
  bool good = true;
  for (qn_fb_row field = row + 1; field < QN_FB_ROW_COUNT && qn_fb_schema[field].table == row;
       field++) {
    size_t slot = 4 + 2 * (size_t)qn_fb_schema[field].id;
    uint16_t offset = slot + 2 > size ? 0 : qn_fb_load_u16(v->file.data + vtable + slot);
    if (!offset) continue;
    bool fits = verify_field(v, table, field, at + offset, p);
    if (!fits && qn_fb_schema[field].kind < QN_FB_KIND_STRING)
      return false; /* the field may select a union */
    good &= fits;
  }
  return good;
}

qn_status qn_fb_verify(qn_diag_engine *diag, const qn_loc *loc, qn_bytes file,
                       qn_fb_table *out_root, size_t *out_end) {
  if (file.size == 0) return qn_error(diag, loc, QN_INVALID, "the file is empty");
  if (file.size < 8 || memcmp(file.data + 4, "TFL3", 4) != 0)
    return qn_error(diag, loc, QN_INVALID,
                    "not a TensorFlow Lite model: the identifier TFL3 is missing");
  bool is_long = file.size > INT32_MAX;
  if (is_long) file.size = INT32_MAX;
  verifier v = {.diag = diag,
                .loc = loc,
                .file = file,
                .budget = BUDGET_BASE + BUDGET_PER_BYTE * (int64_t)file.size};
  size_t root = 0;
  bool good = follow(&v, 0, NULL, &root) && verify_table(&v, root, QN_FB_MODEL, NULL);
  if ((v.problems || v.outside) && is_long)
    qn_remark(diag, loc, "of a file above 2 GiB these are all that a FlatBuffer can have");
  if (v.problems > MAX_REPORTED)
    return qn_error(diag, loc, QN_INVALID, "%u more damaged places", v.problems - MAX_REPORTED);
  if (v.problems || v.outside) return QN_INVALID;
  if (v.exhausted || !good)
    return qn_error(diag, loc, QN_LIMIT,
                    "the same bytes are used by so many offsets that the file is not read");
  *out_root = (qn_fb_table){file, root, QN_FB_MODEL};
  *out_end = v.end;
  return QN_OK;
}
