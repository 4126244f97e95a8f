/* A function of the model dialect in the view of rules. Nodes are created on demand: for a value in
 * a layout and under a name, and for a shape or constant that is an attribute of an op. Equal nodes
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
  QN_RULE_OF_NUMBERS, /* a constant that is no op */
} qn_rule_node_of;

typedef struct qn_rule_gnode {
  qn_rule_node_of of;
  qn_rule_layout layout;
  qn_value *value;                      /* VALUE: the first result of an op, or an argument */
  const qn_rule_form *form;             /* VALUE: the name it is seen under; NULL: it has none */
  const qn_rule_definition *definition; /* of output 0; NULL until it is queried */
  uint32_t count;
  const double *numbers;      /* SHAPE, NUMBERS */
  bool real;                  /* NUMBERS: f32, else i32 */
  struct qn_rule_gnode *next; /* of the same value; of the same hash */
} qn_rule_gnode;

typedef struct qn_rule_graph {
  qn_module *module;
  qn_ir_context *cx;
  qn_arena arena;
  QN_ARRAY(qn_rule_gnode *) nodes; /* by the id of a value: chain of its nodes */
  qn_map data;                     /* hash -> chain of shapes and constants */
  qn_map names;                    /* qn_op -> the form that a rule built it as */
  qn_str_map forms;                /* name -> its first form */
  const qn_rule_form *output;      /* "$Out" */
} qn_rule_graph;

void qn_rule_graph_init(qn_rule_graph *graph, qn_module *module);
void qn_rule_graph_deinit(qn_rule_graph *graph);
/* To be called for every op before it is erased. */
void qn_rule_graph_forget(qn_rule_graph *graph, const qn_op *op);
/* Sets the name of an op in the view of rules; it then has no other name. */
void qn_rule_graph_name(qn_rule_graph *graph, const qn_op *op, const qn_rule_form *form);

/* The graph that rules query. */
qn_rule_view qn_rule_graph_view(qn_rule_graph *graph);

/* The operand that an IR value is. */
qn_rule_operand qn_rule_operand_of(qn_rule_graph *graph, qn_value *value, qn_rule_layout layout);
qn_rule_operand qn_rule_shape_node(qn_rule_graph *graph, const double *sizes, uint32_t count);
qn_rule_operand qn_rule_numbers_node(qn_rule_graph *graph, const double *numbers, uint32_t count,
                                     bool real);
/* The IR value of an operand; NULL: it is a shape or constant that is no op. */
qn_value *qn_rule_value_of(qn_rule_operand operand);
static inline const qn_rule_gnode *qn_rule_gnode_of(qn_rule_operand operand) {
  return operand.node;
}
static inline qn_rule_layout qn_rule_layout_of(qn_rule_operand operand) {
  return qn_rule_gnode_of(operand)->layout;
}

/* Whether an op is one of that form, whatever name a rule gave it. */
bool qn_rule_form_fits(qn_rule_graph *graph, const qn_rule_form *form, const qn_op *op);

/* ---- layouts ---- */

/* For each dimension that rules see, the dimension of the value, or -1: it has size 1. */
typedef struct qn_rule_dims {
  uint32_t rank;
  int32_t of[QN_RULE_MAX_RANK];
} qn_rule_dims;
/* False: a value of that rank has no such layout. */
bool qn_rule_layout_dims(qn_rule_layout layout, uint32_t rank, qn_rule_dims *out_dims);

/* Index into qn_rule_dtypes; UINT32_MAX: rules have no word for it. */
uint32_t qn_rule_dtype_of(const qn_type *element);
/* What a tensor's output is in the eyes of rules; steps and offsets are kept in `arena`. False:
 * rules can't see it. */
bool qn_rule_define(qn_arena *arena, const qn_type *tensor, qn_rule_layout layout,
                    qn_rule_definition *out_definition);

/* ---- slots ---- */

/* The operand that a slot of an op is; false: the op has not what the slot asks for. */
bool qn_rule_slot_read(qn_rule_graph *graph, const qn_op *op, const qn_rule_slot *slot,
                       uint32_t rest, qn_rule_operand *out_operand);
bool qn_rule_slot_holds(const qn_op *op, const qn_rule_slot *slot);
/* The range of a fused activation. */
typedef struct qn_rule_range {
  double low, high;
} qn_rule_range;
extern const qn_rule_range qn_rule_activations[]; /* by qn_activation */
enum { QN_RULE_ACTIVATIONS = 4 };

#endif
