/* The rewrite-rule language: sets of rules, which are read from files and checked before they see a
 * graph.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_RULES_H
#define QN_RULES_RULES_H

#include "base/array.h"
#include "diag/diag.h"
#include "rules/syntax/tree.h"

/* ---- what rules may name ---- */

typedef enum qn_rule_external_kind {
  QN_RULE_CONSTRAINT,    /* EXTERNAL_CONSTRAINT */
  QN_RULE_SHAPEFN,       /* SHAPEFN_APPLY */
  QN_RULE_SPLIT_SHAPEFN, /* AUTOSPLIT_SHAPEFN_APPLY */
  QN_RULE_REPLACE,       /* EXTERNAL_REPLACE */
} qn_rule_external_kind;

struct qn_rule_call;
/* Computes the result of a call. Returns false on failure; call->problem then has the reason. */
typedef bool qn_rule_external_fn(struct qn_rule_call *call, void *user);

/* An external C function that rules can call. `operands` has a letter for each operand, without the
 * split context: o graph operand, i int, u size, f float, b bool, d dtype. */
typedef struct qn_rule_external {
  const char *name;
  qn_rule_external_kind kind;
  const char *operands;
  qn_rule_external_fn *call; /* NULL: declared for checks, without an implementation */
  void *user;
} qn_rule_external;

typedef struct qn_rule_word {
  const char *name, *summary;
} qn_rule_word;

/* The names that rules can use: ops, options, layouts and external functions. Each list ends with a
 * NULL name. */
typedef struct qn_rule_names {
  const qn_rule_word *ops, *options, *layouts;
  const qn_rule_external *externals;
} qn_rule_names;
extern const qn_rule_names qn_rule_default_names;

/* Names of dtypes, ended by NULL. Those of the base language come first. */
extern const char *const qn_rule_dtypes[];

/* ---- sets ---- */

typedef struct qn_rule_options {
  bool strict; /* reject extensions of the language */
  bool lint;   /* also warn of constructs that are legal but often mistakes */
  const qn_rule_names *names;
} qn_rule_options;

typedef struct qn_rule_set {
  qn_arena arena;
  qn_diag_engine *diag;
  qn_rule_options options;
  QN_ARRAY(qn_rule_file *) files;
  QN_ARRAY(const qn_rule *) rules; /* rules without errors, in the order of the files */
} qn_rule_set;

void qn_rule_set_init(qn_rule_set *set, qn_diag_engine *diag, const qn_rule_options *options);
void qn_rule_set_deinit(qn_rule_set *set);

/* Reads and checks a file. `source` must stay alive as long as the set. All errors are reported;
 * returns QN_INVALID if there were any. A path that ends in .rr, or "-", is a file that contains
 * rules only; others are C++. *out_file is set for every status and belongs to the set. */
QN_NODISCARD qn_status qn_rule_set_add(qn_rule_set *set, qn_str path, qn_str source,
                                       const qn_rule_file **out_file);
/* Makes the checks that need all files: ops that neither this build nor any rule has, and names
 * given twice. */
QN_NODISCARD qn_status qn_rule_set_check(qn_rule_set *set);

#endif
