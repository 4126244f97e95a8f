/* Diagnostics as text. Names and source lines come from files, so control characters in them, and
 * bytes that are no characters, are shown as '?': a model must not be able to move the user's
 * cursor.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "diag/diag.h"

enum {
  MAX_DEPTH = 16,    /* of nested locations shown; deeper ones end in "..." */
  LINE_BEFORE = 100, /* characters of a source line shown left of the caret */
  LINE_AFTER = 60,
};

/* Bytes of the UTF-8 character at the front; 0 when there is none, or one that moves a cursor. */
static size_t character_size(qn_str text) {
  static const uint32_t least[] = {0, 0, 0xA0, 0x800, 0x10000}; /* by size; overlong below */
  unsigned char first = (unsigned char)text.data[0];
  if (first < 0x80) return first >= 32 && first != 127 ? 1 : first == '\t';
  size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  if (size == 0 || first >= 0xF8 || size > text.size) return 0;
  uint32_t value = first & (0x7Fu >> size);
  for (size_t i = 1; i < size; i++) {
    unsigned char next = (unsigned char)text.data[i];
    if ((next & 0xC0) != 0x80) return 0;
    value = value << 6 | (next & 0x3F);
  }
  bool valid = value >= least[size] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF);
  return valid ? size : 0;
}

static void put_clean(qn_text *out, qn_str text) {
  for (size_t i = 0; i < text.size;) {
    size_t size = character_size((qn_str){text.data + i, text.size - i});
    qn_text_put(out, size ? (qn_str){text.data + i, size} : qn_str_of("?"));
    i += size ? size : 1;
  }
}

void qn_diag_clean(char *text) {
  qn_str rest = qn_str_of(text);
  while (rest.size > 0) {
    size_t size = character_size(rest);
    if (size == 0) text[rest.data - text] = '?';
    rest.data += size ? size : 1;
    rest.size -= size ? size : 1;
  }
}

static void render_loc(const qn_loc *loc, int depth, qn_text *out) {
  static const char *const between[] = {
      [QN_LOC_NAME] = ": ", [QN_LOC_FUSED] = " and ", [QN_LOC_CALLSITE] = " called from "};
  if (depth == MAX_DEPTH) {
    qn_text_puts(out, "...");
    return;
  }
  for (uint32_t i = 0; i < loc->child_count; i++) {
    if (i > 0) qn_text_puts(out, between[loc->kind]);
    render_loc(loc->children[i], depth + 1, out);
  }
  if (loc->kind == QN_LOC_NAME && loc->child_count) qn_text_puts(out, between[loc->kind]);
  put_clean(out, loc->text);
  if (loc->kind == QN_LOC_FILE && loc->line) {
    qn_text_format(out, ":%u:%u", loc->line, loc->column);
  }
}

void qn_loc_render(const qn_loc *loc, qn_text *out) { render_loc(loc, 0, out); }

static const qn_loc *position_of(const qn_loc *loc, int depth) {
  if (loc->kind == QN_LOC_FILE) return loc->line ? loc : NULL;
  const qn_loc *found = NULL;
  for (uint32_t i = 0; i < loc->child_count && !found && depth < MAX_DEPTH; i++) {
    found = position_of(loc->children[i], depth + 1);
  }
  return found;
}

const qn_loc *qn_loc_position(const qn_loc *loc) { return position_of(loc, 0); }

qn_str qn_source_line(qn_str source, uint32_t line) {
  const char *at = source.data, *end = source.data + source.size;
  for (; line > 1 && at; line--) {
    at = memchr(at, '\n', (size_t)(end - at));
    if (at) at++;
  }
  if (!at) return (qn_str){NULL, 0};
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  return (qn_str){at, (size_t)((stop ? stop : end) - at)};
}

/* The line and a caret under the column; a long line is cut on both sides. */
static void render_source(const qn_loc *position, qn_str source, qn_text *out) {
  qn_str line = qn_source_line(source, position->line);
  if (!line.data) return;
  size_t caret = position->column > 0 ? position->column - 1 : 0;
  if (caret > line.size) caret = line.size;
  size_t start = caret > LINE_BEFORE ? caret - LINE_BEFORE : 0;
  size_t size = line.size - start;
  if (size > caret - start + LINE_AFTER) size = caret - start + LINE_AFTER;
  qn_text_putc(out, '\n');
  put_clean(out, (qn_str){line.data + start, size});
  qn_text_putc(out, '\n');
  for (size_t i = start; i < caret; i++) qn_text_putc(out, line.data[i] == '\t' ? '\t' : ' ');
  qn_text_putc(out, '^');
}

static void render_one(const qn_diag *diag, qn_str source, bool colour, qn_text *out) {
  static const struct {
    const char *word, *colour;
  } severities[] = {
      [QN_ERROR] = {"error", "\033[1;31m"}, [QN_WARNING] = {"warning", "\033[1;35m"},
      [QN_NOTE] = {"note", "\033[1;36m"},   [QN_REMARK] = {"remark", "\033[1;34m"},
      [QN_HELP] = {"help", "\033[1;32m"},
  };
  size_t before = out->size;
  qn_loc_render(diag->loc, out);
  if (out->size > before) qn_text_puts(out, ": ");
  if (colour) qn_text_puts(out, severities[diag->severity].colour);
  qn_text_puts(out, severities[diag->severity].word);
  if (diag->code) qn_text_format(out, "[%s]", diag->code);
  qn_text_puts(out, colour ? ":\033[0m " : ": ");
  put_clean(out, diag->text);
  const qn_loc *position = position_of(diag->loc, 0);
  if (position && source.size) render_source(position, source, out);
  qn_text_putc(out, '\n');
}

void qn_diag_render(const qn_diag *diag, qn_str source, bool colour, qn_text *out) {
  render_one(diag, source, colour, out);
  for (uint32_t i = 0; i < diag->note_count; i++) render_one(&diag->notes[i], source, colour, out);
}
