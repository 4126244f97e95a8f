/* Names of passes and pipelines in reports and dumps.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>

#include "pass/manager.h"

/* "lower-quant-ops" becomes "LowerQuantOps". */
void qn_put_title(const qn_pass *pass, qn_text *out) {
  if (pass->title) {
    qn_text_puts(out, pass->title);
    return;
  }
  bool upper = true;
  for (const char *c = pass->name; *c; c++) {
    if (*c != '-') qn_text_putc(out, upper ? (char)toupper((unsigned char)*c) : *c);
    upper = *c == '-';
  }
}

void qn_put_banner(const char *title, qn_text *out) {
  static const char line[] =
      "===-------------------------------------------------------------------------===\n";
  int before = (int)(sizeof line - 2 - strlen(title)) / 2;
  qn_text_format(out, "%s%*s%s\n%s", line, before, "", title, line);
}

void qn_put_node_name(const qn_pipeline_node *node, qn_text *out) {
  if (node->pass)
    qn_put_title(node->pass, out);
  else if (node->anchor == QN_OP_UNREGISTERED)
    qn_text_puts(out, "'any' Pipeline");
  else
    qn_text_format(out, "'%s' Pipeline", qn_op_infos[node->anchor].name);
}
