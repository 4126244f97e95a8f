/* Elementwise ops between two ops that change the shape there and back.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_SUPPORT_BETWEEN_H
#define QN_PASSES_SUPPORT_BETWEEN_H

#include "passes/support/graph.h"

/* The rows: the second op, through elementwise ops the first, and its operand. */
#define QN_BETWEEN_ROWS(kind)                                                                      \
  {                                                                                                \
    {.kinds = {kind}, .flags = QN_THROUGH_UNARY, .operands = {1}},                                 \
        {.kinds = {kind}, .flags = QN_ONLY_USE, .operands = {2}}, {                                \
      .flags = QN_ANY_VALUE                                                                        \
    }                                                                                              \
  }

/* Lets the ops between work on the shape of the first op's operand, and returns what the last of
 * them makes, or the operand when there are none; NULL when an element type has scales that depend
 * on the place, or one of the two ops changes it. */
qn_value *qn_reshape_between(qn_rewriter *rw, const qn_matched *m);

#endif
