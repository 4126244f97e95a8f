/* Error messages in the model's terms: "m.tflite: operator 5 (CONV_2D), tensor 'x': error: ...".
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef QN_IMPORT_GRAPH_REPORT_H
#define QN_IMPORT_GRAPH_REPORT_H

#include "import/graph/graph.h"

/* Reports an error of the model and includes `status` in the import's status. `tensor` may be NULL.
 */
void qn_graph_model_error(qn_graph *graph, const qn_graph_tensor *tensor, qn_status status,
                          const char *format, ...) QN_PRINTF(4, 5);
/* Reports an error at an operator, which is then failed. Returns false. With keep_unsupported, an
 * unsupported operator is not reported; the message becomes its reason. */
bool qn_graph_error(qn_graph_op *op, const qn_graph_tensor *tensor, qn_status status,
                    const char *format, ...) QN_PRINTF(4, 5);
/* Reports at the operator, or at the model if it is NULL. */
void qn_graph_problem(qn_graph *graph, qn_graph_op *op_or_null, const qn_graph_tensor *tensor,
                      qn_status status, const char *format, ...) QN_PRINTF(5, 6);
void qn_graph_warn(qn_graph_op *op, const qn_graph_tensor *tensor, const char *format, ...)
    QN_PRINTF(3, 4);
void qn_graph_remark(qn_graph_op *op, const qn_graph_tensor *tensor, const char *format, ...)
    QN_PRINTF(3, 4);

/* "operator 5 (CONV_2D), tensor 'x'". */
const qn_loc *qn_graph_loc(const qn_graph_op *op, const qn_graph_tensor *tensor);
/* `name` with control characters and invalid UTF-8 as \xNN, truncated to `limit` bytes. */
qn_str qn_graph_printable(qn_arena *arena, qn_str name, size_t limit);
/* "[1, 2, 3]" */
qn_str qn_graph_shape_text(qn_graph *graph, const qn_graph_shape *shape);

#endif
