/* The functions and constants of the rule language as a table, expanded from functions.def.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_FUNCTIONS_H
#define QN_RULES_FUNCTIONS_H

#include "base/str.h"
#include "rules/syntax/tree.h"

/* QN_RULE_FN_ADD, QN_RULE_FN_gen_Shape ...: spelled as in rules. */
typedef enum qn_rule_function_id {
#define FN(name, sorts, type, operands, words, extension) QN_RULE_FN_##name,
#include "rules/functions.def"
#undef FN
  QN_RULE_FN_COUNT
} qn_rule_function_id;

/* Positions in which a call is allowed, one bit each. */
typedef enum qn_rule_sort {
  QN_RULE_SORT_MATCH = 1,
  QN_RULE_SORT_LETTING = 2, /* in a pattern, but not at its root */
  QN_RULE_SORT_OPNAME = 4,
  QN_RULE_SORT_REF = 8,      /* an operand that exists before the rule is applied */
  QN_RULE_SORT_ITERREF = 16, /* like REF, but in replacements only */
  QN_RULE_SORT_SCALAR = 32,
  QN_RULE_SORT_SHAPE = 64,
  QN_RULE_SORT_CONST = 128,
  QN_RULE_SORT_BUILD = 256, /* constructs an op */
  QN_RULE_SORT_ROOT = 512,  /* a whole replacement */
  QN_RULE_SORT_ANY = 1023,
  QN_RULE_SORT_CHUNK = 1024, /* only as the chunk size of an AUTOSPLIT */
} qn_rule_sort;

typedef enum qn_rule_result {
  QN_RULE_RESULT_NONE,
  QN_RULE_RESULT_BOOL,
  QN_RULE_RESULT_I32,
  QN_RULE_RESULT_SIZE,
  QN_RULE_RESULT_F32,
  QN_RULE_RESULT_DTYPE_TAG,
  QN_RULE_RESULT_PROMOTED, /* the common type of the operands */
  QN_RULE_RESULT_NEGATED,  /* the common type of the operands, but int instead of size */
} qn_rule_result;

typedef struct qn_rule_function {
  const char *name;
  uint32_t sorts;
  qn_rule_result result;
  const char *operands; /* a letter per operand; NULL: a constant, without parentheses */
  const char *words;
  uint32_t extension;
  qn_rule_function_id id;
} qn_rule_function;

extern const qn_rule_function qn_rule_functions[QN_RULE_FN_COUNT];

/* The function or constant of that name; NULL if there is none. */
const qn_rule_function *qn_rule_function_find(qn_str name);
static inline bool qn_rule_is(const qn_rule_node *node, qn_rule_function_id id) {
  return node->function == &qn_rule_functions[id];
}
/* Description of operand k, from 0, for messages; empty if the function has fewer operands. */
qn_str qn_rule_function_word(const qn_rule_function *function, uint32_t k);
/* Minimum and maximum number of operands; the maximum is UINT32_MAX if unlimited. */
void qn_rule_function_arity(const qn_rule_function *function, uint32_t *out_least,
                            uint32_t *out_most);
/* The letter of operand k of a call with `count` operands. */
char qn_rule_function_letter(const qn_rule_function *function, uint32_t count, uint32_t k);

/* Returns `name` as a static string if it occurs in published rules but is not supported; NULL for
 * all other names. */
const char *qn_rule_known_unsupported(qn_str name);

/* What extension X<k> of the language is for; NULL if there is no such extension. */
const char *qn_rule_extension_summary(uint32_t k);

extern const char *const qn_rule_type_names[];

#endif
