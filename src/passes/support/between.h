/* Elementwise ops between two ops that change the shape and change it back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_BETWEEN_H
#define QN_PASSES_SUPPORT_BETWEEN_H

#include "passes/support/graph.h"

/* Rows of a rule: the second op; the first op, which it reads through elementwise ops; and the
 * operand of the first op. */
#define QN_BETWEEN_ROWS(kind)                                                                      \
  {                                                                                                \
    {.kinds = {kind}, .flags = QN_THROUGH_UNARY, .operands = {1}},                                 \
        {.kinds = {kind}, .flags = QN_ONLY_USE, .operands = {2}}, {                                \
      .flags = QN_ANY_VALUE                                                                        \
    }                                                                                              \
  }

/* Changes the ops in between to the shape of the first op's operand. Returns the result of the last
 * of them, or the operand if there are none. NULL if an element type has a scale per channel, or if
 * one of the two outer ops changes the element type. */
qn_value *qn_reshape_between(qn_rewriter *rw, const qn_matched *m);

#endif
