/* Steps of an import: a module; @main with inputs, outputs and states; operators in order.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_MAIN_H
#define QN_IMPORT_GRAPH_MAIN_H

#include "import/graph/value.h"

/* Initializes a zeroed graph: profile (from the options, else `numerics`), module, budgets from the
 * file's size. If it does not return QN_OK, qn_graph_end is not needed. */
QN_NODISCARD qn_status qn_graph_begin(qn_graph *graph, const qn_graph_format *format,
                                      const char *numerics, qn_ir_context *cx, qn_file *file,
                                      const qn_import_options *options);
/* Verifies and returns the module, or the status of the import. Frees everything else. */
QN_NODISCARD qn_status qn_graph_end(qn_graph *graph, qn_module **out_module);

/* Creates the tensors of the current subgraph. Returns false, reported, if there are too many
 * tensors or operators. */
bool qn_graph_open(qn_graph *graph, uint32_t tensor_count, uint32_t op_count, qn_graph_list inputs,
                   qn_graph_list outputs);

/* Creates @main with its inputs; after the operators, its outputs, states and function type. */
typedef struct qn_graph_main qn_graph_main;
qn_graph_main *qn_graph_begin_main(qn_graph *graph);
void qn_graph_end_main(qn_graph *graph, qn_graph_main *main);

/* The variable that holds the current value of a state. */
qn_value **qn_graph_state_place(const qn_graph_state *state);

/* ---- operators, take.c ---- */

/* Checks that every element of a list is a tensor index, or `least`. */
bool qn_graph_check_indices(qn_graph_op *op, qn_graph_list indices, int32_t least,
                            const char *what);
/* First pass: records the writer of each output. Reports tensors that are written twice, and writes
 * to constants or inputs. */
void qn_graph_record_writes(qn_graph_op *op);

/* Format-specific checks of an operator with a row, before and after the check of operand counts.
 * `first`: its first result, for messages, or NULL. */
typedef struct qn_graph_checks {
  bool (*version)(
      qn_graph_op *op,
      const qn_graph_tensor *first); /* returns false, reported, if the version is too new */
  void (*options)(qn_graph_op *op, const qn_graph_tensor *first);
} qn_graph_checks;
/* Second pass: imports an operator. A failed one is replaced by placeholders, or with
 * keep_unsupported by an opaque op. */
void qn_graph_take(qn_graph_op *op, const qn_graph_checks *checks);

#endif
