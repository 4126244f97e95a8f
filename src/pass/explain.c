/* Decides which ops are explained, and reports the remarks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/explain.h"

#include <ctype.h>

/* ---- names of ops ---- */

qn_str qn_explained_pass(const char *explain) { return (qn_str){explain, strcspn(explain, "@")}; }

qn_str qn_explained_node(const char *explain) {
  const char *at = strchr(explain, '@');
  return at ? qn_str_of(at + 1) : (qn_str){NULL, 0};
}

static bool begins_with_words(qn_str text, qn_str words) {
  if (words.size == 0 || text.size < words.size) return false;
  bool ends = text.size == words.size || !isalnum((unsigned char)text.data[words.size]);
  return ends && memcmp(text.data, words.data, words.size) == 0;
}

static bool is_place(const qn_loc *loc, qn_str node) {
  char line[32], column[64];
  snprintf(line, sizeof line, "%u", loc->line);
  snprintf(column, sizeof column, "%u:%u", loc->line, loc->column);
  return loc->line > 0 && (qn_str_is(node, line) || qn_str_is(node, column));
}

enum { MAX_DEPTH = 16 }; /* of locations in locations */

static bool is_location(const qn_loc *loc, qn_str node, uint32_t depth) {
  if (loc->kind == QN_LOC_NAME && begins_with_words(loc->text, node)) return true;
  if (loc->kind == QN_LOC_FILE && is_place(loc, node)) return true;
  for (uint32_t i = 0; i < loc->child_count && depth < MAX_DEPTH; i++)
    if (is_location(loc->children[i], node, depth + 1)) return true;
  return false;
}

bool qn_op_is_called(const qn_op *op, qn_str node) {
  qn_i64s tensors = qn_op_tensors(op);
  for (uint32_t i = 0; i < tensors.count; i++) {
    char number[32];
    snprintf(number, sizeof number, "%lld", (long long)tensors.data[i]);
    if (qn_str_is(node, number)) return true;
  }
  return is_location(op->loc, node, 0);
}

/* ---- what is asked for ---- */

bool qn_explains_why_not(const qn_pass_context *pc, const qn_op *op) {
  const char *explain = pc->explain;
  return explain && explain[0] && qn_str_is(qn_explained_pass(explain), pc->pass->name) &&
         qn_op_is_called(op, qn_explained_node(explain));
}

bool qn_explains(const qn_pass_context *pc, const qn_op *op) {
  const char *explain = pc->explain;
  return explain && (!explain[0] || qn_explains_why_not(pc, op));
}

void qn_explain(qn_pass_context *pc, const qn_loc *loc, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  qn_text text = {0};
  qn_text_vformat(&text, format, arguments);
  va_end(arguments);
  pc->explained = true;
  qn_remark(&pc->cx->diag, loc, "%s: %s", pc->pass->name, text.data);
  qn_text_deinit(&text);
}
