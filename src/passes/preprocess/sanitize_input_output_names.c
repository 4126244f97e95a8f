/* sanitize-input-output-names: arguments and results of the model have identifiers for names.
 *
 *   {quern.name = "x/0"}      ->   {quern.name = "x_0"}
 *   {quern.name = "1st"}      ->   {quern.name = "var_1st"}
 *   {quern.name = "state"}    ->   {quern.name = "state_workaround"}
 *
 * What is no ASCII letter, digit or "_" becomes "_", a digit in front gets "var_" before it, and
 * the words that upstream's language reserves get "_workaround" after them. A name that was
 * changed gives way to all names of its side that stay, and to earlier ones: "_0", "_1" ...
 * follows. Names that are fine stay, whatever others are.
 *
 * Needs: nothing.  Keeps: the stage.  Numerics: exact.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "passes/support/names.h"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_reserved(qn_str name) {
  static const char *const words[] = {"any",   "bool",  "program", "func",   "tensor", "list",
                                      "dict",  "tuple", "true",    "false",  "string", "bf16",
                                      "fp16",  "fp32",  "fp64",    "int8",   "int16",  "int32",
                                      "int64", "uint8", "uint16",  "uint32", "uint64", "state"};
  for (size_t i = 0; i < QN_COUNT(words); i++)
    if (qn_str_is(name, words[i])) return true;
  return false;
}

static qn_str identifier(qn_pass_context *pc, qn_str name) {
  qn_text text = {0};
  if (name.size && is_digit(name.data[0])) qn_text_puts(&text, "var_");
  for (size_t i = 0; i < name.size; i++)
    qn_text_putc(&text, is_letter(name.data[i]) || is_digit(name.data[i]) ? name.data[i] : '_');
  if (is_reserved(name)) qn_text_puts(&text, "_workaround");
  qn_str made = qn_intern(pc->cx, qn_text_view(&text));
  qn_text_deinit(&text);
  return made;
}

static qn_status run(qn_pass_context *pc) { return qn_rename_border(pc, identifier, false, 0); }

const qn_pass qn_pass_sanitize_input_output_names = {
    .name = "sanitize-input-output-names",
    .summary = "make identifiers of the names of arguments and results of the model",
    .anchor = QN_ON_MODULE,
    .numerics = QN_EXACT,
    .keeps = "the stage",
    .run = run,
};
