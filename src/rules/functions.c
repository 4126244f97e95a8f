/* Lookups in the table of functions.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rules/functions.h"

enum {
  NONE = QN_RULE_RESULT_NONE,
  MATCH = QN_RULE_SORT_MATCH,
  LETTING = QN_RULE_SORT_LETTING,
  OPNAME = QN_RULE_SORT_OPNAME,
  REF = QN_RULE_SORT_REF,
  ITERREF = QN_RULE_SORT_ITERREF,
  SCALAR = QN_RULE_SORT_SCALAR,
  SHAPE = QN_RULE_SORT_SHAPE,
  CONST = QN_RULE_SORT_CONST,
  BUILD = QN_RULE_SORT_BUILD,
  ROOT = QN_RULE_SORT_ROOT,
  CHUNK = QN_RULE_SORT_CHUNK,
  ANY = QN_RULE_SORT_ANY,
};

const qn_rule_function qn_rule_functions[QN_RULE_FN_COUNT] = {
#define FN(name, sorts, type, operands, words, extension)                                          \
  {#name, (sorts), QN_RULE_RESULT_##type, operands, words, extension, QN_RULE_FN_##name},
#include "rules/functions.def"
#undef FN
};

const char *const qn_rule_type_names[] = {
    [QN_RULE_POISON] = "unknown", [QN_RULE_BOOL] = "bool", [QN_RULE_I32] = "int",
    [QN_RULE_SIZE] = "size",      [QN_RULE_F32] = "float", [QN_RULE_DTYPE_TAG] = "dtype",
};

const char *const qn_rule_exactness_names[] = {
    [QN_RULE_UNSTATED] = "unstated", [QN_RULE_BIT] = "bit",       [QN_RULE_LSB1] = "lsb1",
    [QN_RULE_REAL] = "real",         [QN_RULE_APPROX] = "approx", NULL,
};
const char *const qn_rule_when_names[] = {"always", "if-cheaper", "if-smaller", NULL};
const char *const qn_rule_cost_names[] = {"GLACIAL", "SNAIL", "FAST", "FREE", NULL};
const char *const qn_rule_flag_names[] = {"IS_CONST", "INHIBIT_CONST_PROP", "RESOURCE_HVX",
                                          "RESOURCE_HMX", NULL};

const qn_rule_function *qn_rule_function_find(qn_str name) {
  for (size_t i = 0; i < QN_RULE_FN_COUNT; i++)
    if (qn_str_is(name, qn_rule_functions[i].name)) return &qn_rule_functions[i];
  return NULL;
}

qn_str qn_rule_function_word(const qn_rule_function *function, uint32_t k) {
  qn_str list = qn_str_of(function->words), word = {"", 0};
  for (uint32_t i = 0; i <= k; i++)
    if (!qn_str_next(&list, &word)) return (qn_str){"", 0};
  while (word.size > 0 && word.data[0] == ' ') word = (qn_str){word.data + 1, word.size - 1};
  return word;
}

void qn_rule_function_arity(const qn_rule_function *function, uint32_t *out_least,
                            uint32_t *out_most) {
  *out_least = *out_most = 0;
  for (const char *at = function->operands; at && *at; at++) {
    if (at[1] == '*' || at[1] == '+') *out_most = UINT32_MAX;
    if (*at == '*' || *at == '?') --*out_least;
    if (*at == '*' || *at == '+' || *at == '?') continue;
    ++*out_least;
    if (*out_most != UINT32_MAX) ++*out_most;
  }
  QN_ASSERT(*out_least <= *out_most);
}

char qn_rule_function_letter(const qn_rule_function *function, uint32_t count, uint32_t k) {
  uint32_t least, most, place = 0;
  qn_rule_function_arity(function, &least, &most);
  QN_ASSERT(k < count && count >= least && count <= most); /* the arity has been checked */
  char letter = '\0';
  for (const char *at = function->operands; *at; at++) {
    /* the last letter applies to all further operands */
    if (*at == '*' || *at == '+') return letter;
    if (*at == '?') continue;
    if (at[1] == '?' && count < most) continue; /* an optional operand that this call omits */
    letter = *at;
    if (place++ == k) return letter;
  }
  return letter;
}

const char *qn_rule_known_unsupported(qn_str name) {
  static const char *const names[] = {"AUTOTHREAD_HVX", "AUTOTHREAD", "MESSAGE",
                                      "DEF_PACKAGE_OPTIMIZATION_WITH_FLAGS"};
  for (size_t i = 0; i < QN_COUNT(names); i++)
    if (qn_str_is(name, names[i])) return names[i];
  return NULL;
}

const char *qn_rule_extension_summary(uint32_t k) {
  static const char *const summaries[] = {
      [1] = "ZERO_OFFSET_OF(operand): the zero point of a quantized operand",
      [2] = "USES_OF(operand): how many inputs of ops read it",
      [3] = "IS_CONST(operand): whether its value is known before the model runs",
      [4] = "FROM_DEFAULT_PACKAGE(\"op\"): the op name itself",
      [5] = "STEPSIZE_AT, ZERO_OFFSET_AT, QUANT_AXIS_OF: encodings with a scale per channel",
      [6] = "EITHER(pattern): also tries the two operands of the op swapped",
      [7] = "//:rule name=NAME exact=bit|lsb1|real|approx when=always|if-cheaper|if-smaller "
            "test=TEXT: a comment before a rule",
      [8] = "SWEEP(sizes...): the chunk of an AUTOSPLIT, of these the one that costs least",
  };
  return k < QN_COUNT(summaries) ? summaries[k] : NULL;
}
