/* How the graphs of a file become tensors and ordered nodes: the main graph, functions at their
 * calls, and bodies, which are graphs in attributes. Private to names.c, capture.c, nodes.c,
 * order.c, simplify.h, graph.c and body.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_ONNX_GRAPH_H
#define QN_IMPORT_ONNX_GRAPH_H

#include "import/onnx/onnx.h"

enum { QN_ONNX_MOST_CALLS = 64 }; /* nesting depth of function calls and of bodies */

/* ---- names.c: tensors by name ---- */

/* Adds a tensor that nothing defines and returns its index; -1, reported, if there are too many. */
int32_t qn_onnx_new_tensor(qn_onnx *im, qn_str name);
/* Moves the tensors to memory with room for those of bodies, which are opened while the importer
 * holds pointers to tensors. False, reported, if there is no memory. */
bool qn_onnx_reserve_for_bodies(qn_onnx *im);
/* Makes `name` a name of tensor `number` in the scope; -1 for an omitted input of a function. */
void qn_onnx_bind(qn_onnx_scope *scope, qn_str name, int32_t number);
/* The index of a tensor that this scope defines, added if it is new; -1 for an omitted input of a
 * function, or if there are too many tensors. */
int32_t qn_onnx_find_or_define(qn_onnx *im, qn_onnx_scope *scope, qn_str name);
/* As qn_onnx_find_or_define, also for names of the scopes around a body. */
int32_t qn_onnx_find_or_add(qn_onnx *im, qn_onnx_scope *scope, qn_str name);
/* Reports a name with a NUL byte. */
void qn_onnx_check_name(qn_onnx *im, qn_str name);
/* A scope without names, for a graph or a function. */
qn_onnx_scope *qn_onnx_new_scope(qn_onnx *im, const qn_pb_message *message);

/* ---- capture.c ---- */

/* Appends the tensors that the node's bodies read to its inputs, so that it follows their writers.
 */
void qn_onnx_append_captures(qn_onnx *im, qn_onnx_scope *scope, qn_onnx_node *node);

/* ---- nodes.c ---- */

/* Adds the nodes in `field` of the scope's message, with those of the functions that they call. */
void qn_onnx_open_nodes(qn_onnx *im, qn_onnx_scope *scope, qn_pb_row field);

/* ---- order.c ---- */

/* Sorts the nodes from `first` on in file order, each after the nodes it reads from, into `order`
 * [their number]. Earlier nodes are sorted. False, reported, if there is a cycle. */
bool qn_onnx_sort(qn_onnx *im, uint32_t first, const qn_onnx_node **order, uint32_t *out_count);
/* Keeps the nodes that results depend on, in a backward pass over the sorted nodes from index
 * `first` on; returns their number. */
uint32_t qn_onnx_keep_live(qn_onnx *im, uint32_t first, const qn_onnx_node **order, uint32_t count,
                           const int32_t *results, uint32_t result_count);

/* ---- simplify.c ---- */

/* Counts readers; under the profile of onnxruntime, changes the ordered nodes as it does before it
 * fuses units. Problems are reported. */
void qn_onnx_simplify(qn_onnx *im);

/* ---- graph.c ---- */

/* Gives the initializers of a graph to tensors of the scope. */
void qn_onnx_open_initializers(qn_onnx *im, qn_onnx_scope *scope, const qn_pb_message *graph);
/* Records the writers of the tensors that nodes from `first` on write; reports tensors that are
 * written twice. */
void qn_onnx_record_writers(qn_onnx *im, uint32_t first);
/* Whether something defines the tensor: an earlier body may have made it a constant. */
bool qn_onnx_has_source(const qn_onnx *im, int32_t number);
/* Reports operands of nodes from `first` on that nothing defines. */
void qn_onnx_check_readers(qn_onnx *im, uint32_t first);

#endif
