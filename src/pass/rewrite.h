/* The rewriter: all mutation in pattern passes goes through it, so that change is observed and the
 * worklist stays complete. The driver applies patterns and folds greedily until nothing changes, or
 * a stated number of rewrites per op is exceeded (a diagnostic: patterns that undo each other).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_REWRITE_H
#define QN_PASS_REWRITE_H

#include "ir/builder.h"
#include "pass/pass.h"

typedef struct qn_rewriter qn_rewriter;

/* true: rewrote. The root may be erased. A rule that is asked why (qn_rewriter.why) only answers.
 */
typedef bool qn_pattern_fn(qn_rewriter *rw, qn_op *op);
typedef struct qn_pattern {
  const char *name; /* "merge-requant-pair" */
  qn_op_kind root;  /* QN_OP_UNREGISTERED: any op */
  qn_pattern_fn *apply;
  /* What it is made of (match.h), or NULL: code, which does not see ops whose tensors have to stay.
   */
  const struct qn_graph_rule *rule;
} qn_pattern;

struct qn_rewriter {
  qn_pass_context *pc;
  qn_module *module;
  qn_ir_context *cx;
  qn_builder builder;        /* before the op being rewritten, with its location */
  const qn_pattern *pattern; /* the one being applied */
  struct qn_worklist *worklist;
  const struct qn_greedy_options *options;
  void *state; /* of the pass: options->state */
  uint64_t rewrites;
  uint32_t first_new;   /* values from this id on were made by the pattern being applied */
  const qn_value *made; /* by it in the place of the op's first result, or NULL */
  qn_text *why;         /* not NULL: to be told why the rule does not apply, in a few words */
};

typedef struct qn_greedy_options {
  bool remove_dead; /* pure ops without uses go */
  void *state;
  /* Told of every op, nested ones included, before it is erased. May be NULL. */
  void (*erasing)(qn_rewriter *rw, qn_op *op);
} qn_greedy_options;

/* Runs `patterns`, in order, over every op below `root` (not root itself). Sets pc->changed.
 * QN_INTERNAL after 10 000 + 100 * ops rewrites. */
QN_NODISCARD qn_status qn_rewrite_greedily(qn_pass_context *pc, qn_op *root,
                                           const qn_pattern *patterns, uint32_t count,
                                           const qn_greedy_options *options);

/* Replaces all uses of the op's results and erases it. One value per result. Where a new op makes
 * them, the model's tensors are its results from now on. */
void qn_rewriter_replace(qn_rewriter *rw, qn_op *op, qn_value *const *values);
void qn_rewriter_erase(qn_rewriter *rw, qn_op *op); /* without uses */
/* To be called around in-place changes of an op: attributes, operands, types. */
void qn_rewriter_touched(qn_rewriter *rw, qn_op *op);

#endif
