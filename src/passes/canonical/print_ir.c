/* print-ir: prints the IR to the dump output and changes nothing. It can be placed anywhere in a
 * pipeline.
 *
 *   builtin.module(canonicalize,print-ir{label="folded"},cse)
 *
 *   // -----// IR Dump folded //----- //
 *   module { ... }
 *
 * Needs: nothing.  Keeps: everything.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "pass/manager.h"

static const qn_option_spec options[] = {
    {"label", QN_OPTION_STRING, "", "what is in the line above the IR"},
    {NULL, 0, NULL, NULL},
};

static qn_status run(qn_pass_context *pc) {
  const char *label = qn_pass_string(pc, "label");
  qn_text text = {0};
  qn_text_format(&text, "// -----// IR Dump%s%s //----- //\n", label[0] ? " " : "", label);
  qn_dump_op(pc->settings, pc->module, pc->root, &text);
  qn_run_write(pc->settings, &text);
  qn_text_deinit(&text);
  return QN_OK;
}

const qn_pass qn_pass_print_ir = {
    .name = "print-ir",
    .title = "PrintIR",
    .summary = "write the IR to where dumps go, standard error in the tool",
    .anchor = QN_ON_ANY,
    .numerics = QN_EXACT,
    .keeps = "everything",
    .options = options,
    .observes = true,
    .run = run,
};
