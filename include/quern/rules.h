/* Rewrite rules: a user's own optimizations, as text that is checked before any graph is seen.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_RULES_H
#define QUERN_RULES_H

#include <quern/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of rules from files, in the order in which they were added. */
typedef struct qn_rules qn_rules;

typedef struct qn_rules_options {
  size_t size;
  int strict_grammar; /* refuse extensions */
  int lint;           /* also warn of what is legal and often a mistake */
} qn_rules_options;
#define QN_RULES_OPTIONS_INIT                                                                      \
  { sizeof(qn_rules_options), 0, 0 }

/* An empty set; options may be NULL. */
QN_API QN_NODISCARD qn_status qn_rules_create(qn_context *context, const qn_rules_options *options,
                                              qn_rules **out_rules);
QN_API void qn_rules_destroy(qn_rules *rules);

/* Reads a file and checks each rule in it; every problem is a diagnostic with a code, a place and,
 * as a rule, help. A path that ends in ".rr", and "-", standard input, has nothing but rules,
 * declarations of ops and comments; in any other file rules are found at the starts of lines. Rules
 * with errors are left out of the set. QN_INVALID: there were some. */
QN_API QN_NODISCARD qn_status qn_rules_add_file(qn_rules *rules, const char *path);
/* What can be said only when all files are there: ops that nothing knows, names given twice. */
QN_API QN_NODISCARD qn_status qn_rules_check(qn_rules *rules);

/* How many rules there are. */
QN_API uint32_t qn_rules_count(const qn_rules *rules);

/* All of these give text that is freed with qn_free. */

/* The files, from 0, in the canonical layout; comments are kept. QN_INVALID when the file has
 * errors, QN_NOT_FOUND when there are fewer files. */
QN_API QN_NODISCARD qn_status qn_rules_format(const qn_rules *rules, uint32_t file, char **out_text,
                                              size_t *out_size);
/* All rules with the macros of the language (IS_QUINT8, DIM_DEPTH, TYPICAL_SLICE ...) expanded. */
QN_API QN_NODISCARD qn_status qn_rules_expand(const qn_rules *rules, char **out_text,
                                              size_t *out_size);
/* JSON: an array with an object for each rule: name, file, line, pass, exactness, extensions that
 * it uses, tags, its parts as trees, and its text. */
QN_API QN_NODISCARD qn_status qn_rules_describe(const qn_rules *rules, char **out_json,
                                                size_t *out_size);

#ifdef __cplusplus
}
#endif
#endif
