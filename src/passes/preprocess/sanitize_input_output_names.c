/* sanitize-input-output-names: renames arguments and results of the model to identifiers.
 *
 *   {quern.name = "x/0"}      ->   {quern.name = "x_0"}
 *   {quern.name = "1st"}      ->   {quern.name = "var_1st"}
 *   {quern.name = "state"}    ->   {quern.name = "state_workaround"}
 *
 * Characters other than ASCII letters, digits and "_" become "_". A leading digit gets the prefix
 * "var_", and words that upstream's language reserves get the suffix "_workaround". If a changed
 * name equals a name of the same side (arguments or results) that did not change, or an earlier
 * changed name, it gets the suffix "_0", "_1" ... Names that are valid identifiers stay.
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
