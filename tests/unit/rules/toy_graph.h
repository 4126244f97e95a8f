/* A graph of a few nodes, for tests of matching and constraints. A node has one output unless
 * output_count says otherwise.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_TESTS_UNIT_RULES_TOY_GRAPH_H
#define QN_TESTS_UNIT_RULES_TOY_GRAPH_H

#include "rules/apply/view.h"

typedef struct toy_node {
  const char *name;
  uint32_t input_count, output_count, uses;
  qn_rule_operand inputs[4];
  qn_rule_definition definition;
  int64_t constant_count; /* 0: not a constant */
  const double *constants;
} toy_node;

static inline qn_rule_name toy_resolve(void *graph, qn_str name) {
  (void)graph;
  return (qn_rule_name){.text = name, .breadth = 1};
}
static inline void *toy_as(void *graph, qn_rule_operand operand, qn_rule_name name) {
  (void)graph;
  return qn_str_is(name.text, ((toy_node *)operand.node)->name) ? operand.node : NULL;
}
static inline uint32_t toy_inputs(void *graph, void *node) {
  (void)graph;
  return ((toy_node *)node)->input_count;
}
static inline uint32_t toy_outputs(void *graph, void *node) {
  (void)graph;
  uint32_t count = ((toy_node *)node)->output_count;
  return count ? count : 1;
}
static inline qn_rule_operand toy_input(void *graph, void *node, uint32_t i) {
  (void)graph;
  return ((toy_node *)node)->inputs[i];
}
static inline const qn_rule_definition *toy_definition(void *graph, qn_rule_operand operand) {
  (void)graph;
  return &((toy_node *)operand.node)->definition;
}
static inline uint32_t toy_uses(void *graph, qn_rule_operand operand) {
  (void)graph;
  return ((toy_node *)operand.node)->uses;
}
static inline int64_t toy_constant_size(void *graph, qn_rule_operand operand) {
  (void)graph;
  const toy_node *node = operand.node;
  return node->constant_count ? node->constant_count : -1;
}
static inline double toy_constant_at(void *graph, qn_rule_operand operand, int64_t index) {
  (void)graph;
  return ((toy_node *)operand.node)->constants[index];
}

static const qn_rule_view toy_view = {.resolve = toy_resolve,
                                      .as = toy_as,
                                      .input_count = toy_inputs,
                                      .output_count = toy_outputs,
                                      .input = toy_input,
                                      .definition = toy_definition,
                                      .uses = toy_uses,
                                      .constant_size = toy_constant_size,
                                      .constant_at = toy_constant_at};

#endif
