/* Rules that call C functions, these functions, and a graph on which the rules fire.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_CALLED_RULES_H
#define QN_TESTS_CALLED_RULES_H

#include <quern/quern.h>
#include <stdbool.h>
#include <stddef.h>

static const char called_graph[] =
    "func.func @f(%x: tensor<1x4x1x2xf32>) -> tensor<1x4x1x2xf32> {\n"
    "  %0 = \"ml.relu\"(%x) : (tensor<1x4x1x2xf32>) -> tensor<1x4x1x2xf32>\n"
    "  %1 = \"ml.tanh\"(%0) : (tensor<1x4x1x2xf32>) -> tensor<1x4x1x2xf32>\n"
    "  return %1 : tensor<1x4x1x2xf32>\n}\n";
static const char called_rules[] =
    "//:rule name=deep\n"
    "DEF_PACKAGE_OPTIMIZATION(EARLY, Op(\"Relu\", \"x\"), EXTERNAL_CONSTRAINT(is_deep, \"x\", 2,\n"
    "    0.5f),\n    AUTOSPLIT(1, \"I\", 2, Op(\"Relu\", AUTOSPLIT_SLICE(\"x\",\n"
    "        AUTOSPLIT_SHAPEFN_APPLY(begin, \"I\"),\n"
    "        AUTOSPLIT_SHAPEFN_APPLY(simple_split_size, \"I\", \"x\")))))\n"
    "//:rule name=other\n"
    "DEF_PACKAGE_OPTIMIZATION(MIDDLE, Op(\"Tanh\", \"x\"), OK, EXTERNAL_REPLACE(sigmoid_of))\n";

/* `user`: an int that counts the calls, or NULL. */
static inline int called_is_deep(qn_rule_call *call, void *user) {
  if (user) ++*(int *)user;
  bool constant = qn_rule_call_elements(call, 0) > 0 && qn_rule_call_element(call, 0, 0) > 0;
  qn_rule_call_hold(call, qn_rule_call_size(call, 0, 3) >= qn_rule_call_integer(call, 0) &&
                              qn_rule_call_number(call, 1) < 1 && qn_rule_call_rank(call, 0) == 4 &&
                              !constant);
  return 1;
}

static inline int called_begin(qn_rule_call *call, void *user) {
  int64_t sizes[4] = {0}, dimension, start, size;
  (void)user;
  if (!qn_rule_call_piece(call, &dimension, &start, &size)) return 0;
  sizes[dimension] = start;
  qn_rule_call_give_shape(call, sizes, 4);
  return 1;
}

static inline int called_sigmoid(qn_rule_call *call, void *user) {
  (void)user;
  int x = qn_rule_call_input(call, QN_RULE_MATCHED, 0);
  qn_rule_call_give(call, qn_rule_call_build(call, "Sigmoid", &x, 1, QN_RULE_MATCHED));
  return 1;
}

/* Registers the functions: `constraint` as is_deep, `replacement` as sigmoid_of. */
static inline qn_status called_register(qn_rules *rules, qn_rule_callback *constraint,
                                        qn_rule_callback *replacement, void *user) {
  qn_status status =
      qn_rules_register(rules, QN_RULE_FUNCTION_CONSTRAINT, "is_deep", "oif", constraint, user);
  if (status == QN_OK)
    status =
        qn_rules_register(rules, QN_RULE_FUNCTION_SPLIT_SHAPE, "begin", "", called_begin, NULL);
  if (status == QN_OK)
    status =
        qn_rules_register(rules, QN_RULE_FUNCTION_REPLACE, "sigmoid_of", "", replacement, NULL);
  if (status == QN_OK) status = qn_rules_register_option(rules, "called_option");
  return status;
}

#endif
