/* The course of an import: a module, @main with inputs, outputs and states, and operators in order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_MAIN_H
#define QN_IMPORT_GRAPH_MAIN_H

#include "import/graph/value.h"

/* Fills a zeroed record: profile (the one of the options, else `numerics`), module, budgets from
 * the file's size. What is not QN_OK needs no qn_graph_end. */
QN_NODISCARD qn_status qn_graph_begin(qn_graph *graph, const qn_graph_format *format,
                                      const char *numerics, qn_ir_context *cx, qn_file *file,
                                      const qn_import_options *options);
/* Verifies; the module, or what was wrong. Frees everything else. */
QN_NODISCARD qn_status qn_graph_end(qn_graph *graph, qn_module **out_module);

/* New tensors, numbered, for the subgraph at work. False, reported: there are too many, or too many
 * operators. */
bool qn_graph_open(qn_graph *graph, uint32_t tensor_count, uint32_t op_count, qn_graph_list inputs,
                   qn_graph_list outputs);

/* @main with the inputs; then operators; then outputs and states, and the function's type. */
typedef struct qn_graph_main qn_graph_main;
qn_graph_main *qn_graph_begin_main(qn_graph *graph);
void qn_graph_end_main(qn_graph *graph, qn_graph_main *main);

/* Where the value of a state stands. */
qn_value **qn_graph_state_place(const qn_graph_state *state);

/* ---- operators, take.c ---- */

/* Every index of a list is a tensor's, or `least`; else reported. */
bool qn_graph_check_indices(qn_graph_op *op, qn_graph_list indices, int32_t least,
                            const char *what);
/* First pass: records who writes what. Nothing is written twice, and no constant or input is. */
void qn_graph_record_writes(qn_graph_op *op);

/* What the format alone can judge of an operator with a row, before and after the counts of
 * operands; `first` is its first result, for messages, or NULL. */
typedef struct qn_graph_checks {
  bool (*version)(qn_graph_op *op, const qn_graph_tensor *first); /* false, reported: too new */
  void (*options)(qn_graph_op *op, const qn_graph_tensor *first);
} qn_graph_checks;
/* Second pass: imports an operator. A failed one leaves placeholders, or with keep_unsupported an
 * opaque op. */
void qn_graph_take(qn_graph_op *op, const qn_graph_checks *checks);

#endif
