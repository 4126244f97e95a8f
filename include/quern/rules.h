/* Rewrite rules: graph optimizations that users write as text. Rules are checked when they are
 * read, before they are applied to a model.
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
  int lint;           /* also warn about constructs that are legal but often mistakes */
} qn_rules_options;
#define QN_RULES_OPTIONS_INIT                                                                      \
  { sizeof(qn_rules_options), 0, 0 }

/* An empty set; options may be NULL. */
QN_API QN_NODISCARD qn_status qn_rules_create(qn_context *context, const qn_rules_options *options,
                                              qn_rules **out_rules);
QN_API void qn_rules_destroy(qn_rules *rules);

/* Reads a file and checks each rule in it. Every error is a diagnostic with a code, a location and
 * usually a hint. A file whose name ends in ".rr", and "-", standard input, must contain only
 * rules, declarations of ops and comments. In other files, a rule may begin at the start of any
 * line. Rules with errors are not added; the status is QN_INVALID then. */
QN_API QN_NODISCARD qn_status qn_rules_add_file(qn_rules *rules, const char *path);
/* Checks that need all files: reports unknown ops and duplicate names. To be called after the last
 * qn_rules_add_file. */
QN_API QN_NODISCARD qn_status qn_rules_check(qn_rules *rules);

/* Number of rules in the set. */
QN_API uint32_t qn_rules_count(const qn_rules *rules);

/* The texts that the next three functions return are freed with qn_free. */

/* The text of file number `file` (from 0, in the order of adding) in the canonical layout, with its
 * comments. QN_INVALID if the file has errors, QN_NOT_FOUND if there are fewer files. */
QN_API QN_NODISCARD qn_status qn_rules_format(const qn_rules *rules, uint32_t file, char **out_text,
                                              size_t *out_size);
/* All rules with the macros of the language (IS_QUINT8, DIM_DEPTH, TYPICAL_SLICE ...) expanded. */
QN_API QN_NODISCARD qn_status qn_rules_expand(const qn_rules *rules, char **out_text,
                                              size_t *out_size);
/* A JSON array with an object per rule: name, file, line, pass, exactness, extensions that it uses,
 * tags, its parts as trees, and its text. */
QN_API QN_NODISCARD qn_status qn_rules_describe(const qn_rules *rules, char **out_json,
                                                size_t *out_size);

/* ---- callbacks that rules call ---- */

typedef enum qn_rule_function_kind {
  QN_RULE_FUNCTION_CONSTRAINT,  /* EXTERNAL_CONSTRAINT: ends with qn_rule_call_hold */
  QN_RULE_FUNCTION_SHAPE,       /* SHAPEFN_APPLY: qn_rule_call_give_shape */
  QN_RULE_FUNCTION_SPLIT_SHAPE, /* AUTOSPLIT_SHAPEFN_APPLY: the same */
  QN_RULE_FUNCTION_REPLACE      /* EXTERNAL_REPLACE: qn_rule_call_give */
} qn_rule_function_kind;

/* One call of a callback. Operands that are nodes of the graph are numbered from 0, in the order of
 * the signature, and so are operands that are values.
 */
typedef struct qn_rule_call qn_rule_call;
enum { QN_RULE_MATCHED = -1 }; /* the number of the matched output */

/* Returns nonzero if it has set its result with a qn_rule_call_* function. Returns 0 if it has no
 * result; then the rule does not fire there. It must not have side effects, and must compute the
 * same result for the same arguments. */
typedef int qn_rule_callback(qn_rule_call *call, void *user);

/* Registers a callback. To be called before a file that uses the name is added. `operands` has one
 * letter per operand: o a node of the graph, i int, u size, f float, b bool, d dtype; those of a
 * constraint begin with o. QN_INVALID if the name exists already or is malformed, or a letter is
 * invalid. */
QN_API QN_NODISCARD qn_status qn_rules_register(qn_rules *rules, qn_rule_function_kind kind,
                                                const char *name, const char *operands,
                                                qn_rule_callback *callback, void *user);

/* Registers a name for OPTION_BOOL, OPTION_INT, OPTION_UINT and OPTION_FLOAT. To be called before a
 * file that uses the name is added. qn_rewrite_options.settings sets the value; the default is 0.
 * QN_INVALID if the name exists already or is malformed. */
QN_API QN_NODISCARD qn_status qn_rules_register_option(qn_rules *rules, const char *name);

/* Reads the arguments of a call. Shapes have at least four dimensions here; an operand number that
 * does not exist has rank 0. */
QN_API uint32_t qn_rule_call_rank(const qn_rule_call *call, int operand);
QN_API int64_t qn_rule_call_size(const qn_rule_call *call, int operand, uint32_t dimension);
/* Number of elements of a constant operand, -1 if the operand is not constant; and the real value
 * of one element. */
QN_API int64_t qn_rule_call_elements(const qn_rule_call *call, int operand);
QN_API double qn_rule_call_element(const qn_rule_call *call, int operand, int64_t index);
QN_API int64_t qn_rule_call_integer(const qn_rule_call *call, uint32_t value);
QN_API double qn_rule_call_number(const qn_rule_call *call, uint32_t value);
/* The current piece of a split: dimension, start and size. Returns 0 outside of a split. */
QN_API int qn_rule_call_piece(const qn_rule_call *call, int64_t *out_dimension, int64_t *out_start,
                              int64_t *out_size);

/* Set the result of a call. */
QN_API void qn_rule_call_hold(qn_rule_call *call, int holds);
QN_API void qn_rule_call_give_shape(qn_rule_call *call, const int64_t *sizes, uint32_t count);
/* qn_rule_call_input: operand number of input i of the op that produces `operand`; for all kinds.
 * qn_rule_call_build: operand number of a new op of the rule language on `operands`, with the shape
 * and type of `like`; for replacements only. Both return -2 on failure. */
QN_API int qn_rule_call_input(qn_rule_call *call, int operand, uint32_t i);
QN_API int qn_rule_call_build(qn_rule_call *call, const char *op, const int *operands,
                              uint32_t count, int like);
QN_API void qn_rule_call_give(qn_rule_call *call, int operand);

/* ---- tests ---- */

/* Tests the rules that `only` names, separated by commas (NULL: all). For each, it generates
 * graphs, applies the rule and compares the results before and after. *out_json is an array with an
 * object per rule: name, exact, verdict (PASS, FAIL, or UNSUPPORTED if the rule never fired),
 * graphs, fired, near (graphs where the pattern matched but the constraint did not hold), why, and
 * with FAIL module, the smallest graph with the failure. */
QN_API QN_NODISCARD qn_status qn_rules_test(const qn_rules *rules, const char *only,
                                            char **out_json, size_t *out_size);

/* ---- rules and models ---- */

typedef struct qn_rewrite_options {
  size_t size;
  const char *only;     /* names of rules to apply, separated by commas; NULL: all */
  const char *settings; /* values of options that rules read, "fc_tile=64,..."; or NULL */
  int only_bits;        /* skip rules that are not declared bit-exact */
  int64_t limit;        /* maximum number of applications; -1: no limit */
  int64_t first, last;  /* range of applications, counted from 1; 0, 0: all */
  int validate;         /* compute both sides of each application, and undo it if they differ */
  int log; /* write a log line for each application; each line costs a walk over the graph */
} qn_rewrite_options;
#define QN_REWRITE_OPTIONS_INIT                                                                    \
  { sizeof(qn_rewrite_options), NULL, NULL, 0, -1, 0, 0, 0, 0 }

/* Rewrites a model that is at the model stage. out_json may be NULL; else *out_json is an object
 * with "rules" and "log". "rules" is an array with an object per rule: name, exact, ending; the
 * numbers of nodes tried, matched, held, not evaluated, applied, undone and unchanged; seconds; and
 * code, why and where of the first application that was undone. "log" is the input of
 * qn_rules_replay, empty unless options->log. Options may be NULL. */
QN_API QN_NODISCARD qn_status qn_rules_apply(const qn_rules *rules, qn_model *model,
                                             const qn_rewrite_options *options, char **out_json,
                                             size_t *out_size);
/* Repeats exactly the applications of a log, in its order. QN_INVALID if an entry can't be applied
 * to this model; a diagnostic names the entry and the reason. */
QN_API QN_NODISCARD qn_status qn_rules_replay(const qn_rules *rules, qn_model *model,
                                              const qn_rewrite_options *options, const char *log);
/* Explains, as text, why a rule fires or does not fire at a node. `node` is the index of the node,
 * counted from 0 without constants, or a part of its location or name; NULL: the nodes where the
 * rule gets furthest. QN_NOT_FOUND if there is no such rule or node. */
QN_API QN_NODISCARD qn_status qn_rules_explain(const qn_rules *rules, qn_model *model,
                                               const qn_rewrite_options *options, const char *rule,
                                               const char *node, char **out_text, size_t *out_size);

#ifdef __cplusplus
}
#endif
#endif
