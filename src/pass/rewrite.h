/* The rewriter. Patterns change the IR only through it, so that every change is recorded and the
 * worklist stays complete. The driver applies patterns and folds greedily until nothing changes. If
 * it exceeds a fixed number of rewrites, it reports an error, because the patterns probably undo
 * each other.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_REWRITE_H
#define QN_PASS_REWRITE_H

#include "ir/builder.h"
#include "pass/pass.h"

typedef struct qn_rewriter qn_rewriter;

/* Returns true if it changed the IR; `op` may then be erased. If qn_rewriter.why is not NULL, the
 * function changes nothing and only describes why the pattern does not apply.
 */
typedef bool qn_pattern_fn(qn_rewriter *rw, qn_op *op);
typedef struct qn_pattern {
  const char *name; /* "merge-requant-pair" */
  qn_op_kind root;  /* QN_OP_UNREGISTERED: any op */
  qn_pattern_fn *apply;
  /* The rule that the pattern is generated from (match.h). NULL if the pattern is C code; such a
   * pattern is not applied to ops that keep_tensors protects.
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
  void *state; /* state of the pass: options->state */
  uint64_t rewrites;
  uint32_t
      first_new; /* values with this id or a larger one were created by the pattern being applied */
  const qn_value *made; /* the value that the pattern being applied created for the op's first
                           result, or NULL */
  qn_text
      *why; /* receives a short reason why the rule does not apply; NULL while rules are applied */
};

typedef struct qn_greedy_options {
  bool remove_dead; /* erases pure ops without uses */
  void *state;
  /* Called for every op, including nested ones, before it is erased. May be NULL. */
  void (*erasing)(qn_rewriter *rw, qn_op *op);
} qn_greedy_options;

/* Applies `patterns`, in order, to every op below `root`, but not to `root` itself. Sets
 * pc->changed if anything changed. Returns QN_INTERNAL after 10,000 + 100 * N rewrites, N the
 * number of ops. */
QN_NODISCARD qn_status qn_rewrite_greedily(qn_pass_context *pc, qn_op *root,
                                           const qn_pattern *patterns, uint32_t count,
                                           const qn_greedy_options *options);

/* Replaces all uses of the op's results by `values`, one per result, and erases the op. If a new op
 * produces the values, the record of which model tensors the erased op produced moves to the new
 * op. */
void qn_rewriter_replace(qn_rewriter *rw, qn_op *op, qn_value *const *values);
void qn_rewriter_erase(qn_rewriter *rw, qn_op *op); /* its results must have no uses */
/* To be called after an in-place change of an op's attributes, operands or types. */
void qn_rewriter_touched(qn_rewriter *rw, qn_op *op);

#endif
