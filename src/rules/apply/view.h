/* What rules see of a graph. Whoever has a graph answers these questions; matching and constraints
 * know no more of it, so that they do not depend on how ops are stored.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_VIEW_H
#define QN_RULES_APPLY_VIEW_H

#include "rules/rules.h"

/* An output of a node: what an edge carries. */
typedef struct qn_rule_operand {
  void *node;
  uint32_t output;
} qn_rule_operand;

static inline bool qn_rule_same_operand(qn_rule_operand a, qn_rule_operand b) {
  return a.node == b.node && a.output == b.output;
}

enum { QN_RULE_MAX_RANK = 8 };

/* Sizes, element type and encoding of an output. */
typedef struct qn_rule_definition {
  uint32_t rank;
  int64_t sizes[QN_RULE_MAX_RANK];
  uint32_t dtype; /* index into qn_rule_dtypes */
  uint32_t element_bytes;
  bool quantized;
  uint32_t channels; /* encodings along the axis below; 1: one for all elements */
  int32_t axis;
  const float *steps;          /* of each channel */
  const int32_t *zero_offsets; /* of each channel */
} qn_rule_definition;

/* The name of an op, and what the graph knows of it. */
typedef struct qn_rule_name {
  qn_str text;
  const void *known;
  uint32_t breadth; /* how many kinds of ops can have it */
} qn_rule_name;

typedef struct qn_rule_view {
  void *graph;
  /* A name, looked up once. */
  qn_rule_name (*resolve)(void *graph, qn_str name);
  /* The node that makes the operand, as an op of that name; NULL when it is none. What a node is
   * called decides which inputs it has: a convolution without padding may be asked for as such. */
  void *(*as)(void *graph, qn_rule_operand operand, qn_rule_name name);
  uint32_t (*input_count)(void *graph, void *node);
  uint32_t (*output_count)(void *graph, void *node);
  qn_rule_operand (*input)(void *graph, void *node, uint32_t i);
  /* Lives as long as the graph is not changed. */
  const qn_rule_definition *(*definition)(void *graph, qn_rule_operand operand);
  /* How many inputs of nodes, and results of the graph, it is. */
  uint32_t (*uses)(void *graph, qn_rule_operand operand);
  /* A constant's elements, and the real value of one; negative: it is no constant. */
  int64_t (*constant_size)(void *graph, qn_rule_operand operand);
  double (*constant_at)(void *graph, qn_rule_operand operand, int64_t index);
} qn_rule_view;

static inline void *qn_rule_as(const qn_rule_view *view, qn_rule_operand operand, qn_str name) {
  return view->as(view->graph, operand, view->resolve(view->graph, name));
}

#endif
