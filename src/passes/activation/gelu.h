/* Shared parts of the patterns of gelu: x / 2 * (1 + weight), with the factors in any order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_ACTIVATION_GELU_H
#define QN_PASSES_ACTIVATION_GELU_H

#include "passes/support/graph.h"

/* Rows of a rule: the root, a product of two of the factors, 1/2, the sum, x, 1, and from
 * GELU_WEIGHT on the rows of the term that is added to 1. */
enum { GELU, GELU_PART, GELU_HALF, GELU_SUM, GELU_X, GELU_ONE, GELU_WEIGHT };

/* The rows for a root a * b and a product GELU_PART = c * d. */
#define QN_GELU_ROWS(a, b, c, d, ...)                                                              \
  {                                                                                                \
    {.kinds = {QN_OP_ML_MUL}, .flags = QN_PLAIN | QN_EITHER_SIDE, .operands = {a, b}},             \
        {.kinds = {QN_OP_ML_MUL},                                                                  \
         .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,                                         \
         .operands = {c, d}},                                                                      \
        {.flags = QN_ANY_VALUE | QN_LITERAL},                                                      \
        {.kinds = {QN_OP_ML_ADD},                                                                  \
         .flags = QN_ONLY_USE | QN_PLAIN | QN_EITHER_SIDE,                                         \
         .operands = {GELU_WEIGHT, GELU_ONE}},                                                     \
        {.flags = QN_ANY_VALUE}, {.flags = QN_ANY_VALUE | QN_LITERAL}, __VA_ARGS__                 \
  }
/* Rules for (sum / 2) * x, (sum * x) / 2 and sum * (x / 2). */
#define QN_GELU_RULES(name, build, ...)                                                            \
  static const qn_graph_rule name[] = {                                                            \
      {QN_GELU_ROWS(GELU_PART, GELU_X, GELU_SUM, GELU_HALF, __VA_ARGS__), build},                  \
      {QN_GELU_ROWS(GELU_PART, GELU_HALF, GELU_SUM, GELU_X, __VA_ARGS__), build},                  \
      {QN_GELU_ROWS(GELU_SUM, GELU_PART, GELU_X, GELU_HALF, __VA_ARGS__), build}}

/* Maximum relative error of constants in models. */
#define QN_GELU_NEAR 1e-4

/* Builds the ml.gelu that replaces the root. NULL unless all values are floats, the product has the
 * type of x, and the two constants are 1/2 and 1. */
qn_value *qn_build_gelu(qn_rewriter *rw, const qn_matched *m, const char *mode);

#endif
