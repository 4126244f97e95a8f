/* Locations.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "text/printer.h"

static void print_location(qn_printer *out, const qn_loc *loc);

static void print_children(qn_printer *out, const qn_loc *loc, const char *between) {
  for (uint32_t i = 0; i < loc->child_count; i++) {
    if (i) qn_puts(out, between);
    print_location(out, loc->children[i]);
  }
}

static void print_location(qn_printer *out, const qn_loc *loc) {
  switch (loc->kind) {
  case QN_LOC_UNKNOWN:
    qn_puts(out, "unknown");
    return;
  case QN_LOC_FILE:
    qn_print_quoted(out, loc->text);
    qn_text_format(out->out, ":%" PRIu32 ":%" PRIu32, loc->line, loc->column);
    return;
  case QN_LOC_NAME:
    qn_print_quoted(out, loc->text);
    if (loc->child_count) qn_puts(out, "(");
    print_children(out, loc, "");
    if (loc->child_count) qn_puts(out, ")");
    return;
  case QN_LOC_FUSED:
    qn_puts(out, "fused[");
    print_children(out, loc, ", ");
    qn_puts(out, "]");
    return;
  case QN_LOC_CALLSITE:
    qn_puts(out, "callsite(");
    print_children(out, loc, " at ");
    qn_puts(out, ")");
    return;
  }
}

void qn_print_loc(qn_printer *out, const qn_loc *loc) {
  qn_puts(out, "loc(");
  print_location(out, loc);
  qn_puts(out, ")");
}

void qn_print_trailing_loc(qn_printer *out, const qn_loc *loc) {
  if (!out->options.locations || !loc) return;
  qn_puts(out, " ");
  qn_print_loc(out, loc);
}
