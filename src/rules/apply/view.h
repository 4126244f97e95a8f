/* The interface through which rules read a graph. Matching and constraints call only these
 * functions, so that they do not depend on how ops are stored.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_APPLY_VIEW_H
#define QN_RULES_APPLY_VIEW_H

#include "rules/rules.h"

/* One output of a node, which is also an operand of the nodes that read it. */
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
  uint32_t channels; /* number of encodings along `axis`; 1: one for all elements */
  int32_t axis;
  const float *steps;          /* [channels] scales */
  const int32_t *zero_offsets; /* [channels] zero points */
} qn_rule_definition;

/* The name of an op, and the graph's own entry for it (`known`). */
typedef struct qn_rule_name {
  qn_str text;
  const void *known;
  uint32_t breadth; /* number of op kinds that can have this name */
} qn_rule_name;

typedef struct qn_rule_view {
  void *graph;
  /* Looks up a name, so that `as` need not search by text. */
  qn_rule_name (*resolve)(void *graph, qn_str name);
  /* The node that defines the operand, seen as an op of that name; NULL if the name does not fit.
   * One op can have several names with different inputs: a convolution without padding is also
   * Conv2dValid, which has no operand for padding. */
  void *(*as)(void *graph, qn_rule_operand operand, qn_rule_name name);
  uint32_t (*input_count)(void *graph, void *node);
  uint32_t (*output_count)(void *graph, void *node);
  qn_rule_operand (*input)(void *graph, void *node, uint32_t i);
  /* Sizes, type and encoding of an operand. The result is valid until the graph changes. */
  const qn_rule_definition *(*definition)(void *graph, qn_rule_operand operand);
  /* Number of uses of the operand: inputs of nodes and results of the graph. */
  uint32_t (*uses)(void *graph, qn_rule_operand operand);
  /* Number of elements of a constant, negative if the operand is not a constant; and the real value
   * of one element. */
  int64_t (*constant_size)(void *graph, qn_rule_operand operand);
  double (*constant_at)(void *graph, qn_rule_operand operand, int64_t index);
} qn_rule_view;

static inline void *qn_rule_as(const qn_rule_view *view, qn_rule_operand operand, qn_str name) {
  return view->as(view->graph, operand, view->resolve(view->graph, name));
}

#endif
