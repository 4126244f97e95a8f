/* The rewrite-rule language: sets of rules, read from files and checked before any graph is seen.
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
/* False: it can't, call->problem says why. */
typedef bool qn_rule_external_fn(struct qn_rule_call *call, void *user);

/* A C function that rules may call. operands: a letter each, without the split context: o operand,
 * i int, u size, f float, b bool, d dtype. */
typedef struct qn_rule_external {
  const char *name;
  qn_rule_external_kind kind;
  const char *operands;
  qn_rule_external_fn *call; /* NULL: declared and nothing after it */
  void *user;
} qn_rule_external;

typedef struct qn_rule_word {
  const char *name, *summary;
} qn_rule_word;

/* The names of this build: ops, functions, options, layouts. Each list ends with a NULL name. */
typedef struct qn_rule_names {
  const qn_rule_word *ops, *options, *layouts;
  const qn_rule_external *externals;
} qn_rule_names;
extern const qn_rule_names qn_rule_default_names;

/* Dtype tags, ended by NULL, those of the base language first. */
extern const char *const qn_rule_dtypes[];

/* ---- sets ---- */

typedef struct qn_rule_options {
  bool strict; /* without extensions */
  bool lint;   /* also warn of what is legal and often a mistake */
  const qn_rule_names *names;
} qn_rule_options;

typedef struct qn_rule_set {
  qn_arena arena;
  qn_diag_engine *diag;
  qn_rule_options options;
  QN_ARRAY(qn_rule_file *) files;
  QN_ARRAY(const qn_rule *) rules; /* the good ones, in the order of the files */
} qn_rule_set;

void qn_rule_set_init(qn_rule_set *set, qn_diag_engine *diag, const qn_rule_options *options);
void qn_rule_set_deinit(qn_rule_set *set);

/* Reads and checks a file whose text stays alive as long as the set. Every problem is reported;
 * QN_INVALID when there was an error. A path that ends in .rr, or "-", is a file of nothing but
 * rules. *out_file is there whatever the status. */
QN_NODISCARD qn_status qn_rule_set_add(qn_rule_set *set, qn_str path, qn_str source,
                                       const qn_rule_file **out_file);
/* What can be said only when all files are there: ops that nothing knows, names given twice. */
QN_NODISCARD qn_status qn_rule_set_check(qn_rule_set *set);

#endif
