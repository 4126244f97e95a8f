/* Patterns of ops as data. A pattern is a few rows, one per op; row 0 is the op that is rewritten,
 * and the operands of a row name the rows that they come from:
 *
 *   static const qn_graph_rule pair = {
 *       .rows = {{.kinds = {QN_OP_ML_RESHAPE}, .operands = {1}},
 *                {.kinds = {QN_OP_ML_RESHAPE}, .flags = QN_ONLY_USE, .operands = {2}},
 *                {.flags = QN_ANY_VALUE}},
 *       .rewrite = one_reshape};
 *
 * Two operands that name the same row are the same value. A value that a terminator passes on -
 * returned, yielded, given to a successor - has that use like any other: "only use" covers it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_MATCH_H
#define QN_PASS_MATCH_H

#include "pass/rewrite.h"

enum { QN_MATCH_ROWS = 24, QN_MATCH_KINDS = 6, QN_MATCH_OPERANDS = 3 };

/* Indices of a row. */
enum {
  QN_ANY_VALUE = 1 << 0,     /* whatever makes the value, also a block's argument */
  QN_ONLY_USE = 1 << 1,      /* the match has the only use of the value */
  QN_LITERAL = 1 << 2,       /* a constant whose elements are known */
  QN_PLAIN = 1 << 3,         /* no fused activation */
  QN_EITHER_SIDE = 1 << 4,   /* the first two operands in either order */
  QN_THROUGH_UNARY = 1 << 5, /* any number of elementwise ops of one operand, each the only use of
                                the one before, between this op and its first operand's row */
  QN_ONE_OF_SEVERAL = 1 << 6 /* one of the op's results, of which there may be more */
};

typedef struct qn_match_row {
  qn_op_kind kinds[QN_MATCH_KINDS]; /* any of these; none: flags say what */
  uint32_t flags;
  uint8_t operands[QN_MATCH_OPERANDS]; /* rows, by operand; 0: any operand, or none */
} qn_match_row;

/* Where matching went furthest and failed: what the row asks that the value does not have. */
typedef struct qn_match_miss {
  uint32_t matched; /* rows that had matched by then */
  uint8_t row;
  uint32_t flag; /* QN_ONLY_USE ..., or 0: the kind of op, or an operand that is not there */
  const qn_value *value; /* NULL: an operand that is not there */
  bool other;            /* two operands that have to be one value are two */
} qn_match_miss;

typedef struct qn_matched {
  qn_op *op[QN_MATCH_ROWS];       /* NULL where no op makes the value */
  qn_value *value[QN_MATCH_ROWS]; /* of the root: its first result */
  bool swapped;                   /* QN_EITHER_SIDE: the operands are the other way round */
  qn_match_miss *miss;            /* to be filled, or NULL */
} qn_matched;

/* Returns what the results of the root are to be replaced by, of the type of its first, or NULL
 * when the rule does not apply: then nothing may have been changed. */
typedef qn_value *qn_graph_rewrite(qn_rewriter *rw, const qn_matched *m);

typedef struct qn_graph_rule {
  qn_match_row rows[QN_MATCH_ROWS];
  qn_graph_rewrite *rewrite;
} qn_graph_rule;

/* What `out_matched` has of a miss to be filled is kept. */
bool qn_match(const qn_graph_rule *rule, qn_op *root, qn_matched *out_matched);
/* A miss in words. */
void qn_match_tell(const qn_graph_rule *rule, const qn_match_miss *miss, qn_text *out);

/* A rule as a pattern: what the match made useless is erased. Where the model's tensors have to
 * stay, it applies when those of the ops that go are made by a new op. */
qn_pattern_fn qn_graph_rule_apply;
#define QN_GRAPH_RULE(name, root, rule)                                                            \
  { name, root, qn_graph_rule_apply, &(rule) }

/* What a QN_THROUGH_UNARY row is matched through: elementwise, of one operand, and of one static
 * shape in and out. */
bool qn_is_unary_elementwise(const qn_op *op);

#endif
