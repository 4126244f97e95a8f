/* Another batch than the file's, and one that each call says.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_BATCH_H
#define QN_IMPORT_GRAPH_BATCH_H

#include "import/graph/report.h"
#include "ir/entry/port.h"

/* Reads the file for the batch of the options alone. */
typedef qn_status qn_graph_read_fn(qn_ir_context *cx, qn_file *file,
                                   const qn_import_options *options, qn_module **out_module);
/* What a row of the table of importers does (qn_importer): reads the file, with any_size for other
 * sizes as well, which have to give the same graph, and says where a batch is to blame. */
QN_NODISCARD qn_status qn_graph_import(qn_graph_read_fn *read, qn_ir_context *cx, qn_file *file,
                                       const qn_import_options *options, qn_module **out_module);

/* For `load`: binds dimension i of a tensor, which is unknown in the file or gets the new batch.
 * Its names of dimensions are known before. `stored` is its size in the file, -1 for none. */
int64_t qn_graph_bind(qn_graph *graph, qn_graph_tensor *tensor, uint32_t i, int64_t stored,
                      bool is_unknown);
/* With rebatch: an operator that was imported, its ops behind `last`, keeps entries apart. */
void qn_graph_check_batch(qn_graph_op *op, const qn_op *last);
/* The same of a sequence before it is imported: of entries, not of times, behind one another. */
bool qn_graph_check_sequence(qn_graph_op *op, bool time_major);
/* With any_size: of an input, which dimension it is that each call says. Reports what can't be. */
void qn_graph_name_size(qn_graph *graph, const qn_graph_tensor *tensor, qn_port *port);

#endif
