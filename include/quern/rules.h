/* Rewrite rules: a user's own optimizations, as text that is checked before any graph is seen.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QUERN_RULES_H
#define QUERN_RULES_H

#include <quern/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A set of rules from files, in the order in which they were added. */
typedef struct qn_rules qn_rules;

typedef struct qn_rules_options {
  size_t size;
  int strict_grammar; /* reject extensions */
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

/* ---- functions of yours that rules call ---- */

typedef enum qn_rule_function_kind {
  QN_RULE_FUNCTION_CONSTRAINT,  /* EXTERNAL_CONSTRAINT: ends with qn_rule_call_hold */
  QN_RULE_FUNCTION_SHAPE,       /* SHAPEFN_APPLY: qn_rule_call_give_shape */
  QN_RULE_FUNCTION_SPLIT_SHAPE, /* AUTOSPLIT_SHAPEFN_APPLY: the same */
  QN_RULE_FUNCTION_REPLACE      /* EXTERNAL_REPLACE: qn_rule_call_give */
} qn_rule_function_kind;

/* A call of one. Operands of the graph have numbers, in the order of the signature; so have values.
 */
typedef struct qn_rule_call qn_rule_call;
enum { QN_RULE_MATCHED = -1 }; /* the number of the matched output */

/* Not 0: it has answered. 0: it can't, and the rule does not fire there. It must not change what it
 * does not get from the call, and answer the same for the same. */
typedef int qn_rule_callback(qn_rule_call *call, void *user);

/* Before files that name it are added. `operands` has a letter for each: o an operand of the graph,
 * i int, u size, f float, b bool, d dtype; a constraint begins with o. QN_INVALID: the name is
 * taken, or no name, or the letters are others. */
QN_API QN_NODISCARD qn_status qn_rules_register(qn_rules *rules, qn_rule_function_kind kind,
                                                const char *name, const char *operands,
                                                qn_rule_callback *callback, void *user);

/* A name of yours for OPTION_BOOL, OPTION_INT, OPTION_UINT and OPTION_FLOAT, before files that name
 * it are added. The settings of qn_rewrite_options give its value; without one it is 0. QN_INVALID:
 * the name is taken, or no name. */
QN_API QN_NODISCARD qn_status qn_rules_register_option(qn_rules *rules, const char *name);

/* What a call gets. Rules see four dimensions at least; a number that there is not has rank 0. */
QN_API uint32_t qn_rule_call_rank(const qn_rule_call *call, int operand);
QN_API int64_t qn_rule_call_size(const qn_rule_call *call, int operand, uint32_t dimension);
/* Elements of a constant, -1: it is none; and the real value of one. */
QN_API int64_t qn_rule_call_elements(const qn_rule_call *call, int operand);
QN_API double qn_rule_call_element(const qn_rule_call *call, int operand, int64_t index);
QN_API int64_t qn_rule_call_integer(const qn_rule_call *call, uint32_t value);
QN_API double qn_rule_call_number(const qn_rule_call *call, uint32_t value);
/* The current piece of a split: dimension, start and size. Returns 0 outside of a split. */
QN_API int qn_rule_call_piece(const qn_rule_call *call, int64_t *out_dimension, int64_t *out_start,
                              int64_t *out_size);

/* What it answers. */
QN_API void qn_rule_call_hold(qn_rule_call *call, int holds);
QN_API void qn_rule_call_give_shape(qn_rule_call *call, const int64_t *sizes, uint32_t count);
/* Input i of the op that makes the operand, and an op of the rule language on operands, with the
 * size and type of `like`: a new number, or -2. The first one is for all kinds, the second for
 * replacements. */
QN_API int qn_rule_call_input(qn_rule_call *call, int operand, uint32_t i);
QN_API int qn_rule_call_build(qn_rule_call *call, const char *op, const int *operands,
                              uint32_t count, int like);
QN_API void qn_rule_call_give(qn_rule_call *call, int operand);

/* ---- tests ---- */

/* Makes graphs for each rule of the set, or for those that `only` names, separated by commas (NULL:
 * all), applies the rule and computes both sides. JSON: an array with an object for each: name,
 * exact, verdict (PASS, FAIL, or UNSUPPORTED: it never fired), graphs, fired, near (its pattern
 * matched and its constraint did not hold), why, and of FAIL module: the smallest graph that shows
 * it. */
QN_API QN_NODISCARD qn_status qn_rules_test(const qn_rules *rules, const char *only,
                                            char **out_json, size_t *out_size);

/* ---- rules and models ---- */

typedef struct qn_rewrite_options {
  size_t size;
  const char *only;     /* names of rules separated by commas; NULL: all */
  const char *settings; /* of the options that rules ask for, "fc_tile=64,..."; or NULL */
  int only_bits;        /* leave out rules that don't promise the same bits */
  int64_t limit;        /* applications; -1: any number */
  int64_t first, last;  /* of the applications, by number from 1; 0, 0: all */
  int validate;         /* compute what each application replaces and builds; undo what differs */
  int log;              /* write a line for each application, which takes a walk over the graph */
} qn_rewrite_options;
#define QN_REWRITE_OPTIONS_INIT                                                                    \
  { sizeof(qn_rewrite_options), NULL, NULL, 0, -1, 0, 0, 0, 0 }

/* Rewrites a model that is at the model stage. *out_json, which may be NULL, gets an object:
 * "rules", an array with an object for each: name, exact, ending, how many nodes were tried,
 * matched, held, not evaluated, applied, undone, unchanged, seconds, and, of the first application
 * that was undone, code, why and where; and "log", for qn_rules_replay, empty unless asked for.
 * Options may be NULL. */
QN_API QN_NODISCARD qn_status qn_rules_apply(const qn_rules *rules, qn_model *model,
                                             const qn_rewrite_options *options, char **out_json,
                                             size_t *out_size);
/* Applies what a log says, in its order and nothing else. QN_INVALID: an entry does not hold here,
 * a diagnostic says which and why. */
QN_API QN_NODISCARD qn_status qn_rules_replay(const qn_rules *rules, qn_model *model,
                                              const qn_rewrite_options *options, const char *log);
/* Text: why a rule fires, or does not, at a node: a number, counted from 0 without constants, or
 * part of the node's place or name. NULL: the nodes where it gets furthest. QN_NOT_FOUND: there is
 * no such rule or node. */
QN_API QN_NODISCARD qn_status qn_rules_explain(const qn_rules *rules, qn_model *model,
                                               const qn_rewrite_options *options, const char *rule,
                                               const char *node, char **out_text, size_t *out_size);

#ifdef __cplusplus
}
#endif
#endif
