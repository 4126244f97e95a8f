/* Batch sizes other than the file's, and dynamic batch sizes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_BATCH_H
#define QN_IMPORT_GRAPH_BATCH_H

#include "import/graph/report.h"
#include "ir/entry/port.h"

/* Reads the file for the batch size in the options only. */
typedef qn_status qn_graph_read_fn(qn_ir_context *cx, qn_file *file,
                                   const qn_import_options *options, qn_module **out_module);
/* Implements qn_importer.read: reads the file; with any_size also for other batch sizes, which must
 * give the same graph; and reports where the batch size causes an error. */
QN_NODISCARD qn_status qn_graph_import(qn_graph_read_fn *read, qn_ir_context *cx, qn_file *file,
                                       const qn_import_options *options, qn_module **out_module);

/* For qn_graph_format.load: the size of dimension i of a tensor, which is unknown in the file or
 * gets the new batch size. Requires tensor->dim_names to be set. `stored`: its size in the file; -1
 * if unknown. */
int64_t qn_graph_bind(qn_graph *graph, qn_graph_tensor *tensor, uint32_t i, int64_t stored,
                      bool is_unknown);
/* With rebatch: checks that an imported operator, whose ops follow `last`, does not mix batch
 * elements. */
void qn_graph_check_batch(qn_graph_op *op, const qn_op *last);
/* With rebatch: checks a sequence before it is imported; its batch dimension must precede the time
 * dimension. */
bool qn_graph_check_sequence(qn_graph_op *op, bool time_major);
/* With any_size: sets which dimension of an input is dynamic. Reports unsupported cases. */
void qn_graph_name_size(qn_graph *graph, const qn_graph_tensor *tensor, qn_port *port);

#endif
