/* What the two spellings of gelu have in common: x / 2 * (1 + weight), the factors in any order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_PASSES_ACTIVATION_GELU_H
#define QN_PASSES_ACTIVATION_GELU_H

#include "passes/support/graph.h"

/* The rows of a rule: two of the factors in a product of their own, 1/2, the sum, x, 1, and from
 * GELU_WEIGHT on what is added to the 1. */
enum { GELU, GELU_PART, GELU_HALF, GELU_SUM, GELU_X, GELU_ONE, GELU_WEIGHT };

/* GELU is a * b, GELU_PART is c * d. */
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
/* (sum / 2) * x, (sum * x) / 2 and sum * (x / 2). */
#define QN_GELU_RULES(name, build, ...)                                                            \
  static const qn_graph_rule name[] = {                                                            \
      {QN_GELU_ROWS(GELU_PART, GELU_X, GELU_SUM, GELU_HALF, __VA_ARGS__), build},                  \
      {QN_GELU_ROWS(GELU_PART, GELU_HALF, GELU_SUM, GELU_X, __VA_ARGS__), build},                  \
      {QN_GELU_ROWS(GELU_SUM, GELU_PART, GELU_X, GELU_HALF, __VA_ARGS__), build}}

/* How far constants of models are from what they stand for. */
#define QN_GELU_NEAR 1e-4

/* The ml.gelu in the place of the root, when the product has floats alone, the type of x, and the
 * two numbers are 1/2 and 1; or NULL. */
qn_value *qn_build_gelu(qn_rewriter *rw, const qn_matched *m, const char *mode);

#endif
