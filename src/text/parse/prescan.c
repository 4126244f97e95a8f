/* The scan before the parse, for location aliases and the resource section.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "text/parser.h"

static bool contains(qn_str text, const char *what) {
  return memmem(text.data, text.size, what, strlen(what)) != NULL;
}

/* Whether the text can contain "{-#" or "#alias = loc(". Most texts lack these characters, so that
 * the scan is skipped. */
static bool worth_a_scan(qn_str text) {
  return text.size && memchr(text.data, '#', text.size) &&
         (contains(text, "{-#") || contains(text, "= loc("));
}

void qn_prescan(qn_parser *p, qn_str text) {
  if (!worth_a_scan(text)) return;
  qn_parse_mark start = qn_parse_get_mark(p);
  while (!qn_at(p, QN_TOK_EOF)) {
    if (qn_at(p, QN_TOK_META_BEGIN)) {
      if (!qn_parse_resources(p)) qn_skip_resources(p);
    } else if (!qn_at(p, QN_TOK_HASH_ID) || !qn_note_loc_alias(p)) {
      qn_advance(p);
    }
  }
  p->braces = 0;
  qn_parse_rewind(p, start);
}
