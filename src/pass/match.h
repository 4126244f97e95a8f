/* Patterns of ops as data. A pattern is a few rows, one per op; row 0 is the op that is rewritten,
 * and the operands of a row name the rows that they come from:
 *
 *   static const qn_graph_rule pair = {
 *       .rows = {{.kinds = {QN_OP_ML_RESHAPE}, .operands = {1}},
 *                {.kinds = {QN_OP_ML_RESHAPE}, .flags = QN_ONLY_USE, .operands = {2}},
 *                {.flags = QN_ANY_VALUE}},
 *       .rewrite = one_reshape};
 *
 * If two operands name the same row, they must be the same value. An operand of a terminator
 * (return, yield, branch) counts as a use, so QN_ONLY_USE takes it into account.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASS_MATCH_H
#define QN_PASS_MATCH_H

#include "pass/rewrite.h"

enum { QN_MATCH_ROWS = 24, QN_MATCH_KINDS = 6, QN_MATCH_OPERANDS = 3 };

/* Flags of a row. */
enum {
  QN_ANY_VALUE = 1 << 0,   /* the value may have any producer, or be a block argument */
  QN_ONLY_USE = 1 << 1,    /* the value has no use outside the match, and one within */
  QN_LITERAL = 1 << 2,     /* a constant whose elements are known */
  QN_PLAIN = 1 << 3,       /* no fused activation */
  QN_EITHER_SIDE = 1 << 4, /* the first two operands in either order */
  QN_THROUGH_UNARY =
      1 << 5, /* between this op and the row of its first operand there may be any number of unary
                 elementwise ops, each of which has the only use of the previous op's result */
  QN_ONE_OF_SEVERAL = 1 << 6 /* the op may have several results; the value is one of them */
};

typedef struct qn_match_row {
  qn_op_kind kinds[QN_MATCH_KINDS]; /* the op is of one of these kinds; if there are none, `flags`
                                       decide */
  uint32_t flags;
  uint8_t
      operands[QN_MATCH_OPERANDS]; /* row that each operand must match; 0: any operand, or none */
} qn_match_row;

/* The failed match that got furthest: the requirement of a row that its value does not meet. */
typedef struct qn_match_miss {
  uint32_t matched; /* number of rows that had matched before the failure */
  uint8_t row;
  uint32_t flag; /* the unmet flag, e.g. QN_ONLY_USE; 0: the kind of the op differs, or an operand
                    is missing */
  const qn_value *value; /* NULL if an operand is missing */
  bool other;            /* two operands that must be the same value are different values */
} qn_match_miss;

typedef struct qn_matched {
  qn_op *op[QN_MATCH_ROWS];       /* NULL if no op produces the value */
  qn_value *value[QN_MATCH_ROWS]; /* row 0: the first result of the root */
  bool swapped;        /* QN_EITHER_SIDE: the first two operands matched in swapped order */
  qn_match_miss *miss; /* receives the reason of a failure; NULL if not needed */
} qn_matched;

/* Returns the value that replaces the results of the root; it has the type of the first result.
 * Returns NULL if the rule does not apply; then the function must not have changed anything. */
typedef qn_value *qn_graph_rewrite(qn_rewriter *rw, const qn_matched *m);

typedef struct qn_graph_rule {
  qn_match_row rows[QN_MATCH_ROWS];
  qn_graph_rewrite *rewrite;
} qn_graph_rule;

/* Whether the rule matches at `root`; fills *out_matched except for `miss`, which the caller sets
 * beforehand. */
bool qn_match(const qn_graph_rule *rule, qn_op *root, qn_matched *out_matched);
/* Appends a description of `miss` for a remark. */
void qn_match_tell(const qn_graph_rule *rule, const qn_match_miss *miss, qn_text *out);

/* Applies a rule as a pattern, then erases matched ops that have become unused. Under keep_tensors
 * the rule applies only if new ops produce the model tensors of all erased ops. */
qn_pattern_fn qn_graph_rule_apply;
#define QN_GRAPH_RULE(name, root, rule)                                                            \
  { name, root, qn_graph_rule_apply, &(rule) }

/* Whether a QN_THROUGH_UNARY row may skip the op: it is elementwise with one operand, and input and
 * output have the same static shape. */
bool qn_is_unary_elementwise(const qn_op *op);

#endif
