/* A function of the model dialect as rules see it. Nodes are created on demand: for a value in a
 * layout and under a name, and for a shape or constant that is an attribute of an op. Equal nodes
 * are created once, so operands can be compared by pointer.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_RULES_GRAPH_GRAPH_H
#define QN_RULES_GRAPH_GRAPH_H

#include "base/array.h"
#include "base/map.h"
#include "ir/module.h"
#include "rules/graph/form.h"

typedef enum qn_rule_node_of {
  QN_RULE_OF_VALUE,
  QN_RULE_OF_SHAPE,   /* sizes without data */
  QN_RULE_OF_NUMBERS, /* a constant that is not the result of an op */
} qn_rule_node_of;

typedef struct qn_rule_gnode {
  qn_rule_node_of of;
  qn_rule_layout layout;
  qn_value *value;                      /* VALUE: first result of an op, or a block argument */
  const qn_rule_form *form;             /* VALUE: the name under which rules see it; NULL if none */
  const qn_rule_definition *definition; /* of output 0; NULL until queried */
  uint32_t count;
  const double *numbers;      /* SHAPE, NUMBERS: [count] elements */
  bool real;                  /* NUMBERS: elements are f32, else i32 */
  struct qn_rule_gnode *next; /* next node of the same value, or of the same hash */
} qn_rule_gnode;

typedef struct qn_rule_graph {
  qn_module *module;
  qn_ir_context *cx;
  qn_arena arena;
  QN_ARRAY(qn_rule_gnode *) nodes; /* [id of a value] chain of the value's nodes */
  qn_map data;                     /* hash of the contents -> chain of shapes and constants */
  qn_map names;                    /* qn_op -> form as which a rule built it */
  qn_str_map forms;                /* name -> its first form */
  const qn_rule_form *output;      /* how rules see "$Out", one output of an op with several */
} qn_rule_graph;

void qn_rule_graph_init(qn_rule_graph *graph, qn_module *module);
void qn_rule_graph_deinit(qn_rule_graph *graph);
/* Removes an op from the graph. Must be called before the op is erased. */
void qn_rule_graph_forget(qn_rule_graph *graph, const qn_op *op);
/* Sets the form of an op that a rule has built; rules then see the op under this name only. */
void qn_rule_graph_name(qn_rule_graph *graph, const qn_op *op, const qn_rule_form *form);

/* The interface through which rules read the graph. */
qn_rule_view qn_rule_graph_view(qn_rule_graph *graph);

/* The operand for an IR value in a layout. */
qn_rule_operand qn_rule_operand_of(qn_rule_graph *graph, qn_value *value, qn_rule_layout layout);
qn_rule_operand qn_rule_shape_node(qn_rule_graph *graph, const double *sizes, uint32_t count);
qn_rule_operand qn_rule_numbers_node(qn_rule_graph *graph, const double *numbers, uint32_t count,
                                     bool real);
/* The IR value of an operand; NULL if it is a shape or a constant that no op defines. */
qn_value *qn_rule_value_of(qn_rule_operand operand);
static inline const qn_rule_gnode *qn_rule_gnode_of(qn_rule_operand operand) {
  return operand.node;
}
static inline qn_rule_layout qn_rule_layout_of(qn_rule_operand operand) {
  return qn_rule_gnode_of(operand)->layout;
}

/* Whether an op fits a form, independently of the name that a rule gave the op. */
bool qn_rule_form_fits(qn_rule_graph *graph, const qn_rule_form *form, const qn_op *op);

/* ---- layouts ---- */

/* For each dimension that rules see, the index of the value's dimension; -1 if the value has none,
 * so that its size is 1. */
typedef struct qn_rule_dims {
  uint32_t rank;
  int32_t of[QN_RULE_MAX_RANK];
} qn_rule_dims;
/* Computes the dimensions for a layout. Returns false if values of that rank do not have this
 * layout. */
bool qn_rule_layout_dims(qn_rule_layout layout, uint32_t rank, qn_rule_dims *out_dims);

/* Index into qn_rule_dtypes; UINT32_MAX if rules have no name for the type. */
uint32_t qn_rule_dtype_of(const qn_type *element);
/* Describes a tensor type in a layout: sizes, dtype and encoding. Scales and zero points are
 * allocated in `arena`. Returns false if rules can't represent the type. */
bool qn_rule_define(qn_arena *arena, const qn_type *tensor, qn_rule_layout layout,
                    qn_rule_definition *out_definition);

/* ---- slots ---- */

/* The operand of the rule's op that a slot denotes. `rest` is the index within a REST slot. Returns
 * false if the op does not have what the slot requires. */
bool qn_rule_slot_read(qn_rule_graph *graph, const qn_op *op, const qn_rule_slot *slot,
                       uint32_t rest, qn_rule_operand *out_operand);
bool qn_rule_slot_holds(const qn_op *op, const qn_rule_slot *slot);
/* The range of a fused activation. */
typedef struct qn_rule_range {
  double low, high;
} qn_rule_range;
extern const qn_rule_range qn_rule_activations[QN_ACT_COUNT]; /* indexed by qn_activation */

#endif
